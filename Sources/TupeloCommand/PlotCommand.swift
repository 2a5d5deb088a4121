public import ArgumentParser
internal import TupeloTraining
internal import TupeloRuns

struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draws the learning curves of runs into one picture.",
    discussion: """
      The picture needs nothing from outside and reads on light and dark pages. Bands are what the runs have recorded \
      (the 95% interval of an evaluation), or with --group one standard deviation between runs.
      """)

  @Argument(help: "Run folders, or their metrics.jsonl.", completion: .directory)
  var runs: [String]

  @Option(
    name: .shortAndLong, help: "Where the picture goes: .svg or .html; - for standard output, as SVG.",
    completion: .file(extensions: ["svg", "html"]))
  var output = "curves.svg"

  @Option(name: .long, help: "What to draw, by its tag.")
  var metric = Metric.rolloutScoreMean.tag

  @Option(name: .long, help: "The horizontal axis: games, moves or seconds of training.")
  var x = LearningCurve.Axis.games

  @Option(name: .long, help: "Mean of so many records around each.")
  var smooth = 1

  @Option(name: .long, help: "Title (default: the metric).")
  var title: String?

  @Flag(name: .long, help: "One curve per name of a run: the mean over runs that differ in their seed.")
  var group = false

  @OptionGroup var force: ForceOption

  func validate() throws {
    guard (1...1_000_000).contains(smooth) else {
      throw ValidationError("--smooth is \(smooth): give 1 to 1000000")
    }
    guard output == "-" || PlotDrawing.Format(path: output) != nil else {
      throw ValidationError("--output is \(output): give a name that ends in .svg or .html")
    }
  }

  func run() throws {
    if output != "-" { _ = try OutputFile(output, for: .picture, force: force.force) }
    let runs = try runs.map { try PlotRun(path: $0) }
    let curves =
      group
      ? try PlotRun.groupedCurves(of: runs, metric: metric, axis: x)
      : try PlotRun.curves(of: runs, metric: metric, axis: x)
    let drawing = PlotDrawing(
      curves.map { $0.smoothed(over: smooth) }, metric: metric, axis: x, title: title, notes: notes(on: curves))
    guard output != "-", let format = PlotDrawing.Format(path: output) else { return Terminal.write(drawing.svg) }
    try drawing.write(to: output, as: format)
    Terminal.line("saved \(output)")
  }

  private func notes(on curves: [LearningCurve]) -> [String] {
    let hasBands = curves.contains { $0.points.contains { $0.band != nil } }
    let band = group ? "band: one standard deviation between runs" : "band: 95% interval"
    return (smooth > 1 ? ["mean of \(smooth) records around each"] : []) + (hasBands ? [band] : [])
  }
}

extension LearningCurve.Axis: ExpressibleByArgument {}
