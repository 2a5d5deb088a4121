internal import Safetensors
package import SetAgents
internal import TupeloConfiguration
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables
package import TupeloTraining

extension SetSpecification: TrainableStructure {
  package func makeTraining(_ run: RunInput) throws -> any TrainingState {
    try SetTables(game: SetSelfPlay(rules), encoder: SetEncoder(self)).makeTraining(run).state
  }
}

/// The table of Set in training.
private struct SetTables: TableKind {
  let game: SetSelfPlay
  let encoder: SetEncoder

  func encoder(isStaged: Bool) -> SetEncoder { encoder }

  private var specification: SetSpecification { encoder.specification }

  var metadata: [String: String] { ModelFile.metadata(for: specification.canonicalText) }
  var map: TableMap { specification.tableMap }
  var weightCount: Int { specification.weightCount }
  var featureCount: Int { specification.featureCount }
  func gamesAtOnce(_ configuration: RunConfiguration) -> Int { 1 }
  /// Values are numbers of Sets, and typical errors are half a Set.
  var sumLimit: Float { 0x1p19 }

  func model(_ weights: () throws -> WeightStorage<PlainCell>) throws -> TrainedModel {
    TrainedModel(SetNetwork(encoder: encoder, weights: try weights()))
  }

  func read<Cell: WeightCell>(
    initial file: SafetensorsFile, of model: ModelDescription, into weights: WeightStorage<Cell>
  ) throws {
    guard model == ModelDescription(specification) else {
      throw ModelFileError.nothingInCommon(path: file.path, network: model.canonicalText)
    }
    var stored = try StoredWeights(file, tables: map.tables)
    try weights.read(initial: file, &stored, as: map) { $0 }
  }
}
