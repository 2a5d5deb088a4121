internal import SetEngine

/// Plays a position to its end on a known deck, many times over.
protocol SetPlayout {
  /// Prepares for playouts from a position.
  mutating func begin(_ position: SetPosition)

  /// The number of Sets taken, including the first, when `trio` is taken and the policy plays on.
  ///
  /// - Parameters:
  ///   - position: the position of the last `begin`
  ///   - deck: its unseen cards, in the order of dealing. The policy does not use this order
  ///   - seed: the seed of the policy's random numbers
  mutating func sets(taking trio: Trio, in position: SetPosition, deck: SampledDeck, seed: UInt64) -> Double
}

/// The end of a playout: an exact value, or a value of the evaluator after a number of choices.
struct PlayoutEnd {
  /// `nil` for playouts that the policy plays to the end.
  let endgame: Endgame?
  /// The number of the policy's choices before the evaluator, and the evaluator.
  let truncation: (depth: Int, evaluator: any SetEvaluator)?

  /// The Sets still to come, if the playout ends before this choice.
  @inline(__always)
  func value(of position: SetPosition) -> Double? {
    guard let endgame, endgame.includes(unseen: position.unseen) else { return nil }
    return endgame.value(of: position)
  }

  /// The Sets still to come, if the playout ends after the choice that led to `afterstate`.
  ///
  /// - Parameter depth: the number of choices that the policy has made
  @inline(__always)
  func value(of afterstate: SetAfterstate, depth: Int) -> Double? {
    guard let truncation, depth >= truncation.depth else { return nil }
    return Double(truncation.evaluator.value(of: afterstate))
  }
}

/// Playouts by any agent.
struct AgentPlayout<A: SetAgent>: SetPlayout {
  private var agent: A
  private let end: PlayoutEnd
  private let deals: DealModel

  init(_ agent: A, end: PlayoutEnd, rules: SetRules) {
    (self.agent, self.end) = (agent, end)
    deals = DealModel(rules)
  }

  mutating func begin(_ position: SetPosition) {}

  mutating func sets(taking trio: Trio, in position: SetPosition, deck: SampledDeck, seed: UInt64) -> Double {
    agent.beginGame(seed: seed, number: 0)
    var afterstate = position.after(trio)
    var taken = 1
    while true {
      if let value = end.value(of: afterstate, depth: taken - 1) { return Double(taken) + value }
      let position = deck.position(after: afterstate, by: deals)
      if let value = end.value(of: position) { return Double(taken) + value }
      guard let trio = agent.choice(in: position) else { return Double(taken) }
      afterstate = position.after(trio)
      taken += 1
    }
  }
}
