public import SetEngine

/// Computes exact values of policies: the probability of each state flows from the start to the end of the game.
extension SetSolution {
  /// The exact value of the greedy policy of an evaluator.
  ///
  /// - Parameters:
  ///   - evaluator: values all Sets on the table of each position
  ///   - tolerance: see `bestSets`
  public func value(
    ofGreedyPolicyOf evaluator: some SetEvaluator, tolerance: Float = 1e-5
  ) -> SetPolicyValue {
    value { evaluator.bestSets(in: $0, tolerance: tolerance) }
  }

  /// The exact value of a policy.
  ///
  /// - Parameter policy: the Sets that the policy finds best; each is taken with equal probability. Asked once about
  ///   every position that is not over and that the policy comes to, as a canonical form. With no Set the game ends
  ///   there
  /// - Precondition: the policy names Sets on the table.
  public func value(of policy: (SetPosition) -> [Trio]) -> SetPolicyValue {
    var flow = PolicyFlow(self)
    for state in graph.codes.indices { flow.follow(policy, from: state) }
    return flow.result
  }
}

/// The sums over all games under a policy.
private struct PolicyFlow {
  private let solution: SetSolution
  private let law: StateLaw
  /// The probability that a game comes to each state.
  private var chances: [Double]
  /// The states that follow the choices of the policy, for each state that it comes to.
  private var choices: [Int: [Int]] = [:]
  private var value = SetValue(sets: 0, perfect: 0)
  private var cardsLeft: [Double]
  private var (unequalChoices, mistakes, ties) = (0.0, 0.0, 0.0)
  private var positionCount = 0

  init(_ solution: SetSolution) {
    self.solution = solution
    law = StateLaw(solution.rules)
    chances = Array(repeating: 0, count: solution.graph.codes.count)
    chances[0] = 1
    cardsLeft = Array(repeating: 0, count: solution.rules.cardCount / 3 + 1)
  }

  mutating func follow(_ policy: (SetPosition) -> [Trio], from state: Int) {
    let chance = chances[state]
    guard chance > 0 else { return }
    let followers = solution.graph.followers(of: state).map { Int($0) }
    guard let position = solution.graph.position(state) else {
      for follower in followers { chances[follower] += chance / Double(followers.count) }
      return
    }
    positionCount += 1
    let trios = Array(position.sets)
    let chosen = (trios.isEmpty ? [] : policy(position)).map { trio in
      guard let rank = trios.firstIndex(of: trio) else { preconditionFailure("\(trio) is not on the table") }
      return followers[rank]
    }
    choices[state] = chosen
    guard !chosen.isEmpty else {
      let left = position.table.union(position.unseen).count
      cardsLeft[left / 3] += chance
      value.perfect += left == 0 ? chance : 0
      return
    }
    value.sets += chance
    count(chosen, of: followers, at: state, chance)
    for follower in chosen { chances[follower] += chance / Double(chosen.count) }
  }

  private mutating func count(_ chosen: [Int], of followers: [Int], at state: Int, _ chance: Double) {
    func losses(_ followers: [Int]) -> [Double] {
      followers.map {
        solution.values[$0].afterTaking.loss(against: solution.values[state], solution.objective)
      }
    }
    func areUnequal(_ losses: [Double]) -> Bool {
      (losses.max() ?? 0) - (losses.min() ?? 0) > SetValue.precision
    }
    let lossesOfChosen = losses(chosen)
    unequalChoices += areUnequal(losses(followers)) ? chance : 0
    ties += areUnequal(lossesOfChosen) ? chance : 0
    let bad = lossesOfChosen.count { $0 > SetValue.precision }
    mistakes += chance * Double(bad) / Double(chosen.count)
  }

  /// The expected Sets when the choice among equals is made by `pick`.
  private func sets(by pick: (Double, Double) -> Double) -> Double {
    var values = [Double](repeating: 0, count: chances.count)
    for state in values.indices.reversed() where chances[state] > 0 {
      if let chosen = choices[state] {
        values[state] = chosen.dropFirst().reduce(chosen.first.map { values[$0] + 1 } ?? 0) { pick($0, values[$1] + 1) }
      } else {
        let followers = solution.graph.followers(of: state)
        values[state] = followers.reduce(0) { $0 + values[Int($1)] } / Double(followers.count)
      }
    }
    return values[0]
  }

  var result: SetPolicyValue {
    let best = solution.startValue
    let (low, high) = (sets(by: min), sets(by: max))
    return SetPolicyValue(
      value: value, regret: SetValue(sets: best.sets - value.sets, perfect: best.perfect - value.perfect),
      setsByTies: low...max(low, high), cardsLeft: cardsLeft, unequalChoices: unequalChoices, mistakes: mistakes,
      ties: ties, positionCount: positionCount)
  }
}
