internal import TupeloLearning
internal import TupeloModels

/// Replicas: which other settings go with them.
extension ConfigurationDraft {
  func checkReplicas() -> [ConfigurationError.Problem] {
    let training = configuration.training
    guard training.replicas > 1 else { return [] }
    var problems: [ConfigurationError.Problem] = []
    if training.threads > 1 {
      problems.append(problem("training.threads", .contradiction(.threadsWithReplicas(training.threads))))
    }
    return problems
      + configuration.unreplicated.map { problem("training.replicas", .contradiction(.notReplicated($0))) }
  }
}

extension RunConfiguration {
  /// Settings of which there are no replicas: what they keep beside the weights cannot be merged.
  package var unreplicated: [String] {
    [("network.dense", dense.isDense), ("game set", game == .set)].filter(\.1).map(\.0)
  }
}
