public import SetEngine
internal import TupeloBase

/// Games of an agent. Each game depends only on seed and number, so game k is equal on any thread and in any shard.
public struct SetGames: Hashable, Sendable {
  public var rules: SetRules
  public var seed: UInt64

  public init(rules: SetRules = .standard, seed: UInt64) { (self.rules, self.seed) = (rules, seed) }

  /// Plays games and summarises them.
  ///
  /// - Parameters:
  ///   - games: the numbers of the games
  ///   - threads: how many threads play
  ///   - makeAgent: called once per thread
  public func play<A: SetAgent>(
    _ games: Range<Int>, threads: Int = 1, makeAgent: @Sendable () -> A
  ) -> SetStatistics {
    let next = Counter()
    let workers = max(1, min(threads, games.count))
    let parts = Parallel.map(count: workers, threads: workers) { _ in
      var (agent, statistics) = (makeAgent(), SetStatistics())
      while case let number = next.next(), number < games.count {
        statistics.add(play(game: games.lowerBound + number, by: &agent))
      }
      return statistics
    }
    return parts.reduce(into: SetStatistics()) { $0.add($1) }
  }

  /// Plays one game.
  ///
  /// - Parameter number: the number of the game. Its deck is the deck of `SetGame(rules:using:)` with the stream of
  ///   `seed` and this number
  public func play(game number: Int, by agent: inout some SetAgent) -> SetGameResult {
    guard let result = play(game: number, by: &agent, shouldStop: { false }) else {
      preconditionFailure("an uncancelled game always ends")
    }
    return result
  }

  /// Plays one game, unless it is stopped.
  ///
  /// - Parameters:
  ///   - number: the number of the game
  ///   - agent: the player
  ///   - shouldStop: called after each choice; when it returns true, the game is abandoned
  /// - Returns: the result; `nil` for an abandoned game.
  public func play(game number: Int, by agent: inout some SetAgent, shouldStop: () -> Bool) -> SetGameResult? {
    let deals = DealModel(rules)
    var random = RandomStream(seed: seed, stream: UInt64(number))
    agent.beginGame(seed: seed, number: UInt64(number))
    var (afterstate, sets, dealsMore) = (SetAfterstate(startOf: rules), 0, 0)
    while true {
      let position = deals.position(after: afterstate, using: &random)
      let missing = min(max(rules.tableSize - afterstate.table.count, 0), afterstate.unseen.count)
      dealsMore += (afterstate.unseen.count - position.unseen.count - missing + 2) / 3
      let trio = agent.choice(in: position)
      guard !shouldStop() else { return nil }
      guard let trio, let next = position.afterstate(of: trio) else {
        return SetGameResult(sets: sets, dealsMore: dealsMore, left: position.table)
      }
      afterstate = next
      sets += 1
    }
  }
}
