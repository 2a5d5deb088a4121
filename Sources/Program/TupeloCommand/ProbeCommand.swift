internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloSearch
internal import TupeloTraining

struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Measures how often a player makes the next tile on recorded boards.",
    usage: "tupelo probe [<model>] [<options>]",
    discussion: """
      It measures play at the end of the game. The boards are of three kinds: 16384 is the largest tile; 8192 stands \
      beside it; 4096 stands beside both. Each board was recorded when a game first became one of its kind. The \
      player continues from each board in turn, and the new tiles differ each time.

      Two rates are printed for each kind, with 95% intervals (Wilson). The first is how often the next tile is made: \
      half of the smallest tile of the kind, such as 8192 on a board with 16384. The second is how often 32768 is \
      made. The intervals describe the chance of the games from these boards.

      The result depends on the model, the agent, the boards, the seed and the number of games, and not on the \
      threads. An agent with a time limit per move is the exception: it plays worse on a busy machine. --record makes \
      another file of boards, with a largest tile given by --tile.

      Example:
        tupelo probe models/small --games 100
      """)

  @Argument(
    help: "Model file, checkpoint or run folder (default: the shipped model, or the heuristic when none is shipped).",
    completion: .models)
  var model: String?

  @Option(
    name: .long, help: ArgumentHelp("The boards (default: models/probe/boards.txt).", valueName: "file"),
    completion: .file())
  var boards: String?

  @Option(name: .long, help: ArgumentHelp("Record boards into this file.", valueName: "file"), completion: .file())
  var record: String?

  @Option(
    name: [.customLong("games")],
    help: "Games from each kind of board (default: 1000); with --record, the most games to play (default: 10k).")
  var gameCount: Count?

  private var games: Int { gameCount?.value ?? (record == nil ? 1000 : 10_000) }

  @Option(name: .long, help: "With --record: the largest tile of the boards (default: 16384).")
  var tile: Int?

  @Option(
    name: .customLong("each"), help: ArgumentHelp("With --record: boards of each kind (default: 150).", valueName: "n"))
  var each: Int?

  @OptionGroup var player: AgentOptions

  @OptionGroup var chance: SeriesOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var force: ForceOption

  func validate() throws {
    guard (1...1_000_000_000).contains(games) else {
      throw CommandEnd.wrong("--games is \(games): give 1 to 1000000000")
    }
    if let each, !(1...1_000_000).contains(each) { throw CommandEnd.wrong("--each is \(each): give 1 to 1000000") }
    if record == nil {
      if tile != nil || each != nil { throw CommandEnd.wrong("--tile and --each go with --record: leave them out") }
    } else if boards != nil || json {
      throw CommandEnd.wrong("--record makes a file of boards: leave --boards and --json out")
    }
  }

  func run() throws {
    try ThreadLimit.check(workers: threadCount)
    let interrupt = Interrupt()
    if let record {
      try recordBoards(to: OutputFile(record, for: .boards, force: force.force), interrupt)
    } else {
      try probe(interrupt)
    }
  }

  private var threadCount: Int { chance.threads ?? Processors.count }

  // MARK: Probing

  private func probe(_ interrupt: Interrupt) throws {
    guard let path = boards ?? ProbeFile.shipped else {
      throw CommandEnd.failure(
        "\(ProbeFile.shippedName) is not there: name boards with --boards, or record some with --record")
    }
    let boards = try ProbeFile.read(from: path)
    let rules = boards.header.rules
    let contestant = try Contestant(player.specification(), path: model)
    try contestant.require(rules.shape, of: path)
    let probe = Probe(boards, games: games, seed: chance.seed, threads: threadCount)
    if !json {
      Terminal.line((contestant.note ?? contestant.title) + ", seed \(chance.seed)")
      Terminal.line(Format.wrapped("boards of \(ProbeFile.title(of: path)), \(Self.origin(of: boards.header))"))
    }
    let progress = Progress.Counted("probing", of: probe.gameCount)
    let report = try probe.run(
      cancellation: interrupt.cancellation, onGame: { progress.show($0) },
      makeAgent: { try contestant.makeAgent(rules: rules) })
    progress.finish()
    guard let report else { throw CommandEnd.stopped("stopped before a game was finished") }
    let isWhole = report.games == probe.gameCount
    Terminal.line(json ? try self.json(report, contestant, boards, path, isWhole ? nil : probe.gameCount) : "\(report)")
    if !isWhole {
      throw CommandEnd.stopped(
        "stopped after \(Format.grouped(report.games)) of \(Format.counted(probe.gameCount, "game"))")
    }
  }

  private func json(
    _ report: ProbeReport, _ contestant: Contestant<AgentSpecification>, _ boards: ProbeBoards, _ path: String,
    _ gamesAsked: Int?
  ) throws -> String {
    let subject = EvaluationSubject(
      agent: "\(contestant.specification)", rules: .board(boards.header.rules),
      fingerprint: contestant.trained?.description.fingerprint,
      model: contestant.trained?.identity,
      checksum: try model.map { try ModelFolder.checksum(ofFile: ShippedModel.file(at: $0)) })
    return report.json(
      of: subject, boards: (boards.header, try ModelFolder.checksum(ofFile: path)), gamesAsked: gamesAsked)
  }

  private static func origin(of header: ProbeBoards.Header) -> String {
    "from games of \(header.agent)" + (header.model.map { " by model \($0)" } ?? "") + ", seed \(header.seed)"
  }

  // MARK: Recording

  private func recordBoards(to output: OutputFile, _ interrupt: Interrupt) throws {
    let contestant = try Contestant(player.specification(), path: model)
    let rules = try Rules(shape: contestant.shape)
    let (tile, each) = (tile ?? 16_384, each ?? 150)
    guard let exponents = ProbeGroup.exponents(rules) else {
      throw CommandEnd.failure(
        "a board of \(rules.shape) is too small to make its next tiles by merges: name a model of a larger board")
    }
    guard let largest = exponents.first(where: { 1 << $0 == tile }) else {
      let range = "\(1 << exponents.lowerBound) to \(1 << exponents.upperBound)"
      throw CommandEnd.wrong("--tile is \(tile): give a power of two from \(range) on \(rules.shape)")
    }
    let header = ProbeBoards.Header(
      rules: rules, largest: largest, agent: "\(contestant.specification)", model: contestant.trained?.identity,
      seed: chance.seed)
    Terminal.line((contestant.note ?? contestant.title) + ", seed \(chance.seed)")
    let progress = Progress.Counted("recording", of: each, unit: "boards")
    let boards = try ProbeRecorder(header, boards: each, games: games, threads: threadCount).run(
      cancellation: interrupt.cancellation, onBoards: { progress.show($0) },
      makeAgent: { try contestant.makeAgent(rules: rules) })
    progress.finish()
    if interrupt.isRequested { throw CommandEnd.stopped("stopped before all boards were found: nothing is written") }
    guard !boards.entries[0].isEmpty else {
      throw CommandEnd.failure(
        "\(output.path): not written: none of \(Format.counted(games, "game")) reached \(tile): give a smaller --tile, "
          + "more --games or a stronger player")
    }
    try ProbeFile.write(boards, to: output.path)
    for (group, entries) in zip(boards.groups, boards.entries) {
      Terminal.line("\(group.title): \(Format.counted(entries.count, "board"))")
    }
    Terminal.line("saved \(output.path)")
    if boards.entries.contains(where: { $0.count < each }) {
      Terminal.warning("fewer than \(each) boards of a kind in \(Format.counted(games, "game")): give more --games")
    }
  }
}
