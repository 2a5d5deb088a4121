internal import Safetensors
internal import SetAgents
internal import SetModels
internal import TupeloConfiguration
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

extension SetSpecification {
  /// The table of Set in training.
  @inline(__always)
  func kind<Rule: StepSizeRule>(_ rule: Rule.Type) -> TableKind<Rule> {
    let (encoder, game) = (SetEncoder(self), SetSelfPlay(rules))
    return TableKind<Rule>(
      tableMap, metadata: ModelFile.metadata(for: canonicalText), weightCount: weightCount, featureCount: featureCount
    ) { plan, _ in
      plan.makeWorkers(game, encoder)
    } makeModel: {
      TrainedModel(SetNetwork(encoder: encoder, weights: $0))
    } readInitial: { file, weights in
      guard try SetSpecification(in: file) == self else {
        throw ModelFileError.nothingInCommon(
          path: file.path, network: try ModelDescription(in: file, of: GameCatalogue([.set])).canonicalText)
      }
      var stored = try StoredWeights(file, tables: tableMap.tables)
      try weights.read(initial: file, &stored, as: tableMap) { $0 }
    }
  }
}
