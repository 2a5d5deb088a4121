public import SetAgents
public import SetEngine
public import TupeloModels
internal import TupeloBase
public import TupeloSearch

/// Plays games of Set with an agent, for evaluations.
public struct SetPlayer<A: SetAgent>: GamePlayer {
  private var agent: A
  private let rules: SetRules

  public init(_ agent: A, rules: SetRules = .standard) { (self.agent, self.rules) = (agent, rules) }

  public mutating func play(
    seed: UInt64, atMost limit: Int, cancellation: SearchCancellation, next: () -> Int?,
    onGame: (Int, GameResult) -> Void
  ) {
    let games = SetGames(rules: rules, seed: seed)
    agent.stop { cancellation.isCancelled }
    while let number = next() {
      let result = games.play(game: number, by: &agent) { cancellation.isCancelled }
      guard let result else { return }
      onGame(number, GameResult(result))
    }
  }

  public mutating func record(
    of game: Int, seed: UInt64, name: String, model: String?, cancellation: SearchCancellation = SearchCancellation()
  ) -> String? {
    agent.stop { cancellation.isCancelled }
    var random = RandomStream(seed: seed, stream: UInt64(game))
    var play = SetGame(rules: rules, using: &random)
    agent.beginGame(seed: seed, number: UInt64(game))
    var record = SetRecord(
      SetRecord.Header(
        rules: rules, start: play.table, agent: name, model: model, seed: seed, gameNumber: UInt64(game)))
    while true {
      while let turn = play.dealMore() { record.append(turn) }
      let trio = play.position.flatMap { agent.choice(in: $0) }
      guard !cancellation.isCancelled else { return nil }
      guard let trio, let turn = play.take(trio) else { return record.text }
      record.append(turn)
    }
  }
}

extension GameResult {
  init(_ result: SetGameResult) {
    self.init(score: result.sets, moves: result.sets, outcome: result.left.count / 3)
  }
}
