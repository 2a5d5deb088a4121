internal import SetEngine

/// Playouts by the greedy player of `HeuristicSetEvaluator`. They are several times faster than calls of the evaluator,
/// because the number of Sets of each card is updated from choice to choice.
///
/// The evaluator rounds its values to `Float`. Here whole numbers are compared, so choices may differ where two values
/// are nearly equal. With an empty deck the evaluator is exact, and so is the playout.
struct HeuristicPlayout: SetPlayout {
  private let weights: PartnerWeights
  private let end: PlayoutEnd
  private let deals: DealModel
  private var start = PartnerCounts()
  private var counts = PartnerCounts()

  init(_ evaluator: HeuristicSetEvaluator, end: PlayoutEnd, rules: SetRules) {
    weights = evaluator.weights
    self.end = end
    deals = DealModel(rules)
  }

  mutating func begin(_ position: SetPosition) {
    start.count(position.table.union(position.unseen))
  }

  mutating func sets(taking trio: Trio, in position: SetPosition, deck: SampledDeck, seed: UInt64) -> Double {
    counts.copy(start)
    var (trio, afterstate, taken) = (trio, position.after(trio), 1)
    var loss = PartnerCounts.Loss(of: trio, among: counts.cards)
    while true {
      if let value = end.value(of: afterstate, depth: taken - 1) { return Double(taken) + value }
      counts.remove(trio, loss)
      let position = deck.position(after: afterstate, by: deals)
      if position.unseen.isEmpty { return Double(taken + position.table.mostSets) }
      if let value = end.value(of: position) { return Double(taken) + value }
      (trio, loss) = choice(on: position.table)
      afterstate = position.after(trio)
      taken += 1
    }
  }

  /// - Precondition: there is a Set on the table.
  @inline(__always)
  private func choice(on table: CardSet) -> (Trio, PartnerCounts.Loss) {
    var trios = table.sets
    guard var best = trios.next() else { preconditionFailure("cards in the deck mean a Set on the table") }
    let count = counts.cards.count - 3
    var loss = PartnerCounts.Loss(of: best, among: counts.cards)
    guard var trio = trios.next() else { return (best, loss) }
    var least = counts.weight(without: best, loss, count: count, by: weights)
    while true {
      let other = PartnerCounts.Loss(of: trio, among: counts.cards)
      let weight = counts.weight(without: trio, other, count: count, by: weights)
      if weight < least { (best, loss, least) = (trio, other, weight) }
      guard let next = trios.next() else { return (best, loss) }
      trio = next
    }
  }
}
