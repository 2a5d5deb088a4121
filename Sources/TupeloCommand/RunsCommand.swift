internal import ArgumentParser
internal import PlainText
internal import TupeloRuns
internal import TupeloTraining

struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Lists training runs by score, with the settings in which they differ.",
    discussion: """
      A run is a folder with metrics.jsonl. Folders in the folder are searched too, so a folder of sweeps lists the \
      runs of all of them. The score is that of the newest evaluation, with its 95% interval; an asterisk marks an \
      interim one, of a run that was not evaluated after its last game. "best" is the score that best.safetensors \
      carries. Settings that do not fit the terminal are named below the table; --csv and --json have all of them.
        tupelo runs runs --csv > runs.csv
      Fails when a run cannot be read; the others are listed.
      """)

  @Argument(help: "The folder.", completion: .directory)
  var folder = "runs"

  @Flag(name: .long, help: "Print comma-separated values.")
  var csv = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !csv || !json else { throw ValidationError("--csv and --json are two forms of the list: give one of them") }
  }

  func run() throws {
    let list = try RunList(folder: folder)
    if csv {
      Terminal.line(list.csv)
    } else if json {
      Terminal.line(list.json)
    } else {
      show(list)
    }
    for problem in list.problems { Terminal.warning(Spelling.printable(problem, limit: 1000)) }
    if !list.problems.isEmpty { throw ExitCode.failure }
  }

  private func show(_ list: RunList) {
    guard !list.runs.isEmpty else {
      return list.problems.isEmpty ? Terminal.line("no run (\(MetricsFile.name)) in \(folder)") : ()
    }
    let isMixed = list.runs.contains { $0.score?.stage == .interim }
    let facts = ["run", "games", "score (95%)" + (isMixed ? "  " : ""), "best"]
    let names = list.settings.map(ConfigurationKey.leaf)
    // The whole key where its last word is also that of another column.
    let keys = zip(list.settings, names).map { key, name in (facts + names).count { $0 == name } == 1 ? name : key }
    let rows = list.runs.map { run in
      [
        Spelling.printable(run.name, limit: 1000), Format.grouped(run.games), Self.text(run, isMixed: isMixed),
        run.best.map { run.game.text(ofMean: $0.mean) } ?? "-",
      ] + list.settings.map { Spelling.printable(run.value(of: $0) ?? "-", limit: 1000) }
    }
    let (lines, left) = ColumnTable(head: facts + keys, rows: rows).lines(width: Terminal.width)
    Terminal.line(lines.joined(separator: "\n"))
    if isMixed { Terminal.line("* interim evaluation") }
    guard !left.isEmpty else { return }
    let text = "no room for \(left.joined(separator: ", ")); --csv and --json have all"
    Terminal.line(Format.wrapped(text, width: Terminal.columns))
  }

  /// The score with its margin, and a mark for an interim one.
  private static func text(_ run: RunOverview, isMixed: Bool) -> String {
    guard let score = run.score else { return "-" + (isMixed ? "  " : "") }
    return run.game.text(ofMean: score.value.mean)
      + (score.value.margin.map { " ± " + run.game.text(ofMean: $0) } ?? "")
      + (isMixed ? score.stage == .interim ? " *" : "  " : "")
  }
}
