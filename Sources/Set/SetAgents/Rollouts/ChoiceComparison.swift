/// The results of rollouts of several choices, played on the same decks, and the choices that are not eliminated.
///
/// Two choices are compared by the differences of their results, deck by deck. A choice is eliminated when it is behind
/// the best choice by more than `confidence` standard errors of the mean difference (successive elimination; Even-Dar,
/// Mannor & Mansour 2006). The remaining time is used for the other choices.
struct ChoiceComparison {
  /// One choice.
  private struct Arm {
    /// The value of the prior's rollouts.
    var prior: Double
    /// The sum of the results.
    var sum = 0.0
    /// The number of results so far: all decks, until the choice is eliminated.
    var rollouts = 0
    /// For an eliminated choice: the choice that was best then, and the difference to it.
    var behind: (best: Int, difference: Double)?
  }

  /// The number of standard errors behind the best choice at which a choice is eliminated.
  static let confidence = 3.0
  /// The number of decks between two eliminations.
  static let interval = 16

  private var arms: [Arm] = []
  private let weight: Double
  private let eliminates: Bool
  /// Sums of products of results on the same deck, by choice and choice.
  private var products: [Double] = []
  private var results: [Double] = []
  /// The choices that are not eliminated, in order.
  private(set) var active: [Int] = []
  private var decks = 0

  /// - Parameters:
  ///   - weight: the weight of the prior, as a number of rollouts
  ///   - eliminates: whether choices are eliminated
  init(weight: Int, eliminates: Bool) {
    self.weight = Double(weight)
    self.eliminates = eliminates
  }

  /// Begins a comparison.
  ///
  /// - Parameters:
  ///   - choices: the number of choices
  ///   - prior: the evaluator's value of a choice; not called if the weight of the prior is 0
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

  /// Records the result, on the next deck, of a choice that is not eliminated.
  mutating func note(_ result: Double, of choice: Int) { results[choice] = result }

  /// Ends a deck, when each remaining choice has its result. After every `interval` decks it eliminates choices.
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

  /// The value of a choice that is not eliminated.
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
      // One more squared difference of 1 is added, so that a few equal differences do not count as certainty.
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

  /// The value of a choice, and its number of rollouts.
  ///
  /// An eliminated choice keeps its difference to the choice that was best then. So all values are comparable.
  func value(of choice: Int) -> (value: Double, rollouts: Int) {
    var (value, at) = (0.0, choice)
    while let behind = arms[at].behind {
      value -= behind.difference
      at = behind.best
    }
    return (value + mean(at), arms[choice].rollouts)
  }
}
