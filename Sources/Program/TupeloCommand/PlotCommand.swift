public import ArgumentParser
internal import TupeloBase
internal import TupeloReports
internal import TupeloTraining
internal import TupeloRuns

struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draws the learning curves of runs into one picture.",
    usage: "tupelo plot [<runs> ...] [<options>]",
    discussion: """
      A folder of several runs, such as the folder of a sweep, stands for all of them. With --group there is one curve \
      for each variant: the mean over its seeds. A band shows the 95% interval of an evaluation, or with --group one \
      standard deviation between runs. The picture loads no other files, and it works on light and dark pages.

      Example:
        tupelo train --layout 17x4 --games 5k --output runs/curve
        tupelo plot runs/curve -o curve.svg
      """)

  @Argument(help: "Run folders, folders of runs, or metrics.jsonl files.", completion: .directory)
  var runs: [String] = []

  @Option(
    name: .shortAndLong, help: "The file to write, .svg or .html; - writes SVG to standard output.",
    completion: .file(extensions: ["svg", "html"]))
  var output = "curves.svg"

  @Option(
    name: .long, help: "What to draw, by its tag; see --list-metrics.", completion: .list(Metric.table.map(\.tag)))
  var metric = Metric.rolloutScoreMean.tag

  @Flag(name: .long, help: "Print the metrics that runs record, also numbers of a rule in the given runs, and exit.")
  var listMetrics = false

  @Option(name: .long, help: "The horizontal axis: games, moves or seconds of training.")
  var x = LearningCurve.Axis.games

  @Option(name: .long, help: "Draw the mean of this many records around each one.")
  var smooth = 1

  @Option(name: .long, help: "Title (default: the metric).")
  var title: String?

  @Flag(
    name: .long,
    help: "One curve per variant of a sweep, or per name of other runs: the mean over runs that differ in their seed.")
  var group = false

  @OptionGroup var force: ForceOption

  func validate() throws {
    guard !runs.isEmpty || listMetrics else { throw CommandEnd.wrong("Missing expected argument '<runs> ...'") }
    guard (1...1_000_000).contains(smooth) else {
      throw CommandEnd.wrong("--smooth is \(smooth): give 1 to 1000000")
    }
    guard output == "-" || PlotDrawing.Format(path: output) != nil else {
      throw CommandEnd.wrong("--output is \(output): give a name that ends in .svg or .html")
    }
  }

  func run() throws {
    if listMetrics { return Terminal.line((Self.metrics + (try ownMetrics())).joined(separator: "\n")) }
    if output != "-" { _ = try OutputFile(output, for: .picture, force: force.force) }
    let (runs, waiting) = try PlotRun.all(at: runs)
    for path in waiting { Terminal.note("\(path): has no record yet and is left out") }
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

  /// The tags with unit and meaning, at most 80 columns wide but for long meanings.
  private static var metrics: [String] {
    Metric.table.map { "\($0.tag) (\($0.unit.rawValue))\n    \($0.meaning)" }
  }

  /// The tags that the given runs have and the table does not, such as `own/mean_rate`.
  private func ownMetrics() throws -> [String] {
    var tags: Set<String> = []
    for run in try PlotRun.all(at: runs).runs {
      try run.file.forEach { tags.formUnion($0.values.keys.filter { Metric.named($0) == nil }) }
    }
    return tags.sorted().map { "\(Spelling.printable($0))\n    a number that the program of the run defines" }
  }

  private func notes(on curves: [LearningCurve]) -> [String] {
    let hasBands = curves.contains { $0.points.contains { $0.band != nil } }
    let band = group ? "band: one standard deviation between runs" : "band: 95% interval"
    return (smooth > 1 ? ["mean of \(smooth) records around each"] : []) + (hasBands ? [band] : [])
  }
}

extension LearningCurve.Axis: ExpressibleByArgument {}
