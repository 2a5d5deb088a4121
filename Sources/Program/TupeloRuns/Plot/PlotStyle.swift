internal import TupeloTraining

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
