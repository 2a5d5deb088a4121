internal import TupeloModels

/// The share of an evaluation's games that had an outcome.
public struct OutcomeRate: Hashable, Sendable {
  /// In 2048, a tile that the games reached or exceeded; in Set, the number of cards left over.
  public let value: Int
  /// The share of games, in 0...1.
  public let rate: Double
}

extension GameRules {
  /// The rates of the outcomes that reports have.
  func rates(of results: [GameResult]) -> [OutcomeRate] {
    base.reported.map { range in
      OutcomeRate(
        value: range.value,
        rate: Double(results.count { range.outcomes.contains($0.outcome) }) / Double(results.count))
    }
  }
}
