/// The results of rollouts of several choices, played on the same decks, and which choices are still in the running.
///
/// Two choices are compared by the differences of their results, deck by deck. A choice drops out when it lies behind
/// the best one by more than `confidence` standard errors of the mean difference (successive elimination; Even-Dar,
/// Mannor & Mansour 2006). The rest of the time goes to the others.
struct ChoiceComparison {
  /// One choice.
  private struct Arm {
    /// The value that the prior's rollouts have.
    var prior: Double
    /// The sum of the results.
    var sum = 0.0
    /// The results so far: all decks, until it drops out.
    var rollouts = 0
    /// When it has dropped out: which choice was best then, and by how much it was behind.
    var behind: (best: Int, difference: Double)?
  }

  /// Standard errors behind the best choice at which a choice drops out.
  static let confidence = 3.0
  /// Decks between two looks at who drops out.
  static let interval = 16

  private var arms: [Arm] = []
  private let weight: Double
  private let eliminates: Bool
  /// Sums of products of results on the same deck, by choice and choice.
  private var products: [Double] = []
  private var results: [Double] = []
  /// The choices in the running, in order.
  private(set) var active: [Int] = []
  private var decks = 0

  /// - Parameters:
  ///   - weight: how many rollouts the prior counts for
  ///   - eliminates: whether choices drop out
  init(weight: Int, eliminates: Bool) {
    self.weight = Double(weight)
    self.eliminates = eliminates
  }

  /// Begins a comparison.
  ///
  /// - Parameters:
  ///   - choices: the number of choices
  ///   - prior: the evaluator's value of a choice; not asked when the prior counts for nothing
  mutating func begin(choices: Int, prior: (Int) -> Double) {
    arms.removeAll(keepingCapacity: true)
    active.removeAll(keepingCapacity: true)
    results.removeAll(keepingCapacity: true)
    products.removeAll(keepingCapacity: true)
    for choice in 0..<choices {
      arms.append(Arm(prior: weight == 0 ? 0 : prior(choice)))
      active.append(choice)
      results.append(0)
    }
    for _ in 0..<(eliminates ? choices * choices : 0) { products.append(0) }
    decks = 0
  }

  /// Notes the result of a choice that is in the running on the next deck.
  mutating func note(_ result: Double, of choice: Int) { results[choice] = result }

  /// Ends a deck: each choice in the running has its result. Now and then it drops choices.
  mutating func endDeck() {
    for choice in active {
      arms[choice].sum += results[choice]
      arms[choice].rollouts += 1
      guard eliminates else { continue }
      for other in active { products[choice * arms.count + other] += results[choice] * results[other] }
    }
    decks += 1
    if eliminates, decks % Self.interval == 0 { drop() }
  }

  /// The value of a choice in the running.
  private func mean(_ choice: Int) -> Double {
    (weight * arms[choice].prior + arms[choice].sum) / (weight + Double(arms[choice].rollouts))
  }

  private mutating func drop() {
    guard let best = active.max(by: { mean($0) < mean($1) }) else { return }
    let (count, size) = (Double(decks), arms.count)
    var kept = 0
    for place in active.indices {
      let choice = active[place]
      let squares =
        products[best * size + best] - 2 * products[best * size + choice] + products[choice * size + choice]
      let difference = (arms[best].sum - arms[choice].sum) / count
      // One more squared difference of 1, so that a few equal differences do not pass for certainty.
      let variance = (squares - count * difference * difference + 1) / (count - 1)
      let behind = mean(best) - mean(choice)
      if choice != best, behind > Self.confidence * (variance / (weight + count)).squareRoot() {
        arms[choice].behind = (best, behind)
      } else {
        active[kept] = choice
        kept += 1
      }
    }
    active.removeLast(active.count - kept)
  }

  /// The value of a choice, and how many rollouts it has had.
  ///
  /// A choice that has dropped out keeps its distance to the choice that was best then. So all values are comparable.
  func value(of choice: Int) -> (value: Double, rollouts: Int) {
    var (value, at) = (0.0, choice)
    while let behind = arms[at].behind {
      value -= behind.difference
      at = behind.best
    }
    return (value + mean(at), arms[choice].rollouts)
  }
}
