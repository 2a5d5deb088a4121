public import TupeloEngine
public import TupeloLearning
public import TupeloTables

/// Exploration by visits that are counted per state.
///
/// It ranks choices by reward + value + bonus / (1 + visits). Once one choice has `trialVisits` visits, choices to
/// states that were never visited and have learned nothing come first.
public struct StateExplorer: Explorer {
  public var bonus: Float = 0
  @usableFromInline let states: StateMemory
  /// Visits of the most visited choice from which unvisited states without lessons are tried, whatever their value.
  @usableFromInline let trialVisits: Float
  /// Whether the state at a place has learned nothing.
  @usableFromInline let isUnlearned: @Sendable (Int) -> Bool

  /// The probability of a uniformly random choice, in 0...1.
  @usableFromInline let epsilon: Double

  public init(
    _ states: StateMemory, epsilon: Double = 0, trialVisits: Float, isUnlearned: @escaping @Sendable (Int) -> Bool
  ) {
    (self.states, self.epsilon, self.trialVisits, self.isUnlearned) = (states, epsilon, trialVisits, isUnlearned)
  }

  @inlinable @inline(__always)
  public mutating func choose<Choices: ChoiceSet, L: Learner & ~Copyable>(
    among choices: Choices, slot: Int, valuedBy learner: inout L, _ features: inout FeatureBuffer,
    using random: inout RandomStream
  ) -> Choice? {
    if let number = choices.draw(epsilon: epsilon, using: &random) {
      return Choice(number: number, value: learner.value(&features, slot: slot &+ number))
    }
    var ranking = ExplorationRanking()
    var (hasUntried, mostVisits) = (false, Float(0))
    for number in 0..<choices.end where choices.contains(number) {
      let value = learner.value(&features, slot: slot &+ number)
      let place = StateEncoder.place(features, slot: slot &+ number)
      var raise: Float = 0
      if place >= 0 {
        let visits = states.visits(at: place)
        raise = bonus / (1 + visits)
        mostVisits = max(mostVisits, visits)
        if visits == 0 { hasUntried = true }
      }
      _ = ranking.add(number, value: value, reward: choices.reward(ofChoice: number), raise: raise)
    }
    if hasUntried, mostVisits >= trialVisits, bonus > 0 {
      prefer(among: choices, slot: slot, valuedBy: &learner, &features, &ranking)
    }
    guard let choice = ranking.choice else { return nil }
    let place = StateEncoder.place(features, slot: slot &+ choice.number)
    if place >= 0 { states.add(at: place) }
    return choice
  }

  /// Makes `ranking` prefer the first choice to a state that was never visited and has learned nothing.
  @inlinable @inline(never)
  func prefer<Choices: ChoiceSet, L: Learner & ~Copyable>(
    among choices: Choices, slot: Int, valuedBy learner: inout L, _ features: inout FeatureBuffer,
    _ ranking: inout ExplorationRanking
  ) {
    for number in 0..<choices.end where choices.contains(number) {
      let place = StateEncoder.place(features, slot: slot &+ number)
      guard place >= 0, states.visits(at: place) == 0, isUnlearned(place) else { continue }
      return ranking.prefer(number, value: learner.value(&features, slot: slot &+ number))
    }
  }
}
