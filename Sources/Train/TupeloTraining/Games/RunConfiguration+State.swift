internal import TupeloCluster
internal import SetAgents
internal import TupeloConfiguration
internal import TupeloDenseModels
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloTables

extension RunConfiguration {
  /// Makes what a run of the configuration trains.
  ///
  /// - Parameter streams: the random streams of the workers of all processes
  func makeState(
    streams: [RandomStream], initialValue: Float, communicator: any Communicator
  ) throws -> any TrainingState {
    if let dense = model.structure as? DenseModelSpecification {
      return try dense.makeTraining(self, streams: streams, initialValue: initialValue)
    }
    return switch stepSize {
    case .constant(let alpha):
      try makeTables(
        ConstantStepSize(alpha: alpha), streams: streams, initialValue: initialValue, communicator: communicator)
    case .temporalCoherence(let alpha):
      try makeTables(
        TemporalCoherence(alpha: alpha), streams: streams, initialValue: initialValue, communicator: communicator)
    case .adam: preconditionFailure("a valid configuration trains tables without Adam")
    }
  }

  @inline(__always)
  private func makeTables<Rule: StepSizeRule>(
    _ rule: Rule, streams: [RandomStream], initialValue: Float, communicator: any Communicator
  ) throws -> any TrainingState {
    let set = model.structure as? SetSpecification
    let kind: TableKind<Rule> = set?.kind(Rule.self) ?? Tables2048(self).kind(Rule.self)
    return try TableTraining(rule, self, kind, streams: streams, initialValue: initialValue) { weights in
      guard hasReplicas(on: communicator.size) else { return nil }
      return try Replicas(of: weights, self, communicator: communicator)
    }
  }
}
