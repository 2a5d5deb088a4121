internal import ArgumentParser
internal import Foundation
internal import TupeloEngine
internal import TupeloReports
internal import TupeloSearch
internal import TupeloTraining

struct ArenaCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "arena",
    abstract: "Compares the scores of several agents, over many games of each.",
    usage: "tupelo arena <players> ... [<options>]",
    discussion: """
      A player is an agent, such as greedy, or a model and an agent with @ between them, such as \
      "models/small@expectimax(plies: 2)". A model alone plays greedily. --model names the model for agents without \
      one. tupelo help agents lists all agents with their settings.

      The table has the difference of each average score to the average of the first player, with a 95% interval by \
      Welch's t. The verdict is "higher" or "lower" when the interval does not contain zero, "within 1%" when the \
      whole interval is within 1% of the first average, and "underpowered" otherwise: more games are needed then. The \
      last line is the minimum detectable difference: four of five such comparisons find a true difference of this \
      size.

      All players use the same seeds, so a comparison can be repeated. Their games are alike only until the first move \
      that differs, so scores are not compared in pairs. Under mpirun, the processes divide the games among \
      themselves, and the first process prints the result.

      Example:
        tupelo arena greedy "expectimax(plies: 2)" --model models/small --games 20
      """)

  @Argument(help: "The players, at least one.")
  var players: [String]

  @Option(
    name: .long, help: "The model for players that name no model: file, checkpoint or run folder.",
    completion: .models)
  var model: String?

  @Option(name: [.customLong("games")], help: "Games of each player, such as 100 or 1k.")
  var gameCount = Count(100)

  private var games: Int { gameCount.value }

  @OptionGroup var chance: SeriesOptions

  @OptionGroup var choice: GameOption

  @OptionGroup var spawn: SpawnOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard games >= 1 else { throw CommandEnd.wrong("--games is \(games): give at least 1") }
  }

  func plan(for job: Job) throws -> Table? {
    // The players are checked here and not in `validate`: the parser validates before it reports an unknown option,
    // whose value would be taken for a player.
    if let model, try players.allSatisfy({ try ArenaPlayer(text: $0, model: nil).path != nil }) {
      throw CommandEnd.wrong("--model is \(model), and every player names a model of its own: leave it out")
    }
    let named = try players.map { try ArenaPlayer(text: $0, model: model) }
    var loader = try Entrants(
      game: choice.game, agents: named.map(\.agent), paths: named.compactMap(\.path), spawn: spawn)
    let entrants = try named.map { try loader.entrant($0.agent, path: $0.path) }
    let rules = Set(entrants.map(\.rules))
    guard let rule = rules.first, rules.count == 1 else {
      throw CommandEnd.failure(
        "the players are for \(rules.map(\.base.playground).sorted().joined(separator: " and ")): choose one")
    }
    return Table(entrants: entrants, rules: rule)
  }

  /// The players, and the rules that all of them play by.
  struct Table {
    let entrants: [Entrant]
    let rules: GameRules
  }

  func facts(of table: Table) -> [(name: String, value: String)] {
    let players = table.entrants.enumerated().flatMap { number, entrant in
      [
        ("the agent of player \(number + 1)", entrant.agent),
        ("the model of player \(number + 1)", entrant.model?.identity ?? "none"),
      ]
    }
    return chance.facts(games, of: table.rules) + [("the number of players", "\(table.entrants.count)")] + players
  }

  private typealias Played = (results: [Int: GameResult], seconds: Double)

  func carryOut(_ table: Table, with job: Job) throws {
    if !json { for note in Set(table.entrants.compactMap(\.note)).sorted() { Terminal.line(note) } }
    let series = try chance.games(games, of: table.rules, processors: job.processors)
    let played = try table.entrants.enumerated().map { index, entrant in
      try job.play(
        series, "player \(index + 1) of \(table.entrants.count), \(players[index])", makePlayer: entrant.makePlayer)
    }
    try job.first {
      let standings = try standings(of: played, series.rules)
      Terminal.line(
        json ? try Standing.json(standings, seed: series.seed) : Standing.table(standings, seed: series.seed))
      if standings.contains(where: { $0.games < games }) {
        throw CommandEnd.stopped("stopped before all had played \(Format.counted(games, "game"))")
      }
    }
  }

  private func standings(of results: [Played], _ rules: GameRules) throws -> [Standing] {
    var standings: [Standing] = []
    for (player, played) in zip(players, results) {
      let standing = Standing(
        player: player, game: rules.game, results: played.results, first: standings.first,
        seconds: played.seconds)
      if let standing { standings.append(standing) }
    }
    guard standings.count == players.count else { throw CommandEnd.stopped("stopped before each had finished a game") }
    return standings
  }
}

/// A player as named on the command line.
struct ArenaPlayer {
  let path: String?
  let agent: NamedPlayer

  /// - Parameters:
  ///   - text: an agent, or a path, `@` and an agent, or the path of a model that plays greedily
  ///   - model: the path for a text without one
  init(text: String, model: String?) throws {
    // A path alone names a model. The name of an agent means the agent, even when a file has that name.
    if !text.contains("@"), !CommandGames.all.contains(where: { $0.hasAgent(named: text) }),
      FileManager.default.fileExists(atPath: ShippedFile.found(text))
    {
      (path, agent) = (text, NamedPlayer(text: "greedy", option: text))
      return
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.last?.isEmpty == false else { throw CommandEnd.wrong("\(text): the agent after @ is missing") }
    if parts.count == 1, !text.contains("("), !CommandGames.all.contains(where: { $0.hasAgent(named: text) }) {
      // The word may be a configuration, or nearly the name of a model.
      let path = try ShippedModel.file(at: text)
      if path.contains("/") { throw CommandEnd.failure("\(text): there is no such model: check the path") }
    }
    agent = NamedPlayer(text: String(parts[parts.count - 1]), option: text)
    try agent.validate()
    let own = parts.dropLast().joined(separator: "@")
    guard parts.count == 1 || !own.isEmpty else {
      throw CommandEnd.wrong("\(text): the model before @ is missing")
    }
    // An agent that does not use the model still takes the board's shape from it.
    path = parts.count > 1 ? own : model
  }
}
