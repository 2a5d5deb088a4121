internal import Safetensors
package import SetAgents
internal import TupeloConfiguration
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables
package import TupeloTraining

extension SetSpecification: TrainableStructure {
  package func makeTraining(_ run: NewRun) throws -> any TrainingState {
    switch run.configuration.stepSize {
    case .constant(let alpha): try run.train(ConstantStepSize(alpha: alpha), kind(ConstantStepSize.self))
    case .temporalCoherence(let alpha): try run.train(TemporalCoherence(alpha: alpha), kind(TemporalCoherence.self))
    case .adam: preconditionFailure("a valid configuration trains tables without Adam")
    }
  }

  /// The table of Set in training.
  @inline(__always)
  private func kind<Rule: StepSizeRule>(_ rule: Rule.Type) -> TableKind<Rule> {
    let (encoder, game) = (SetEncoder(self), SetSelfPlay(rules))
    return TableKind<Rule>(
      tableMap, metadata: ModelFile.metadata(for: canonicalText), weightCount: weightCount, featureCount: featureCount
    ) { plan, _ in
      plan.makeWorkers(game, encoder)
    } makeModel: {
      TrainedModel(SetNetwork(encoder: encoder, weights: $0))
    } readInitial: { file, other, weights in
      guard other == ModelDescription(self) else {
        throw ModelFileError.nothingInCommon(path: file.path, network: other.canonicalText)
      }
      var stored = try StoredWeights(file, tables: tableMap.tables)
      try weights.read(initial: file, &stored, as: tableMap) { $0 }
    }
  }
}
