internal import TupeloEngine
internal import TupeloLearning
internal import TupeloTables
internal import TupeloNetwork

/// The best choice by reward, value and bonus / (1 + visits), visits being counted with the states; where one choice
/// has been made often enough, those to states that have learned nothing come first.
struct StateExplorer: Explorer {
  var bonus: Float = 0
  private let states: StateMemory
  /// Visits of the choice most visited, where choices to states that have learned nothing are tried whatever they look
  /// like.
  private let trialVisits: Float
  /// Whether the state at a place has learned nothing.
  private let isUnlearned: @Sendable (Int) -> Bool

  init(_ states: StateMemory, trialVisits: Float, isUnlearned: @escaping @Sendable (Int) -> Bool) {
    (self.states, self.trialVisits, self.isUnlearned) = (states, trialVisits, isUnlearned)
  }

  @inline(__always)
  mutating func choose<Choices: ChoiceSet, L: Learner & ~Copyable>(
    among choices: Choices, slot: Int, valuedBy learner: inout L, _ features: inout FeatureBuffer,
    using random: inout RandomStream
  ) -> Choice? {
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

  /// Makes the first choice to a state that was never visited and has learned nothing the one that is made.
  @inline(never)
  private func prefer<Choices: ChoiceSet, L: Learner & ~Copyable>(
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
