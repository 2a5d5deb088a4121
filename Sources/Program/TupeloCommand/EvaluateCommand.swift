internal import ArgumentParser
internal import Foundation
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloSearch
internal import TupeloTraining

struct EvaluateCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measures how well a model, or another agent, plays, over many games.",
    usage: "tupelo evaluate [<model>] [<options>]",
    discussion: """
      Prints the average score with its 95% interval, and how often each large tile was reached. tupelo arena \
      compares players, and names the smallest difference that so many games can show.

      The result depends on the model, the agent, the seed and the number of games, and not on the threads. An agent \
      with a time limit per move is the exception: it plays worse on a busy machine.

      Under mpirun, the processes divide the games among themselves, and the first process prints the result. In an \
      array job of Slurm or an indexed job of Kubernetes, --shard auto takes the number of the part from the \
      scheduler.

      Example:
        tupelo evaluate models/small --games 100
      """)

  @Argument(
    help: "Model file, checkpoint or run folder (default: the shipped model, or the heuristic when none is shipped).",
    completion: .models)
  var model: String?

  @Option(name: [.customLong("games")], help: "Games to play, such as 1000 or 10k.")
  var gameCount = Count(1000)

  private var games: Int { gameCount.value }

  @OptionGroup var player: AgentOptions

  @OptionGroup var choice: GameOption

  @OptionGroup var chance: SeriesOptions

  @OptionGroup var spawn: SpawnOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @Option(
    name: .customLong("shard"),
    help: ArgumentHelp(
      "Play only part i of n, and print the result of each game as JSON for tupelo merge; auto or auto/n takes i "
        + "from the scheduler.",
      valueName: "i/n"))
  var shardText: String?

  private func shard() throws -> ShardChoice? {
    try shardText.map { try ShardChoice($0, environment: ProcessInfo.processInfo.environment) }
  }

  func validate() throws {
    if let shard = try shard(), shard.count > games {
      throw CommandEnd.wrong(
        "--shard is \(shard.number)/\(shard.count), and --games is \(games): give at least \(shard.count)")
    }
    guard games >= 1 else { throw CommandEnd.wrong("--games is \(games): give at least 1") }
  }

  func plan(for job: Job) throws -> Entrant? {
    guard job.isAlone || shardText == nil else {
      throw CommandEnd.wrong("--shard is for independent processes: leave it out under mpirun")
    }
    var entrants = try Entrants(
      game: choice.game, agents: [player.named], paths: model.map { [$0] } ?? [], spawn: spawn)
    return try entrants.entrant(player.named, path: model)
  }

  func facts(of entrant: Entrant) -> [(name: String, value: String)] {
    chance.facts(games, of: entrant.rules)
      + [("the agent", entrant.agent), ("the model", entrant.model?.identity ?? "none")]
  }

  func carryOut(_ entrant: Entrant, with job: Job) throws {
    let series = try chance.games(games, of: entrant.rules, processors: job.processors)
    if let shard = try shard() { return try play(shard, entrant, series, interrupt: job.interrupt) }
    if !json { Terminal.line((entrant.note ?? entrant.title) + ", seed \(series.seed)") }
    let (results, seconds) = try job.play(series, "evaluating", makePlayer: entrant.makePlayer)
    try job.first {
      let ordered = results.sorted { $0.key < $1.key }.map(\.value)
      try show(EvaluationReport(results: ordered, rules: series.rules, seed: series.seed, seconds: seconds), entrant)
    }
  }

  /// Prints the report.
  private func show(_ report: EvaluationReport?, _ entrant: Entrant) throws {
    guard let report else { throw CommandEnd.stopped("stopped before a game was finished") }
    let isWhole = report.games == games
    // Hashes of large files and models take a second, so they are computed only when they are printed.
    Terminal.line(
      json ? report.json(of: try subject(entrant), gamesAsked: isWhole ? nil : games) : "\(report)")
    if !isWhole {
      throw CommandEnd.stopped("stopped after \(Format.grouped(report.games)) of \(Format.counted(games, "game"))")
    }
  }

  /// The player, file and rules of the evaluation.
  private func subject(_ entrant: Entrant) throws -> EvaluationSubject {
    EvaluationSubject(
      agent: entrant.agent, rules: entrant.rules, fingerprint: entrant.model?.description.fingerprint,
      model: entrant.model?.identity, checksum: try checksum())
  }

  private func checksum() throws -> String? {
    try model.map { try ModelFolder.checksum(ofFile: ShippedModel.file(at: $0)) }
  }

  private func play(_ shard: ShardChoice, _ entrant: Entrant, _ series: GameSeries, interrupt: Interrupt) throws {
    let header = EvaluationShard.Header(
      agent: entrant.agent, fingerprint: entrant.model?.description.fingerprint, model: entrant.model?.identity,
      checksum: try checksum(), games: games, seed: series.seed, shards: shard.count, rules: series.rules)
    let start = ContinuousClock.now
    let numbers = EvaluationShard.games(of: shard.number, shards: shard.count, games: games)
    let progress = Progress.Counted("evaluating", of: numbers.count)
    let results = try series.results(
      of: numbers, cancellation: interrupt.cancellation, onGame: { progress.show($0) },
      makePlayer: entrant.makePlayer)
    progress.finish()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard let shard = EvaluationShard(header, number: shard.number, results: results, seconds: seconds) else {
      throw CommandEnd.stopped("stopped before all games of the shard were finished: nothing is printed")
    }
    Terminal.line(shard.json)
  }
}

/// The rules of 2048 that a model file does not fix.
struct SpawnOptions: ParsableArguments {
  @Option(name: .long, help: "Probability that a new tile is a 4 (default: 0.1).")
  var fourProbability: Double?

  @Option(name: .long, help: "Tiles at the start (default: 2).")
  var startTiles: Int?

  func rules(shape: BoardShape) throws -> Rules {
    do {
      return try Rules(shape: shape, fourProbability: fourProbability ?? 0.1, startTiles: startTiles ?? 2)
    } catch RulesError.probabilityOutOfRange(let value) {
      throw CommandEnd.wrong("--four-probability is \(value): give 0 to 1; 0.1 is standard")
    } catch RulesError.startTilesOutOfRange(let count, let cells) {
      throw CommandEnd.wrong("--start-tiles is \(count): give 1 to \(cells - 1) on a board of \(cells) cells")
    }
  }

  /// - Throws: `CommandEnd.wrong` when an option is given that does not belong to the game.
  func refuse(for game: GameKind) throws {
    if fourProbability != nil { throw CommandEnd.wrong("--four-probability is about 2048, not \(game.title)") }
    if startTiles != nil { throw CommandEnd.wrong("--start-tiles is about 2048, not \(game.title)") }
  }
}
