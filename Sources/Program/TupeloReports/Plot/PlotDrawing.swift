internal import TupeloTraining

/// Draws learning curves as an SVG picture that needs no other files.
///
/// It has its own background, so it is legible on light and dark pages. It uses system fonts. The legend is below the
/// curves and covers none of them.
public struct PlotDrawing: Sendable {
  public var curves: [LearningCurve]
  /// The tag of the metric.
  public var metric: String
  public var axis: LearningCurve.Axis
  /// The title; `nil` for the metric's tag.
  public var title: String?
  /// Notes for the reader: smoothing, and what bands mean.
  public var notes: [String]

  let layout: PlotLayout

  /// - Parameters:
  ///   - curves: at least one, each with at least one point
  ///   - metric: the tag of the metric
  ///   - axis: what the x axis shows
  ///   - title: the title; `nil` for the metric's tag
  ///   - notes: notes for the reader, such as what bands mean
  public init(
    _ curves: [LearningCurve], metric: String, axis: LearningCurve.Axis, title: String? = nil, notes: [String] = []
  ) {
    precondition(!curves.isEmpty && curves.allSatisfy { !$0.points.isEmpty }, "nothing to draw")
    (self.metric, self.axis, self.title, self.notes) = (metric, axis, title, notes)
    let end = curves.compactMap { $0.points.last?.x }.max() ?? 0
    let unit = PlotUnit(axis: axis, end: end)
    self.curves = unit.divisor == 1 ? curves : curves.map { $0.dividingX(by: unit.divisor) }
    layout = PlotLayout(self.curves, unit: unit, metric: metric, title: title, notes: notes)
  }

  /// The picture as SVG.
  public var svg: String {
    let (width, height) = (PlotPath.number(PlotLayout.width), PlotPath.number(layout.height))
    let name = PlotText.escaped(title ?? metric)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      role="img" font-family="\(PlotStyle.fonts)">
      <title>\(name)</title>
      <desc>\(PlotText.escaped(summary))</desc>
      <rect x="0.5" y="0.5" width="\(PlotPath.number(PlotLayout.width - 1))" \
      height="\(PlotPath.number(layout.height - 1))" rx="6" fill="\(PlotStyle.background)" stroke="\(PlotStyle.frame)"/>
      \((heading + axes + curveElements + legend).joined(separator: "\n"))
      </svg>

      """
  }

  /// An HTML page with the picture.
  public var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(PlotText.escaped(title ?? metric))</title>
    <style>
    :root { color-scheme: light dark }
    body { margin: 2rem auto; max-width: \(PlotPath.number(PlotLayout.width))px; padding: 0 1rem }
    svg { display: block; width: 100%; height: auto }
    </style>
    </head>
    <body>
    \(svg)</body>
    </html>

    """
  }

  /// The picture in words, for people who cannot see it.
  private var summary: String {
    "\(metric) over \(layout.unit.label): "
      + zip(curves, layout.legend).map { "\($0.name) ends at \($1.value)" }.joined(separator: "; ")
  }

  private var heading: [String] {
    layout.titleLines.enumerated().map { index, line in
      text(line, x: PlotLayout.margin, y: 32 + Double(index) * 22, size: 17, weight: 600)
    }
      + layout.subtitleLines.enumerated().map { index, line in
        text(line, x: PlotLayout.margin, y: layout.subtitleTop + Double(index) * 17, size: 12, fill: PlotStyle.faint)
      }
  }

  private var axes: [String] {
    let frame = layout.frame
    let grid = layout.y.ticks.flatMap { tick in
      let y = frame.y(layout.y.position(of: tick.value))
      return [
        line(frame.left, y, frame.right, y, PlotStyle.grid),
        text(tick.label, x: frame.left - 8, y: y + 4, size: 12, fill: PlotStyle.faint, anchor: "end"),
      ]
    }
    let ticks = layout.x.ticks.flatMap { tick in
      let x = frame.x(layout.x.position(of: tick.value))
      return [
        line(x, frame.top, x, frame.bottom, PlotStyle.grid), line(x, frame.bottom, x, frame.bottom + 5, PlotStyle.axis),
        text(tick.label, x: x, y: frame.bottom + 20, size: 12, fill: PlotStyle.faint, anchor: "middle"),
      ]
    }
    return grid + ticks + [
      line(frame.left, frame.bottom, frame.right, frame.bottom, PlotStyle.axis),
      text(
        layout.unit.label, x: (frame.left + frame.right) / 2, y: frame.bottom + 42, size: 13, anchor: "middle"),
    ]
  }

  /// The SVG elements of the curves. Bands come first, so that they cover no line.
  private var curveElements: [String] {
    let styled = curves.enumerated().map { (curve: $1, style: PlotStyle(index: $0)) }
    return styled.compactMap { band(of: $0.curve, $0.style) } + styled.compactMap { rawLine(of: $0.curve, $0.style) }
      + styled.flatMap { line(of: $0.curve, $0.style) }
  }

  private func place(_ x: Double, _ y: Double) -> PlotPath.Place {
    PlotPath.Place(x: layout.frame.x(layout.x.position(of: x)), y: layout.frame.y(layout.y.position(of: y)))
  }

  private func band(of curve: LearningCurve, _ style: PlotStyle) -> String? {
    let points = curve.points.filter { $0.band != nil }
    guard points.count > 1 else { return nil }
    let upper = points.map { place($0.x, $0.band?.upperBound ?? $0.y) }
    let lower = points.map { place($0.x, $0.band?.lowerBound ?? $0.y) }
    let area = PlotPath.area(PlotPath.thinned(upper), PlotPath.thinned(lower))
    return #"<path d="\#(area)" fill="\#(style.colour)" fill-opacity="0.15"/>"#
  }

  private func rawLine(of curve: LearningCurve, _ style: PlotStyle) -> String? {
    guard curve.raw.count > 1 else { return nil }
    let path = PlotPath.line(PlotPath.thinned(curve.raw.map { place($0.x, $0.y) }))
    return #"<path d="\#(path)" fill="none" stroke="\#(style.colour)" stroke-opacity="0.25"/>"#
  }

  /// The line of a curve, and its points if they are few enough to count.
  private func line(of curve: LearningCurve, _ style: PlotStyle) -> [String] {
    let places = curve.points.map { place($0.x, $0.y) }
    let path = PlotPath.line(PlotPath.thinned(places))
    let name = PlotText.escaped(curve.name)
    let stroke = #"fill="none" stroke="\#(style.colour)" stroke-width="2" stroke-linejoin="round""#
    let line = #"<path d="\#(path)" \#(stroke) stroke-dasharray="\#(style.dash)"><title>\#(name)</title></path>"#
    let marks = places.count <= 25 ? places : places.suffix(1)
    return (places.count > 1 ? [line] : [])
      + marks.map { mark in
        let (x, y) = (PlotPath.number(mark.x), PlotPath.number(mark.y))
        return #"<circle cx="\#(x)" cy="\#(y)" r="3" fill="\#(style.colour)"/>"#
      }
  }

  private var legend: [String] {
    layout.legend.enumerated().flatMap { index, entry in
      let style = PlotStyle(index: index)
      let swatch =
        #"<path d="M\#(PlotPath.number(entry.x)) \#(PlotPath.number(entry.y - 4))h34" stroke="\#(style.colour)" "#
        + #"stroke-width="3" stroke-dasharray="\#(style.dash)"/>"#
      return [
        swatch, text(entry.name, x: entry.x + 42, y: entry.y, size: 13),
        text(entry.value, x: entry.valueEnd, y: entry.y, size: 13, weight: 600, anchor: "end"),
      ]
    }
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String) -> String {
    let path = PlotPath.line([PlotPath.Place(x: x1, y: y1), PlotPath.Place(x: x2, y: y2)])
    return #"<path d="\#(path)" stroke="\#(colour)"/>"#
  }

  private func text(
    _ content: String, x: Double, y: Double, size: Double, fill: String = PlotStyle.text, weight: Int = 400,
    anchor: String = "start"
  ) -> String {
    let place = #"x="\#(PlotPath.number(x))" y="\#(PlotPath.number(y))" font-size="\#(PlotPath.number(size))""#
    return #"<text \#(place) fill="\#(fill)" font-weight="\#(weight)" text-anchor="\#(anchor)">"#
      + PlotText.escaped(content) + "</text>"
  }
}

/// The colour and dashes of a curve. The colours can be told apart on white with the usual forms of colour blindness
/// (Okabe & Ito 2008, without their yellow). The dashes tell curves apart without colour.
struct PlotStyle: Hashable, Sendable {
  let colour: String
  /// The value of SVG's `stroke-dasharray`.
  let dash: String

  private static let colours = ["#0072b2", "#d55e00", "#009e73", "#b4457e", "#000000", "#56a0d3", "#b07c00"]
  private static let dashes = ["none", "9 4", "2 3", "12 3 2 3", "5 2"]

  /// The style of curve number `index`. The first 35 are all different.
  init(index: Int) {
    colour = Self.colours[index % Self.colours.count]
    dash = Self.dashes[index % Self.dashes.count]
  }

  static let background = "#ffffff"
  static let frame = "#d0d7de"
  static let grid = "#e6e9ed"
  static let axis = "#6e7781"
  static let text = "#1f2328"
  static let faint = "#57606a"
  static let fonts = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"
}
