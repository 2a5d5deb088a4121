internal import SetModels
internal import TupeloConfiguration
internal import TupeloDense
internal import TupeloDenseModels
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// How a dense network of each game is trained, and what that takes.
extension DenseModelSpecification {
  func learning(_ configuration: RunConfiguration) -> DenseLearning {
    DenseLearning(
      batch: configuration.batch, returns: configuration.returns, clip: configuration.clip, unit: Float(unit))
  }

  func makeTraining(
    _ configuration: RunConfiguration, streams: [RandomStream], initialValue: Float
  ) throws -> any TrainingState {
    if let set = features.base as? SetFeatures {
      return try makeTraining(
        configuration, SetSelfPlay(set.rules), set.makeEncoder(), streams: streams, initialValue: initialValue)
    }
    let tuples = configuration.network
    return try makeTraining(
      configuration, Game2048(configuration.rules, starts: configuration.start, stages: tuples.stages),
      TupleIndexer(tuples), streams: streams, initialValue: initialValue)
  }

  private func makeTraining<Game: SelfPlayGame, Encoder: DenseEncoder>(
    _ configuration: RunConfiguration, _ game: Game, _ encoder: Encoder, streams: [RandomStream], initialValue: Float
  ) throws -> any TrainingState where Encoder.State == Game.Choices.State {
    let (alpha, decay) = (configuration.stepSize.alpha, configuration.weightDecay)
    switch configuration.stepSize {
    case .adam:
      return try DenseTraining(
        configuration, self, game, encoder: encoder,
        optimizer: Adam(network, stepSize: alpha, weightDecay: decay, rowPatience: configuration.rowPatience),
        streams: streams, initialValue: initialValue)
    case .constant:
      return try DenseTraining(
        configuration, self, game, encoder: encoder,
        optimizer: GradientDescent(network, stepSize: alpha, weightDecay: decay), streams: streams,
        initialValue: initialValue)
    case .temporalCoherence: preconditionFailure("a valid configuration trains no dense network so")
    }
  }

  /// Bytes for training: the parameters, the optimizer's state, the average, and the memory of batches.
  func trainingMemory(_ configuration: RunConfiguration) -> Int {
    let isAdam = if case .adam = configuration.stepSize { true } else { false }
    let moments = isAdam ? 2 : 0
    let rowSteps = isAdam ? network.embedding?.indexCount ?? 0 : 0
    let copies = 1 + moments + (configuration.averaging.everyGames > 0 ? 1 : 0)
    let width = network.tensors.reduce(0) { $0 + ($1.role == .bias ? $1.count : 0) } + network.inputWidth
    let choices = configuration.gamesAtOnce * (features.base is SetFeatures ? SetSelfPlay.choiceLimit : 4)
    let (features, row) = (network.embedding?.featureCount ?? 0, network.embedding?.rowWidth ?? 0)
    let batches = (choices + configuration.batch) * (features + 3 * width) + configuration.batch * features * row
    return 4 * (network.parameterCount * copies + rowSteps + batches)
  }
}
