public import TupeloEngine
public import TupeloSearch

/// Plays games of 2048 by an agent. Agents that gain from it play several games in turn.
public struct BoardPlayer<A: Agent>: GamePlayer {
  private(set) var agent: A
  private let rules: Rules

  public init(_ agent: A, rules: Rules = .standard) { (self.agent, self.rules) = (agent, rules) }

  public mutating func play(
    seed: UInt64, atMost limit: Int, next: () -> Int?, onGame: (Int, GameResult) -> Void
  ) {
    let wrapped = (agent as? AnyAgent).map(\.wrappedInterleavingAgent)
    guard var interleaving = wrapped ?? (agent as? any InterleavingAgent) else {
      while let number = next() { onGame(number, play(game: number, seed: seed)) }
      return
    }
    playInTurn(by: &interleaving, seed: seed, atMost: limit, next: next, onGame: onGame)
  }

  private func playInTurn(
    by agent: inout some InterleavingAgent, seed: UInt64, atMost limit: Int, next: () -> Int?,
    onGame: (Int, GameResult) -> Void
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
  public mutating func play(game: Int, seed: UInt64) -> GameResult {
    let number = UInt64(game)
    agent.beginGame(seed: seed, number: number)
    var game = Game(rules: rules, seed: seed, number: number)
    while let move = agent.move(on: game.board), game.play(move) != nil {}
    return GameResult(game)
  }

  public mutating func record(of game: Int, seed: UInt64, name: String, model: String?) -> String {
    gameRecord(of: game, seed: seed, name: name, model: model).text
  }

  /// Plays game number `game` and returns its record.
  public mutating func gameRecord(of game: Int, seed: UInt64, name: String, model: String?) -> GameRecord {
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
