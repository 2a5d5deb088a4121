public import SetEngine
internal import TupeloBase

/// An agent's values of all Sets on the table.
public struct SetAnalysis: Hashable, Sendable {
  public struct Candidate: Hashable, Sendable {
    /// The Set to take.
    public let trio: Trio
    /// The expected number of Sets still to come, including this Set.
    public let value: Double
    /// `value` minus the value of the best candidate: 0 for the best candidate, otherwise 0 or less.
    public let difference: Double
    /// The number of rollouts of the value; 0 if the agent plays no rollouts.
    public let rollouts: Int
  }

  /// The choices, best first. Choices with equal values are in the order of `CardSet.sets`.
  public let candidates: [Candidate]
  /// Whether the values are exact: those of best play, each deal with its probability.
  public let isExact: Bool

  /// The best choice; `nil` when the game is over.
  public var best: Candidate? { candidates.first }

  /// - Parameter choices: in the order of `CardSet.sets`
  init(_ choices: [(trio: Trio, value: Double, rollouts: Int)], isExact: Bool = false) {
    let best = choices.map { $0.value }.max() ?? 0
    candidates = Ranking.order(of: choices.map { $0.value }).map { index in
      let choice = choices[index]
      return Candidate(
        trio: choice.trio, value: choice.value, difference: choice.value - best, rollouts: choice.rollouts)
    }
    self.isExact = isExact
  }

  public subscript(trio: Trio) -> Candidate? {
    candidates.first { $0.trio == trio }
  }
}

/// The order of choices by a number, the largest first.
package enum Ranking {
  /// The places of the numbers in this order. Equal numbers keep their order.
  package static func order(of numbers: [Double]) -> [Int] {
    sortedNumbers(below: numbers.count) { numbers[$0] > numbers[$1] }
  }
}
