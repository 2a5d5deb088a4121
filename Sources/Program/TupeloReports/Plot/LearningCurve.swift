internal import Foundation
public import TupeloRuns
internal import TupeloTraining

/// A learning curve: one metric of one run, or of several, over games, moves or time.
public struct LearningCurve: Hashable, Sendable {
  /// The name in the legend.
  public var name: String
  /// The points, in ascending order of x; no two have the same x.
  public private(set) var points: [Point]
  /// The points before smoothing; empty without smoothing.
  public private(set) var raw: [Point] = []

  public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double
    /// An interval around y, if there is one.
    public var band: ClosedRange<Double>?

    public init(x: Double, y: Double, band: ClosedRange<Double>? = nil) {
      (self.x, self.y, self.band) = (x, y, band)
    }
  }

  /// The quantity on the horizontal axis.
  public enum Axis: String, CaseIterable, Sendable {
    case games
    case moves
    /// Seconds of training, without evaluations and checkpoints.
    case seconds

    func value(of record: MetricsRecord) -> Double {
      switch self {
      case .games: Double(record.games)
      case .moves: Double(record.moves)
      case .seconds: record.seconds
      }
    }
  }

  public init(name: String, points: [Point]) {
    (self.name, self.points) = (name, points)
  }

  /// The learning curve of a metric in a file.
  ///
  /// It has the interval around each value if the file has it (`eval/score_low` and `eval/score_high` for
  /// `eval/score_mean`). When two values have the same place, the later one counts. `EvaluationJudge` separates final
  /// evaluations that earlier versions recorded as interim ones.
  ///
  /// - Throws: `PlotError` when there are no values, or when they go back along the axis; `MetricsError`
  public init(name: String, file: MetricsFile, metric: String, axis: Axis) throws {
    let stem = metric.hasSuffix("_mean") ? String(metric.dropLast("_mean".count)) : nil
    let ends = stem.map { [$0 + "_low", $0 + "_high"] } ?? []
    var points: [Point] = []
    var problem: PlotError?
    var judge = EvaluationJudge()
    try file.forEach(tags: EvaluationJudge.tags.union([metric] + ends)) { record in
      let record = judge.judge(record)
      guard let y = record.values[metric], problem == nil else { return }
      let x = axis.value(of: record)
      if let last = points.last, last.x >= x {
        if last.x > x { problem = .goesBack(path: file.path, axis: axis, games: record.games) }
        points.removeLast()
      }
      let band = ends.compactMap { record.values[$0] }
      points.append(Point(x: x, y: y, band: band.count == 2 && band[0] <= band[1] ? band[0]...band[1] : nil))
    }
    if let problem { throw problem }
    guard !points.isEmpty else {
      var tags: Set<String>?
      var others = EvaluationJudge()
      try file.forEach { tags = (tags ?? []).union(others.judge($0).values.keys) }
      guard let tags else { throw PlotError.noRecords(path: file.path) }
      throw PlotError.noMetric(path: file.path, metric: metric, available: tags.sorted())
    }
    self.init(name: name, points: points)
  }

  /// The curve with every value replaced by the mean of up to `count` values around it.
  ///
  /// At the beginning, where a curve is steep, there are as many values before it as after it, and so fewer than
  /// `count`. At the end there are fewer after it.
  ///
  /// - Complexity: O(points)
  public func smoothed(over count: Int) -> LearningCurve {
    guard count > 1, points.count > 1 else { return self }
    var result = self
    result.raw = points
    let (before, after) = ((count - 1) / 2, count / 2)
    let values = MovingMean(points.map(\.y))
    let lows = MovingMean(points.map { $0.band?.lowerBound ?? $0.y })
    let highs = MovingMean(points.map { $0.band?.upperBound ?? $0.y })
    for index in points.indices {
      let reach = index < before ? index : after
      let window = max(0, index - before)..<min(points.count, index + reach + 1)
      result.points[index].y = values.mean(of: window)
      if points[index].band != nil {
        let (low, high) = (lows.mean(of: window), highs.mean(of: window))
        result.points[index].band = min(low, high)...max(low, high)
      }
    }
    return result
  }

  /// The mean of several curves, over the range of x that all of them have. The band is one sample standard deviation
  /// on both sides. Between two points a curve is a straight line.
  ///
  /// - Returns: `nil` when the curves have no common range. For one curve, the curve itself.
  public static func mean(of curves: [LearningCurve], name: String) -> LearningCurve? {
    guard curves.count > 1 else { return curves.first.map { LearningCurve(name: name, points: $0.points) } }
    guard let start = curves.compactMap(\.points.first?.x).max(), let end = curves.compactMap(\.points.last?.x).min(),
      curves.allSatisfy({ !$0.points.isEmpty }), start <= end
    else { return nil }
    let places = Set(curves.flatMap { $0.points.map(\.x) }).filter { start <= $0 && $0 <= end }.sorted()
    let columns = curves.map { $0.values(at: places) }
    let count = Double(curves.count)
    let points = places.indices.map { index in
      let values = columns.map { $0[index] }
      let mean = values.reduce(0) { $0 + $1 / count }
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let deviation = (squares / (count - 1)).squareRoot()
      return Point(x: places[index], y: mean, band: deviation.isFinite ? mean - deviation...mean + deviation : nil)
    }
    return LearningCurve(name: name, points: points)
  }

  /// The values at ascending places within the curve.
  func values(at places: [Double]) -> [Double] {
    var index = 0
    return places.map { place in
      while index + 1 < points.count, points[index + 1].x <= place { index += 1 }
      let left = points[index]
      guard index + 1 < points.count, left.x < place else { return left.y }
      let right = points[index + 1]
      let share = (place - left.x) / (right.x - left.x)
      return left.y * (1 - share) + right.y * share
    }
  }

  /// The curve with x in another unit.
  func dividingX(by divisor: Double) -> LearningCurve {
    var result = self
    for index in points.indices { result.points[index].x /= divisor }
    for index in raw.indices { result.raw[index].x /= divisor }
    return result
  }
}

/// Computes means of ranges of a list from its running sums.
private struct MovingMean {
  private let sums: [Double]
  private let values: [Double]

  init(_ values: [Double]) {
    self.values = values
    sums = values.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  func mean(of range: Range<Int>) -> Double {
    let sum = sums[range.upperBound] - sums[range.lowerBound]
    // Running sums of huge values overflow where their mean does not.
    guard sum.isFinite else { return values[range].reduce(0) { $0 + $1 / Double(range.count) } }
    return sum / Double(range.count)
  }
}
