internal import TupeloModels

/// A share of games with its uncertainty.
public struct Proportion: Hashable, Sendable {
  /// The number of games that count.
  public let count: Int
  /// The number of all games, at least one.
  public let total: Int

  /// - Precondition: `count` is in 0...total, and there is at least one game.
  public init(count: Int, of total: Int) {
    precondition(total > 0 && (0...total).contains(count), "a share of no games, or of more than all")
    (self.count, self.total) = (count, total)
  }

  /// The share, in 0...1.
  public var rate: Double { Double(count) / Double(total) }

  /// The 95% interval of the probability, by Wilson (1927). It lies in 0...1, and has a width at rates of 0 and 1.
  public var interval: ClosedRange<Double> {
    let n = Double(total)
    let square = Self.quantile * Self.quantile
    let centre = (rate + square / (2 * n)) / (1 + square / n)
    let half = Self.quantile / (1 + square / n) * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
    return max(centre - half, 0)...min(centre + half, 1)
  }

  /// The 97.5% quantile of the normal distribution.
  private static let quantile = 1.959_963_984_540_054
}

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
