internal import TupeloRuns
internal import TupeloTraining

/// Computes the positions in a picture: scales from the curves, and space from the texts. Lengths are in pixels, from
/// the top left.
struct PlotLayout: Sendable {
  static let width = 880.0
  static let margin = 24.0
  private static let plotHeight = 360.0

  let unit: PlotUnit
  let x: PlotScale
  let y: PlotScale
  let titleLines: [String]
  let subtitleLines: [String]
  let subtitleTop: Double
  /// The area of the curves.
  let frame: Frame
  let legend: [LegendEntry]
  let height: Double

  struct Frame: Hashable, Sendable {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double

    /// - Parameter position: 0...1
    func x(_ position: Double) -> Double { left + position * (right - left) }
    func y(_ position: Double) -> Double { bottom - position * (bottom - top) }
  }

  /// An entry of the legend: a swatch 34 pixels wide, a name, and the last value at the end of the column.
  struct LegendEntry: Hashable, Sendable {
    let x: Double
    /// The y coordinate of the text's base line.
    let y: Double
    let valueEnd: Double
    let name: String
    let value: String
  }

  init(_ curves: [LearningCurve], unit: PlotUnit, metric: String, title: String?, notes: [String]) {
    self.unit = unit
    let known = Metric.named(metric)
    let isShare = known?.unit == .share
    (x, y) = Self.scales(of: curves, isShare: isShare)
    let inner = Self.width - 2 * Self.margin
    titleLines = PlotText.lines(title ?? metric, size: 17, width: inner, atMost: 2)
    let meaning = known.map { "\($0.meaning), in \($0.unit == .share ? "percent" : $0.unit.rawValue)" }
    let facts = (title == nil ? [] : [metric]) + (meaning.map { [$0] } ?? []) + notes
    subtitleLines = PlotText.lines(facts.joined(separator: "; "), size: 12, width: inner, atMost: 3)
    subtitleTop = 32 + Double(max(titleLines.count, 1) - 1) * 22 + 21
    let top = subtitleTop + Double(subtitleLines.count) * 17
    let labels = y.ticks.map { PlotText.width(of: $0.label, size: 12) }.max() ?? 0
    let lastLabel = x.ticks.last.map { PlotText.width(of: $0.label, size: 12) } ?? 0
    frame = Frame(
      left: Self.margin + labels + 8, right: Self.width - max(Self.margin, lastLabel / 2 + 6), top: top,
      bottom: top + Self.plotHeight)
    legend = Self.legend(of: curves, isShare: isShare, top: frame.bottom + 72)
    height = (legend.last?.y ?? frame.bottom) + 20
  }

  private static func scales(of curves: [LearningCurve], isShare: Bool) -> (x: PlotScale, y: PlotScale) {
    let places = curves.flatMap { $0.points.map(\.x) }
    let values = curves.flatMap { curve in
      curve.points.flatMap { [$0.y, $0.band?.lowerBound ?? $0.y, $0.band?.upperBound ?? $0.y] } + curve.raw.map(\.y)
    }
    return (
      PlotScale(fitting: places.min() ?? 0, places.max() ?? 1, padding: 0),
      PlotScale(fitting: values.min() ?? 0, values.max() ?? 1, padding: 0.04, isShare: isShare)
    )
  }

  /// The legend in columns: as many as the longest entry allows, at most three.
  private static func legend(of curves: [LearningCurve], isShare: Bool, top: Double) -> [LegendEntry] {
    let values = curves.map { value(of: $0, isShare: isShare) }
    let inner = width - 2 * margin
    let (swatch, gap, space) = (42.0, 16.0, 36.0)
    let widest =
      zip(curves, values).map { PlotText.width(of: $0.name, size: 13) + PlotText.width(of: $1, size: 13.5) }.max() ?? 0
    let columns = max(1, min(3, curves.count, Int((inner + space) / (swatch + widest + gap + space))))
    let column = min((inner - Double(columns - 1) * space) / Double(columns), swatch + widest + gap)
    return curves.indices.map { index in
      let left = margin + Double(index % columns) * (column + space)
      let room = column - swatch - gap - PlotText.width(of: values[index], size: 13.5)
      return LegendEntry(
        x: left, y: top + Double(index / columns) * 22, valueEnd: left + column,
        name: PlotText.shortened(curves[index].name, size: 13, to: room + 0.01), value: values[index])
    }
  }

  /// The last value of a curve, with half its band.
  private static func value(of curve: LearningCurve, isShare: Bool) -> String {
    guard let last = curve.points.last else { return "" }
    let margin = last.band.map { $0.upperBound / 2 - $0.lowerBound / 2 }
    return PlotNumber.value(last.y, margin: margin, isShare: isShare)
  }
}

/// The unit and label of the horizontal axis. Time has the unit that people would choose.
struct PlotUnit: Hashable, Sendable {
  let divisor: Double
  let label: String

  init(axis: LearningCurve.Axis, end: Double) {
    switch axis {
    case .games: (divisor, label) = (1, "games")
    case .moves: (divisor, label) = (1, "moves")
    case .seconds:
      (divisor, label) =
        switch end {
        case ..<180: (1, "training time in seconds")
        case ..<10_800: (60, "training time in minutes")
        case ..<259_200: (3600, "training time in hours")
        default: (86_400, "training time in days")
        }
    }
  }
}
