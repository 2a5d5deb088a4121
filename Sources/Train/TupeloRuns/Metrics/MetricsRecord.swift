public import TupeloTraining

/// The metrics of a run after a number of games: one line of metrics.jsonl.
public struct MetricsRecord: Hashable, Sendable {
  /// The number of games since the start of the run, also before a checkpoint; at most 2^53.
  public var games: Int
  public var moves: Int
  /// Wall-clock seconds of training alone since the start of the run, from a clock that cannot jump.
  public var seconds: Double
  /// Seconds since 1970. It may jump: nothing is derived from it.
  public var time: Double
  /// Values by tag; see `Metric.table(of:)`. Values that are not finite are not written.
  public var values: [String: Double]

  public init(games: Int, moves: Int, seconds: Double, time: Double, values: [String: Double] = [:]) {
    self.games = games
    self.moves = moves
    self.seconds = seconds
    self.time = time
    self.values = values
  }

  public subscript(metric: Metric) -> Double? {
    get { values[metric.tag] }
    set { values[metric.tag] = newValue }
  }

  /// Adds the results of the training games since the last record. Without games it adds nothing, and it adds no scores
  /// and rates when none of the games began with a new board.
  public mutating func add(_ progress: TrainingProgress, of game: GameKind = .twentyFortyEight) {
    guard progress.games > 0 else { return }
    if progress.freshGames > 0 {
      self[.rolloutScoreMean] = progress.scoreMean
      self[.rolloutScoreMax] = progress.scoreMax
      for rate in game.results.recorded { values[Metric.tag(of: rate)] = progress.rate(of: rate) }
    }
    self[.rolloutMovesMean] = Double(progress.moves) / Double(progress.games)
    self[.tdErrorAbs] = progress.absoluteErrorMean
    self[.movesPerSecond] = progress.movesPerSecond
  }
}

extension MetricsRecord {
  /// The keys that every record has, before its tags.
  enum Key {
    static let games = "games"
    static let moves = "moves"
    static let seconds = "seconds"
    static let time = "time"
    static let all = [games, moves, seconds, time]
  }

  /// The largest counter that every JSON reader keeps exactly.
  static let counterLimit = 1 << 53

  /// The key whose value is not allowed in a file; `nil` when all are.
  var unfitKey: String? {
    if !(0...Self.counterLimit).contains(games) { return Key.games }
    if !(0...Self.counterLimit).contains(moves) { return Key.moves }
    if !seconds.isFinite || seconds < 0 { return Key.seconds }
    if !time.isFinite { return Key.time }
    return Key.all.first { values[$0] != nil }
  }

  /// The finite values: those of metrics in the order of `Metric.table(of:)`, then the others by name.
  var ordered: [(tag: String, value: Double)] {
    values.filter(\.value.isFinite).map { (place: Metric.place(of: $0.key), value: $0.value) }
      .sorted { $0.place < $1.place }.map { (tag: $0.place.tag, value: $0.value) }
  }

  /// The record as one JSON object without a line break. The order of its keys is always the same.
  public var json: String {
    let facts = [
      "\"games\":\(games)", "\"moves\":\(moves)", "\"seconds\":\(Self.number(seconds))",
      "\"time\":\(Self.number(time))",
    ]
    return "{" + (facts + ordered.map { "\(Self.quoted($0.tag)):\(Self.number($0.value))" }).joined(separator: ",")
      + "}"
  }

  /// The shortest text that reads back as exactly the same number.
  static func number(_ value: Double) -> String {
    guard let whole = Int(exactly: value), whole.magnitude <= counterLimit, whole != 0 || value.sign == .plus else {
      return "\(value)"
    }
    return "\(whole)"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f || scalar == "\u{2028}" || scalar == "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
