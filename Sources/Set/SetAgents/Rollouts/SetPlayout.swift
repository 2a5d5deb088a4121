internal import SetEngine

/// Plays a position to its end on a known deck, many times over.
protocol SetPlayout {
  /// Prepares for playouts from a position.
  mutating func begin(_ position: SetPosition)

  /// The Sets taken, the first one included, when `trio` is taken and the policy plays on.
  ///
  /// - Parameters:
  ///   - position: that of the last `begin`
  ///   - deck: its unseen cards, in the order in which they are dealt. The policy does not see the order
  ///   - seed: the seed of the policy's random numbers
  mutating func sets(taking trio: Trio, in position: SetPosition, deck: SampledDeck, seed: UInt64) -> Double
}

/// Where a playout ends: in an exact value, or after a number of choices in a value of the evaluator.
struct PlayoutEnd {
  /// `nil` for playouts that the policy plays to the end.
  let endgame: Endgame?
  /// After how many choices of the policy the evaluator takes over, and the evaluator.
  let truncation: (depth: Int, evaluator: any SetEvaluator)?

  /// The Sets still to come, if the playout ends before this choice.
  @inline(__always)
  func value(of position: SetPosition) -> Double? {
    guard let endgame, endgame.includes(unseen: position.unseen) else { return nil }
    return endgame.value(of: position)
  }

  /// The Sets still to come, if the playout ends after the choice that led to `afterstate`.
  ///
  /// - Parameter depth: how many choices the policy has made
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
