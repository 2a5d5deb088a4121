package import TupeloConfiguration
public import TupeloEngine
public import TupeloModels
public import TupeloSearch

/// Measures an agent of 2048 by playing many games.
///
/// Game k draws its tiles from a stream that depends on `seed` and k alone. So the result does not depend on the number
/// of threads. `GameSeries` plays such games of any kind.
public struct Evaluation: Sendable {
  public var games: Int
  public var seed: UInt64
  public var threads: Int
  public var rules: Rules

  public init(games: Int, seed: UInt64, threads: Int, rules: Rules = .standard) {
    self.games = games
    self.seed = seed
    self.threads = threads
    self.rules = rules
  }

  /// Plays all games.
  ///
  /// - Parameters:
  ///   - shouldStop: called before each game, from any thread; when it returns true, games that have not begun are left
  ///     out of the report
  ///   - cancellation: once it is set, games in progress are abandoned, too; see `GameSeries`
  ///   - onGame: called after each game with the number of finished games, from any thread
  ///   - makeAgent: called once per thread
  /// - Returns: the report; `nil` when no game was finished.
  /// - Throws: the error of `makeAgent`.
  public func run<A: Agent, E: Error>(
    shouldStop: @escaping @Sendable () -> Bool = { false }, cancellation: SearchCancellation = SearchCancellation(),
    onGame: @escaping @Sendable (Int) -> Void = { _ in }, makeAgent: @Sendable () throws(E) -> A
  ) throws(E) -> EvaluationReport? {
    try series.run(shouldStop: shouldStop, cancellation: cancellation, onGame: onGame) { () throws(E) in
      BoardPlayer(try makeAgent(), rules: rules)
    }
  }

  /// Plays some of the games, such as those of one shard, and returns the result of each; see `GameSeries`.
  public func results<A: Agent, E: Error>(
    of numbers: GameNumbers, shouldStop: @escaping @Sendable () -> Bool = { false },
    cancellation: SearchCancellation = SearchCancellation(), onGame: @escaping @Sendable (Int) -> Void = { _ in },
    makeAgent: @Sendable () throws(E) -> A
  ) throws(E) -> [Int: GameResult] {
    try series.results(
      of: numbers, shouldStop: shouldStop, cancellation: cancellation, onGame: onGame
    ) { () throws(E) in BoardPlayer(try makeAgent(), rules: rules) }
  }

  private var series: GameSeries { GameSeries(.board(rules), games: games, seed: seed, threads: threads) }

  /// Plays game number `game`.
  public func play(game: Int, by agent: inout some Agent) -> GameResult {
    var player = BoardPlayer(agent, rules: rules)
    defer { agent = player.agent }
    return player.play(game: game, seed: seed)
  }

  /// Plays game number `game` and returns its record.
  public func record(game: Int, by agent: inout some Agent, name: String, model: String?) -> GameRecord {
    var player = BoardPlayer(agent, rules: rules)
    defer { agent = player.agent }
    return player.gameRecord(of: game, seed: seed, name: name, model: model)
  }
}

extension RunConfiguration {
  /// The player with a model of this configuration's game: expectimax to `evaluation.plies` in 2048, greedy play in
  /// Set.
  package func contender(_ model: TrainedModel) -> Contender {
    model.base.contender(rules: gameRules, plies: evaluation.plies)
  }
}
