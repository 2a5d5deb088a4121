internal import TupeloConfiguration
package import TupeloLearning
package import TupeloTables

/// Makes the workers of a run for any learner, over one game and one encoder.
package protocol PoolMaker {
  associatedtype Rule: StepSizeRule
  associatedtype Encoder: FeatureEncoder

  /// Makes workers, one per random stream.
  ///
  /// - Parameter makeLearner: makes the learner of a worker over the shared weights
  func makePool<L: Learner & ~Copyable>(
    _ makeLearner: (TemporalDifferenceLearner<Rule>) -> L
  ) -> any SelfPlayPool where L.Encoder == Encoder
}

extension PoolMaker {
  /// Makes workers for the learner that a configuration names.
  package func makePool(_ configuration: RunConfiguration, encoder: Encoder) -> any SelfPlayPool {
    let (returns, batch) = (configuration.returns, configuration.batch)
    if batch > 1 { return makePool { BatchLearner($0, encoder: encoder, size: batch) } }
    switch returns.steps {
    case nil: return makePool { BackwardLearner($0, encoder: encoder, returns: returns) }
    case 1: return makePool { OneStepLearner($0, encoder: encoder) }
    case let steps?: return makePool { DelayedLearner($0, encoder: encoder, returns: returns, steps: steps) }
    }
  }
}
