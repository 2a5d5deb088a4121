import TupeloTraining

/// TD(0) as a textbook has it: a state learns as soon as the next choice is made. The learner of the package waits
/// until the memory of the update has arrived, and learns the same.
struct PromptLearner<Rule: StepSizeRule>: TableLearner {
  var table: ValueTable<Rule>
  var encoder: TupleIndexer

  typealias Episode = LearningStep<Afterstate>?

  /// The position with the present choices, and the last state.
  var window: Int { 2 }
  func makeEpisode() -> Episode { nil }
  func begin(_ episode: inout Episode) { episode = nil }
  func prefetch(_ features: borrowing FeatureBuffer, slot: Int) { table.prefetch(features, slot: slot) }
  func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float { table.promotedValue(features, slot: slot) }

  func append(
    _ step: LearningStep<Afterstate>, to episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double
  ) {
    learn(episode, step.reward + step.value, features, &errors)
    table.prefetchSums(features, slot: step.slot)
    episode = step
  }

  func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    learn(episode, 0, features, &errors)
  }

  private func learn(_ last: Episode, _ target: Float, _ features: borrowing FeatureBuffer, _ errors: inout Double) {
    guard let last else { return }
    errors += Double(abs(table.learn(features, slot: last.slot, value: last.value, target: target)))
  }
}
