internal import TupeloBase
public import TupeloEngine
public import TupeloSearch

/// Plays games of 2048 with an agent. If the agent is faster with interleaved games, it plays several games at a time.
public struct BoardPlayer<A: Agent>: GamePlayer {
  package private(set) var agent: A
  private let rules: Rules

  public init(_ agent: A, rules: Rules = .standard) { (self.agent, self.rules) = (agent, rules) }

  public mutating func play(
    seed: UInt64, atMost limit: Int, cancellation: SearchCancellation, next: () -> Int?,
    onGame: (Int, GameResult) -> Void
  ) {
    let wrapped = (agent as? AnyAgent).map(\.wrappedInterleavingAgent)
    guard var interleaving = wrapped ?? (agent as? any InterleavingAgent) else {
      agent.stop(on: cancellation)
      while let number = next() {
        guard let result = play(game: number, seed: seed, cancellation: cancellation) else { return }
        onGame(number, result)
      }
      return
    }
    interleaving.stop(on: cancellation)
    playInTurn(
      by: &interleaving, seed: seed, atMost: limit, cancellation: cancellation, next: next, onGame: onGame)
  }

  private func playInTurn(
    by agent: inout some InterleavingAgent, seed: UInt64, atMost limit: Int, cancellation: SearchCancellation,
    next: () -> Int?, onGame: (Int, GameResult) -> Void
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
      let move = agent.move(on: games[seat].game.board)
      // The move of a search that was stopped has no meaning.
      guard !cancellation.isCancelled else { return false }
      if let move, games[seat].game.play(move) != nil {
        agent.expect(games[seat].game.board)
        return true
      }
      onGame(games[seat].number, GameResult(games[seat].game))
      return false
    }
  }

  /// Plays game number `game`.
  public mutating func play(game: Int, seed: UInt64) -> GameResult {
    guard let result = play(game: game, seed: seed, cancellation: nil) else { preconditionFailure(Self.uncancelled) }
    return result
  }

  /// Plays game number `game`; `nil` when it was abandoned.
  private mutating func play(game: Int, seed: UInt64, cancellation: SearchCancellation?) -> GameResult? {
    let number = UInt64(game)
    agent.beginGame(seed: seed, number: number)
    var game = Game(rules: rules, seed: seed, number: number)
    while let move = agent.move(on: game.board), cancellation?.isCancelled != true, game.play(move) != nil {}
    return cancellation?.isCancelled == true ? nil : GameResult(game)
  }

  public mutating func record(
    of game: Int, seed: UInt64, name: String, model: String?, cancellation: SearchCancellation = SearchCancellation()
  ) -> String? {
    agent.stop(on: cancellation)
    return gameRecord(of: game, seed: seed, name: name, model: model, cancellation: cancellation)?.text
  }

  /// Plays game number `game` and returns its record.
  public mutating func gameRecord(of game: Int, seed: UInt64, name: String, model: String?) -> GameRecord {
    let record = gameRecord(of: game, seed: seed, name: name, model: model, cancellation: nil)
    guard let record else { preconditionFailure(Self.uncancelled) }
    return record
  }

  private static var uncancelled: String { "an uncancelled game always ends" }

  private mutating func gameRecord(
    of game: Int, seed: UInt64, name: String, model: String?, cancellation: SearchCancellation?
  ) -> GameRecord? {
    let number = UInt64(game)
    agent.beginGame(seed: seed, number: number)
    var game = Game(rules: rules, seed: seed, number: number)
    let header = GameRecord.Header(
      rules: rules, start: game.board, agent: name, model: model, seed: seed, gameNumber: number)
    var record = GameRecord(header)
    while let move = agent.move(on: game.board), cancellation?.isCancelled != true, let turn = game.play(move) {
      record.append(turn)
    }
    return cancellation?.isCancelled == true ? nil : record
  }
}
