internal import ArgumentParser
internal import TupeloBase
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Lists training runs by score, with the settings that differ.",
    usage: "tupelo runs [<folder>] [<options>]",
    discussion: """
      A run is a folder with metrics.jsonl. Folders within the folder are searched, too, so a folder of sweeps lists \
      the runs of all sweeps. The score is from the newest evaluation, with its 95% interval. An asterisk marks an \
      interim score: the run was not evaluated after its last game. A tilde marks a score that was measured after \
      fewer games than the run has played. The column "best" is the score of the weights in best.safetensors.

      Settings with the most values come first. Settings that do not fit the terminal are named below the table; \
      --csv and --json contain all of them, and with --all-keys every key. When a run cannot be read, the other runs \
      are listed, and the command fails.

      Example:
        tupelo train --layout 17x4 --games 2k
        tupelo runs runs
      """)

  @Argument(help: "The folder.", completion: .directory)
  var folder = "runs"

  @Flag(name: .long, help: "Print comma-separated values.")
  var csv = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @Flag(name: .long, help: "With --csv or --json: every key, not only those that differ.")
  var allKeys = false

  func validate() throws {
    guard csv || json || !allKeys else { throw CommandEnd.wrong("--all-keys is for --csv and --json: add one of them") }
    guard !csv || !json else { throw CommandEnd.wrong("--csv and --json are two forms of the list: give one of them") }
  }

  func run() throws {
    let list = try RunList(folder: folder, allKeys: allKeys)
    if csv {
      Terminal.line(list.csv)
    } else if json {
      Terminal.line(list.json)
    } else {
      show(list)
    }
    for problem in list.problems { Terminal.warning(Spelling.printable(problem, limit: 1000)) }
    if !list.problems.isEmpty { throw CommandEnd.told(.failure) }
  }

  private func show(_ list: RunList) {
    guard !list.runs.isEmpty else {
      return list.problems.isEmpty ? Terminal.line("no run (\(MetricsFile.name)) in \(folder)") : ()
    }
    let marks = list.runs.map(Self.marks)
    let width = marks.map(\.count).max() ?? 0
    let facts = ["run", "games", "score (95%)" + Self.column("", width: width), "best"]
    let settings = list.settingsByVariety
    let names = settings.map(ConfigurationKey.leaf)
    // The whole key, if its last word is also the last word of another column.
    let keys = zip(settings, names).map { key, name in (facts + names).count { $0 == name } == 1 ? name : key }
    let rows = zip(list.runs, marks).map { run, mark -> [String] in
      let score = Self.text(run) + Self.column(mark, width: width)
      let best = run.best.map { run.game.text(ofMean: $0.mean) } ?? "-"
      let values = settings.map { Spelling.printable(run.shortValue(of: $0) ?? "-", limit: 1000) }
      return [Spelling.printable(run.name, limit: 1000), Format.grouped(run.games), score, best] + values
    }
    let (lines, left) = ColumnTable(head: facts + keys, rows: rows).lines(width: Terminal.width)
    Terminal.line(lines.joined(separator: "\n"))
    if marks.contains(where: { $0.contains("*") }) { Terminal.line("* interim evaluation") }
    if marks.contains(where: { $0.contains("~") }) { Terminal.line("~ the run has trained since this evaluation") }
    guard !left.isEmpty else { return }
    let text = "no room for \(left.joined(separator: ", ")); --csv and --json have all"
    Terminal.line(Format.wrapped(text, width: Terminal.columns))
  }

  /// The score with its margin.
  private static func text(_ run: RunOverview) -> String {
    guard let score = run.score else { return "-" }
    let plies = score.value.kind.plies ?? 1
    return run.game.text(ofMean: score.value.mean, margin: score.value.margin) + (plies > 1 ? ", \(plies)-ply" : "")
  }

  /// A mark for an interim score, and one for a score of other training games than the run has.
  private static func marks(_ run: RunOverview) -> String {
    guard let score = run.score else { return "" }
    let isOlder = score.games.map { $0 != run.games } ?? false
    return (score.stage == .interim ? "*" : "") + (isOlder ? "~" : "")
  }

  /// Marks after a space, filled up to the width of the longest ones; empty where no score has a mark.
  private static func column(_ marks: String, width: Int) -> String {
    width == 0 ? "" : " " + marks + String(repeating: " ", count: width - marks.count)
  }
}
