internal import Dispatch
internal import Threads
public import TupeloEngine
public import TupeloSearch

/// Measures an agent by playing many games.
///
/// Game k draws its tiles from a stream that depends on `seed` and k alone. So the result is the same for any number of
/// threads.
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
  ///   - onGame: called after each game with the number of finished games, from any thread
  ///   - makeAgent: called once per thread
  /// - Returns: the report; `nil` when no game was finished.
  public func run<A: Agent>(
    shouldStop: @Sendable () -> Bool = { false }, onGame: @Sendable (Int) -> Void = { _ in },
    makeAgent: @Sendable () -> A
  ) -> EvaluationReport? {
    let next = Counter()
    let done = Counter()
    let results = Locked<[(game: Int, result: GameResult)]>([])
    let clock = ContinuousClock()
    let start = clock.now
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, games))) { _ in
      var agent = makeAgent()
      var mine: [(game: Int, result: GameResult)] = []
      play(by: &agent, atMost: share(of: games)) {
        guard !shouldStop() else { return nil }
        let game = next.next()
        return game < games ? game : nil
      } onGame: {
        mine.append(($0, $1))
        onGame(done.add(1))
      }
      results.withLock { [mine] in $0 += mine }
    }
    let elapsed = clock.now - start
    let ordered = results.withLock { $0.sorted { $0.game < $1.game }.map(\.result) }
    return EvaluationReport(results: ordered, rules: rules, seed: seed, seconds: elapsed / .seconds(1))
  }

  /// The number of games that one thread gets, so that all threads have work.
  func share(of games: Int) -> Int { (games + max(threads, 1) - 1) / max(threads, 1) }

  /// Plays games, with as many interleaved games as suits the agent.
  ///
  /// - Parameters:
  ///   - limit: the largest number of interleaved games
  ///   - next: gives the number of the next game; not called again after it returns `nil`
  ///   - onGame: called after each game with its number and result
  func play(
    by agent: inout some Agent, atMost limit: Int, next: () -> Int?, onGame: (Int, GameResult) -> Void
  ) {
    let wrapped = (agent as? AnyAgent).map(\.wrappedInterleavingAgent)
    guard var interleaving = wrapped ?? (agent as? any InterleavingAgent) else {
      while let number = next() { onGame(number, play(game: number, by: &agent)) }
      return
    }
    playInTurn(by: &interleaving, atMost: limit, next: next, onGame: onGame)
  }

  private func playInTurn(
    by agent: inout some InterleavingAgent, atMost limit: Int, next: () -> Int?, onGame: (Int, GameResult) -> Void
  ) {
    var games: [(number: Int, game: Game)] = []
    var isOver = false
    Turns.play(seats: max(1, min(agent.gamesAtOnce, limit))) { seat in
      guard !isOver, let number = next() else {
        isOver = true
        return false
      }
      agent.beginGame(seed: seed, number: UInt64(number))
      let game = Game(rules: rules, seed: seed, number: UInt64(number))
      agent.expect(game.board)
      if seat == games.count { games.append((number, game)) } else { games[seat] = (number, game) }
      return true
    } move: { seat in
      if let move = agent.move(on: games[seat].game.board), games[seat].game.play(move) != nil {
        agent.expect(games[seat].game.board)
        return true
      }
      onGame(games[seat].number, GameResult(games[seat].game))
      return false
    }
  }

  /// Plays game number `game`.
  public func play(game: Int, by agent: inout some Agent) -> GameResult {
    let number = UInt64(game)
    agent.beginGame(seed: seed, number: number)
    var game = Game(rules: rules, seed: seed, number: number)
    while let move = agent.move(on: game.board), game.play(move) != nil {}
    return GameResult(game)
  }

  /// Plays game number `game` and returns its record.
  public func record(game: Int, by agent: inout some Agent, name: String, model: String?) -> GameRecord {
    let number = UInt64(game)
    agent.beginGame(seed: seed, number: number)
    var game = Game(rules: rules, seed: seed, number: number)
    let header = GameRecord.Header(
      rules: rules, start: game.board, agent: name, model: model, seed: seed, gameNumber: number)
    var record = GameRecord(header)
    while let move = agent.move(on: game.board), let turn = game.play(move) { record.append(turn) }
    return record
  }
}

/// The outcome of one game played by an agent.
public struct GameResult: Hashable, Sendable {
  /// The score in score points.
  public let score: Int
  public let moves: Int
  /// The exponent of the largest tile: 11 for 2048.
  public let largestExponent: Int

  public init(score: Int, moves: Int, largestExponent: Int) {
    self.score = score
    self.moves = moves
    self.largestExponent = largestExponent
  }

  init(_ game: Game) {
    self.init(score: game.score, moves: game.plies, largestExponent: game.board.largestExponent)
  }
}
