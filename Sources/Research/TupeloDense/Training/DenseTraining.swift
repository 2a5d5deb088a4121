internal import Safetensors
internal import TupeloBLAS
internal import TupeloBase
internal import TupeloConfiguration
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloSelfPlay
internal import TupeloTables
internal import TupeloTraining

/// Trains a dense network of a game with one optimizer.
final class DenseTraining<Game: SelfPlayGame, Encoder: DenseEncoder, O: Optimizer>: TrainingState
where Encoder.State == Game.Choices.State {
  private let configuration: RunConfiguration
  private let specification: DenseModelSpecification
  private let encoder: Encoder
  /// The worker, which owns network and optimizer.
  private let worker: LockstepPool<Game, Encoder, O>
  /// The average of the parameters; empty without averaging.
  private var average: FloatStorage
  private var isAverageEmpty = true

  /// - Parameter initialValue: the value of every state before training, in score points
  init(
    _ configuration: RunConfiguration, _ specification: DenseModelSpecification, _ game: Game, encoder: Encoder,
    optimizer: O, streams: [RandomStream], initialValue: Float,
    play: @escaping LockstepPool<Game, Encoder, O>.Play
  ) throws {
    precondition(streams.count == 1, "one worker trains a dense network")
    (self.configuration, self.specification, self.encoder) = (configuration, specification, encoder)
    let isAveraged = configuration.averaging.everyGames > 0
    average = try FloatStorage(count: isAveraged ? specification.network.parameterCount : 0)
    // Rows begin at zero, so rows that training never uses do not affect values and take no space in compact files.
    var network = try DenseNetwork(
      specification.network, DenseInitialization(seed: configuration.seed, embeddingScale: 0, hiddenBias: 0.1))
    network.parameters[specification.network.outputBias] = initialValue / Float(specification.unit)
    let lanes = configuration.gamesAtOnce
    let learner = try DenseLearner(
      network, optimizer, encoder: encoder, settings: specification.learning(configuration),
      choices: lanes * Game.choiceLimit)
    worker = LockstepPool(
      LockstepWorker(
        game, learner: learner, epsilon: configuration.exploration, starts: (0..<lanes).map { _ in game.makeStarts() },
        random: streams[0]),
      groupGames: configuration.groupGames, play: play)
  }

  var pool: any SelfPlayPool { worker }
  var tables: [NetworkTable] { specification.tables }
  var metadata: [String: String] { ModelFile.metadata(for: specification.canonicalText) }
  var hasHugePages: Bool { true }
  var keepsSums: Bool { false }

  var tasks: [RoundTask] {
    let averaging = configuration.averaging
    return [
      RoundTask(every: averaging.everyGames) { [self] multiples, _ in
        mergeAverage(share: isAverageEmpty ? 1 : averaging.window.share(of: multiples))
      },
      RoundTask(at: configuration.phaseChanges) { [self] games in setPhase(after: games) },
    ]
  }

  func begin(after games: Int, since start: Int) throws {
    isAverageEmpty = average.count == 0 || games < configuration.averaging.everyGames
    setPhase(after: games)
  }

  private func setPhase(after games: Int) {
    worker.setStepSize(configuration.phase(after: games).alpha, isWarmUp: false)
  }

  private func mergeAverage(share: Float) {
    worker.withLearner { learner in
      learner.network.parameters.withSpan { running in
        average.withMutableSpan { PlainLoops.axpby(share, running, 1 - share, &$0) }
      }
    }
    isAverageEmpty = false
  }
}

// MARK: Checkpoints

extension DenseTraining {
  /// The name of an array of the optimizer's state in a checkpoint.
  private static func stateName(_ name: String) -> String { "training.optimizer.\(name)" }

  private static var stepsName: String { stateName("steps") }

  var tensors: [TensorDescription] {
    let prefixes = average.count == 0 ? [""] : ["", ModelFile.averagePrefix]
    let states = worker.withLearner { learner in
      learner.optimizer.stateNames.enumerated().map { number, name in
        let count = learner.optimizer.withState(number) { $0.count }
        return TensorDescription(name: Self.stateName(name), type: .f32, shape: [count])
      }
    }
    return prefixes.flatMap { specification.tensors(prefix: $0) } + states
      + [TensorDescription(name: Self.stepsName, type: .i64, shape: [1])]
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    if !isAverageEmpty, try specification.write(tensor, prefix: ModelFile.averagePrefix, average, to: &sink) {
      return true
    }
    return try worker.withLearner { learner in
      // Until there is an average, the present parameters are written instead.
      for prefix in ["", ModelFile.averagePrefix]
      where try specification.write(tensor, prefix: prefix, learner.network.parameters, to: &sink) { return true }
      if tensor.name == Self.stepsName {
        try sink.write([Int64(learner.optimizer.steps)].span)
        return true
      }
      for (number, name) in learner.optimizer.stateNames.enumerated() where tensor.name == Self.stateName(name) {
        try learner.optimizer.withState(number) { try sink.write($0) }
        return true
      }
      return false
    }
  }

  func read(from file: SafetensorsFile) throws {
    for tensor in tensors { try file.header.checked(tensor) }
    if average.count > 0 { try specification.read(file, prefix: ModelFile.averagePrefix, into: &average) }
    try worker.withLearner { learner in
      try specification.read(file, prefix: "", into: &learner.network.parameters)
      for (number, name) in learner.optimizer.stateNames.enumerated() {
        try learner.optimizer.withMutableState(number) { state in
          try file.copy(Self.stateName(name), range: 0..<state.count, into: &state)
          guard let index = state.indices.first(where: { !state[$0].isFinite }) else { return }
          throw ModelFileError.notFinite(path: file.path, name: Self.stateName(name), index: index)
        }
      }
      let steps = try file.array(of: Self.stepsName, as: Int64.self)
      guard let count = steps.first, (0...1 << 53).contains(count) else {
        throw CheckpointError.badState(path: file.path, name: Self.stepsName)
      }
      learner.optimizer.steps = Int(count)
    }
  }

  /// Copies the parameters of a network of the same structure.
  func read(initial file: SafetensorsFile, of other: ModelDescription) throws {
    guard other == ModelDescription(specification) else {
      throw ModelFileError.otherNetwork(
        path: file.path, network: other.canonicalText, wanted: specification.canonicalText)
    }
    try worker.withLearner { learner in try specification.read(file, into: &learner.network.parameters) }
  }
}

// MARK: Models and statistics

extension DenseTraining {
  /// The result is always a copy.
  func model(isCopy: Bool) throws(WeightStorageError) -> TrainedModel {
    do throws(DenseError) {
      let network =
        isAverageEmpty
        ? try worker.withLearner { (learner) throws(DenseError) -> DenseNetwork in try learner.network.copy() }
        : DenseNetwork(specification.network, parameters: try average.copy())
      return TrainedModel(DenseModel(specification, encoder: encoder, network: network))
    } catch {
      switch error {
      case .outOfMemory(let bytes, let available): throw .outOfMemory(bytes: bytes, available: available)
      case .refused(let bytes): throw .refused(bytes: bytes)
      default: preconditionFailure("a copy of a network is one: \(error)")
      }
    }
  }

  func diagnostics() -> [TableDiagnostics] {
    worker.withLearner { learner in
      specification.tableRanges.map { range in
        var table = TableDiagnostics()
        learner.network.parameters.withSpan { table.add($0.extracting(range)) }
        return table
      }
    }
  }

  func updateNorm(since look: inout UpdateNorm?) -> Double? {
    worker.withLearner { learner in
      learner.network.parameters.withSpan { parameters in
        guard look != nil else {
          look = UpdateNorm(parameters)
          return nil
        }
        return look?.advance(parameters)
      }
    }
  }
}
