internal import TupeloModels

/// How many games of an evaluation had an outcome.
public struct OutcomeRate: Hashable, Sendable {
  /// In 2048 the tile that a game reached, at least; in Set the number of cards left over.
  public let value: Int
  /// The share of games, in 0...1.
  public let rate: Double
}

extension GameRules {
  /// The rates of the outcomes that reports tell.
  func rates(of results: [GameResult]) -> [OutcomeRate] {
    base.reported.map { range in
      OutcomeRate(
        value: range.value,
        rate: Double(results.count { range.outcomes.contains($0.outcome) }) / Double(results.count))
    }
  }
}
