public import TupeloEngine
public import TupeloTables

/// Picks the best choice, or explores by epsilon-greedy choices and a bonus for rare visits.
///
/// With probability `epsilon` it picks any choice. Otherwise it picks the best one by reward + value, the first of
/// equals. Where visits are counted it ranks by reward + value + bonus / (1 + visits); see `VisitCounts`.
///
/// A choice drawn by epsilon is learned from as if it were the best one. A choice that the bonus made is not; see
/// `LearningStep.foregone`.
public struct TableExplorer: Explorer {
  /// The probability of a uniformly random choice, in 0...1.
  @usableFromInline let epsilon: Double
  @usableFromInline let visits: VisitCounts?
  public var bonus: Float = 0

  public init(epsilon: Double = 0, visits: VisitCounts? = nil) {
    (self.epsilon, self.visits) = (epsilon, visits)
  }

  @inlinable @inline(__always)
  public mutating func choose<Choices: ChoiceSet, L: Learner & ~Copyable>(
    among choices: Choices, slot: Int, valuedBy learner: inout L, _ features: inout FeatureBuffer,
    using random: inout RandomStream
  ) -> Choice? {
    if let number = choices.draw(epsilon: epsilon, using: &random) {
      return Choice(number: number, value: learner.value(&features, slot: slot + number))
    }
    if bonus > 0, let visits {
      return explore(among: choices, slot: slot, valuedBy: &learner, &features, visits)
    }
    var best: Choice?
    var bestSum = -Float.infinity
    for number in 0..<choices.end where choices.contains(number) {
      let value = learner.value(&features, slot: slot &+ number)
      let sum = choices.reward(ofChoice: number) + value
      if best == nil || sum > bestSum {
        best = Choice(number: number, value: value)
        bestSum = sum
      }
    }
    return best
  }

  /// Picks a choice by reward, value and bonus. Of equally good choices only the first counts as the best; counting all
  /// of them as best makes training worse on 2x3.
  @inlinable @inline(__always)
  func explore<Choices: ChoiceSet, L: Learner & ~Copyable>(
    among choices: Choices, slot: Int, valuedBy learner: inout L, _ features: inout FeatureBuffer, _ visits: VisitCounts
  ) -> Choice? {
    var ranking = ExplorationRanking()
    var place = 0
    for number in 0..<choices.end where choices.contains(number) {
      let own = visits.place(features, slot: slot + number)
      visits.prefetch(own)
      let value = learner.value(&features, slot: slot + number)
      let raise = bonus / (1 + visits.visits(at: own))
      if ranking.add(number, value: value, reward: choices.reward(ofChoice: number), raise: raise) { place = own }
    }
    guard let choice = ranking.choice else { return nil }
    visits.add(at: place)
    return choice
  }
}
