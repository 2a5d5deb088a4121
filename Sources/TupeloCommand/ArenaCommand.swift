internal import ArgumentParser
internal import Foundation
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

struct ArenaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "arena",
    abstract: "Compares agents on the same games.",
    discussion: """
      Each player is an agent, or a model and an agent with @ between them; a model alone plays greedily:
        tupelo arena greedy "expectimax(plies: 2)" --model MODEL
        tupelo arena a.safetensors b.safetensors "b.safetensors@expectimax(plies: 2)"
      All play games with the same seeds. The last column is the average difference to the first player, game by game. \
      All agents and their settings: tupelo help agents.
      """)

  @Argument(help: "The players, at least one.")
  var players: [String]

  @Option(
    name: .long, help: "The model of the players that name none: file, checkpoint or run folder.",
    completion: .file(extensions: ["safetensors"]))
  var model: String?

  @Option(name: [.customLong("games")], help: "Games that each plays, such as 100 or 1k.")
  var gameCount = Count(100)

  private var games: Int { gameCount.value }

  @Option(name: .long, help: "Random seed.")
  var seed: UInt64 = 1_000_003

  @Option(name: .long, help: "Threads (default: all cores).")
  var threads: Int?

  @OptionGroup var spawn: SpawnOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard games >= 1 else { throw ValidationError("--games is \(games): give at least 1") }
    if let threads, !(1...1024).contains(threads) {
      throw ValidationError("--threads is \(threads): give 1 to 1024")
    }
    let named = try players.map { try ArenaPlayer(text: $0, model: nil) }
    if let model, named.allSatisfy({ $0.path != nil }) {
      throw ValidationError("--model is \(model), and every player names a model of its own: leave it out")
    }
  }

  func run() throws {
    let interrupt = Interrupt()
    var models: [String: BoardModel] = [:]
    let contestants = try players.map { text in
      let player = try ArenaPlayer(text: text, model: model)
      return try Contestant(player.specification, path: player.path) { path in
        // Each model is loaded once, however many play by it.
        let loaded = try models[path] ?? BoardModel(path: path)
        models[path] = loaded
        return loaded
      }
    }
    if !json { for note in Set(contestants.compactMap(\.note)).sorted() { Terminal.line(note) } }
    let shapes = Set(contestants.map(\.shape))
    guard let shape = shapes.first, shapes.count == 1 else {
      throw CommandFailure(
        "the players are for boards of \(shapes.map(\.description).sorted().joined(separator: " and ")): choose one")
    }
    let rules = try spawn.rules(shape: shape)
    let evaluation = Evaluation(
      games: games, seed: seed, threads: threads ?? ProcessInfo.processInfo.activeProcessorCount, rules: rules)
    let standings = try play(contestants, evaluation, interrupt: interrupt)
    Terminal.line(json ? try Standing.json(standings, seed: seed) : Standing.table(standings, seed: seed))
    if standings.contains(where: { $0.games < games }) {
      throw Stopped("stopped before all had played \(Format.counted(games, "game"))")
    }
  }

  private func play(
    _ contestants: [Contestant], _ evaluation: Evaluation, interrupt: Interrupt
  ) throws -> [Standing] {
    var results: [(results: [Int: GameResult], seconds: Double)] = []
    for (index, contestant) in contestants.enumerated() {
      let progress = Progress.Counted("player \(index + 1) of \(contestants.count), \(players[index])", of: games)
      let start = ContinuousClock.now
      let played = evaluation.results(
        of: stride(from: 0, to: games, by: 1), shouldStop: { interrupt.isRequested },
        onGame: { progress.show($0) }, makeAgent: { contestant.makeAgent(rules: evaluation.rules) })
      progress.finish()
      results.append((played, (ContinuousClock.now - start) / .seconds(1)))
    }
    let standings = zip(players, results).compactMap {
      Standing(player: $0, results: $1.results, first: results[0].results, seconds: $1.seconds)
    }
    guard standings.count == players.count else { throw Stopped("stopped before each had finished a game") }
    return standings
  }
}

/// A player as named on the command line.
struct ArenaPlayer {
  let path: String?
  let specification: AgentSpecification

  /// - Parameters:
  ///   - text: an agent, or a path, `@` and an agent, or the path of a model that plays greedily
  ///   - model: the path for a text without one
  init(text: String, model: String?) throws {
    // The path of a model alone. The name of an agent means the agent, also where a file has that name.
    if !text.contains("@"), AgentName(rawValue: text) == nil, FileManager.default.fileExists(atPath: text) {
      (path, specification) = (text, AgentSpecification(.greedy))
      return
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let agent = String(parts[parts.count - 1])
    specification = try AgentOptions.specification(agent, option: text)
    let own = parts.dropLast().joined(separator: "@")
    guard parts.count == 1 || !own.isEmpty else {
      throw ValidationError("\(text): the model before @ is missing")
    }
    // An agent that does not use the model still takes the board's shape from it.
    path = parts.count > 1 ? own : model
  }
}

/// The result of a player in an arena.
struct Standing {
  let player: String
  let games: Int
  let score: MeanEstimate
  /// The mean difference to the first player, over the games that both finished; `nil` when there is none.
  let difference: MeanEstimate?
  /// The share of games that reached 2048, in 0...1.
  let reached2048: Double
  let movesPerSecond: Double

  /// The result from a player's games; `nil` without results.
  init?(player: String, results: [Int: GameResult], first: [Int: GameResult], seconds: Double) {
    let numbers = results.keys.sorted()
    guard let score = MeanEstimate(of: numbers.compactMap { results[$0].map { Double($0.score) } }) else { return nil }
    self.player = player
    self.score = score
    games = numbers.count
    difference = MeanEstimate(
      of: numbers.compactMap { number in
        guard let mine = results[number], let other = first[number] else { return nil }
        return Double(mine.score - other.score)
      })
    reached2048 = Double(results.values.count { $0.outcome >= 11 }) / Double(games)
    let moves = results.values.reduce(0) { $0 + $1.moves }
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }

  /// The standings for people, as wide as a terminal: a name that leaves no room for its numbers has a line of its own.
  static func table(_ standings: [Standing], seed: UInt64, width: Int = Terminal.columns) -> String {
    let isEven = Set(standings.map(\.games)).count == 1
    let games = standings.first.map { Format.counted($0.games, "game") } ?? ""
    let title = "\(isEven ? "\(games) each, " : "")seed \(seed); differences to the first player"
    let head = ["player"] + (isEven ? [] : ["games"]) + ["average (95%)", "2048", "moves/s", "difference (95%)"]
    let rows = standings.enumerated().map { index, standing in
      [standing.player] + (isEven ? [] : [Format.grouped(standing.games)]) + [
        text(standing.score), Format.percent(standing.reached2048), Format.grouped(standing.movesPerSecond),
        index == 0 ? "" : standing.difference.map { text($0) } ?? "?",
      ]
    }
    var widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    let room = max(width - widths.dropFirst().reduce(0) { $0 + $1 + 2 }, head[0].count)
    widths[0] = min(widths[0], room)
    return ([title] + ([head] + rows).flatMap { lines($0, widths) }).joined(separator: "\n")
  }

  /// A row of the table, with the first cell above the others where it does not fit beside them.
  private static func lines(_ cells: [String], _ widths: [Int]) -> [String] {
    let isLong = cells[0].count > widths[0]
    let first = Format.padded(isLong ? "" : cells[0], to: widths[0])
    let numbers = zip(cells, widths).dropFirst().map { cell, width in
      String(repeating: " ", count: width - cell.count) + cell
    }
    let line = ([first] + numbers).joined(separator: "  ")
    let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
    return (isLong ? [cells[0]] : []) + [String(line[..<end])]
  }

  private static func text(_ estimate: MeanEstimate) -> String {
    "\(Format.grouped(estimate.mean)) ± \(estimate.margin.isFinite ? Format.grouped(estimate.margin) : "?")"
  }

  static func json(_ standings: [Standing], seed: UInt64) throws -> String {
    func fields(_ estimate: MeanEstimate?) -> Any {
      guard let estimate else { return NSNull() }
      return ["mean": estimate.mean, "margin_95": estimate.margin.isFinite ? estimate.margin as Any : NSNull()]
    }
    let players = standings.map { standing -> [String: Any] in
      [
        "player": standing.player, "games": standing.games, "score": fields(standing.score),
        "difference_to_first": fields(standing.difference), "reached_2048": standing.reached2048,
        "moves_per_second": standing.movesPerSecond,
      ]
    }
    let object: [String: Any] = ["seed": seed, "players": players]
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }
}
