public import SetEngine

/// A hand-written value function, for play without a trained model.
///
/// A card that lies in few Sets of the cards not yet taken is likely to be left over. The evaluator adds a weight for
/// the risk of each card (`PartnerWeights`). The expected number of Sets left over is a linear function of that sum,
/// fitted for each number of cards to 100,000 standard games of greedy play by this evaluator. With an empty deck the
/// value is exact.
public struct HeuristicSetEvaluator: SetEvaluator {
  let weights: PartnerWeights

  public init(rules: SetRules = .standard) { weights = PartnerWeights(rules) }

  public func value(of afterstate: SetAfterstate) -> Float {
    if afterstate.unseen.isEmpty { return Float(afterstate.table.mostSets) }
    let cards = afterstate.table.union(afterstate.unseen)
    let count = cards.count
    var sum: Int32 = 0
    for card in cards { sum &+= weights[cards: count, sets: cards.setCount(through: card)] }
    return value(cards: count, sum: sum)
  }

  private func value(cards: Int, sum: Int32) -> Float {
    let line = Self.lines[cards / 3]
    let left = line.base + line.slope * Float(sum) / Float(PartnerWeights.one)
    return min(max(Float(cards) / 3 - left, 0), Float(cards / 3))
  }

  /// Sets left over = base + slope * sum, by a third of the number of cards. From 39 cards on the slopes differ by less
  /// than their errors, so they are one number. Fewer than 12 cards occur only with other rules.
  private static let lines: [(base: Float, slope: Float)] = [
    (0, 0.333), (0, 0.333), (0, 0.333), (0.565, 0.322), (0.779, 0.350), (1.018, 0.393), (1.193, 0.473),
    (1.246, 0.666), (1.231, 1.022), (1.186, 1.534), (1.155, 1.989), (1.121, 2.432), (1.091, 2.812), (1.065, 3.1),
    (1.071, 3.1), (1.070, 3.1), (1.064, 3.1), (1.053, 3.1), (1.041, 3.1), (1.026, 3.1), (1.009, 3.1), (0.992, 3.1),
    (0.973, 3.1), (0.954, 3.1), (0.935, 3.1), (0.916, 3.1), (0.897, 3.1), (0.878, 3.1),
  ]
}
