public import SetEngine

/// A hand-written value function, for play without a trained model.
///
/// A card that lies in few Sets of the cards not yet taken is likely to be left over. The evaluator sums up how
/// endangered the cards are (`PartnerWeights`). The expected number of Sets left over is a linear function of that sum,
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

  /// Sets left over = base + slope * sum, by a third of the number of cards.
  private static let lines: [(base: Float, slope: Float)] = [
    (0, 0.33), (0, 0.33), (0, 0.33), (0.565, 0.322), (0.733, 0.358), (0.964, 0.406), (1.128, 0.493), (1.179, 0.688),
    (1.175, 1.0),
    (1.142, 1.471), (1.078, 2.119), (1.024, 2.689), (0.984, 3.147), (0.942, 3.58), (0.932, 3.7), (0.937, 3.64),
    (0.856, 4.16), (0.806, 4.41), (0.841, 4.06), (0.818, 4.08), (0.785, 4.15), (0.75, 4.2), (0.73, 4.2), (0.70, 4.2),
    (0.677, 4.2), (0.65, 4.2), (0.626, 4.2), (0.6, 4.2),
  ]
}
