internal import TupeloBase
package import TupeloConfiguration
public import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
public import TupeloSelfPlay
public import TupeloTraining

/// Features of a game whose dense networks can be trained. The game's module lets its features adopt this protocol.
package protocol TrainableFeatures: DenseFeatures {
  /// Makes the state that a run of a dense network over these features trains, by
  /// `DenseModelSpecification.makeTraining`.
  func makeTraining(_ specification: DenseModelSpecification, _ run: RunInput) throws -> any TrainingState

  /// The largest number of choices of any position of the game.
  var choiceLimit: Int { get }
}

extension DenseModelSpecification: TrainableStructure {
  package func makeTraining(_ run: RunInput) throws -> any TrainingState {
    try trainableFeatures.makeTraining(self, run)
  }

  private var trainableFeatures: any TrainableFeatures {
    get throws(TrainingError) {
      guard let features = features.base as? any TrainableFeatures else { throw .untrained(title) }
      return features
    }
  }

  /// Makes the state that a run trains. The caller knows game and encoder, so the compiler specialises the loop there.
  @inlinable
  package func makeTraining<Game: SelfPlayGame, Encoder: DenseEncoder>(
    _ run: RunInput, _ game: Game, _ encoder: Encoder
  ) throws -> DenseRun where Encoder.State == Game.Choices.State {
    switch run.configuration.stepSize.rule {
    case .adam:
      return try DenseRun(self, run, game, encoder, adam(run)) { (worker, claims) in worker.play(while: claims) }
    case .constant:
      return try DenseRun(self, run, game, encoder, gradientDescent(run)) { (worker, claims) in
        worker.play(while: claims)
      }
    case .temporalCoherence: preconditionFailure("a valid configuration trains no dense network so")
    }
  }

  @usableFromInline
  func adam(_ run: RunInput) throws -> Adam {
    let configuration = run.configuration
    return try Adam(
      network, stepSize: configuration.stepSize.alpha, weightDecay: configuration.weightDecay,
      rowPatience: configuration.rowPatience)
  }

  @usableFromInline
  func gradientDescent(_ run: RunInput) throws -> GradientDescent {
    let configuration = run.configuration
    return try GradientDescent(
      network, stepSize: configuration.stepSize.alpha, weightDecay: configuration.weightDecay)
  }

  func learning(_ configuration: RunConfiguration) -> DenseLearning {
    DenseLearning(
      batch: configuration.batch, returns: configuration.returns, clip: configuration.clip, unit: Float(unit))
  }
}

/// A run of a dense network, of any game and optimizer. Inlinable functions return it in place of the state, because
/// they must not name `TrainingState`.
@usableFromInline
package struct DenseRun {
  package let state: any TrainingState

  /// - Parameter play: lets the worker play, as `LockstepWorker.play` does
  @usableFromInline
  init<Game: SelfPlayGame, Encoder: DenseEncoder, O: Optimizer & ~Copyable>(
    _ specification: DenseModelSpecification, _ run: RunInput, _ game: Game, _ encoder: Encoder,
    _ optimizer: consuming O,
    play:
      @escaping @Sendable (
        inout LockstepWorker<Game, Encoder, OptimizerObject<O>>, _ claims: () -> Bool
      ) -> TrainingProgress
  ) throws where Encoder.State == Game.Choices.State {
    state = try DenseTraining(
      run.configuration, specification, game, encoder: encoder, optimizer: OptimizerObject(optimizer),
      streams: run.streams, initialValue: run.initialValue, play: play)
  }
}

// MARK: Memory

extension DenseModelSpecification {
  /// Bytes for the parameters, the optimizer's state, the average, and the memory of batches.
  package func trainingMemory(_ configuration: RunConfiguration, ranks: Int) -> Int {
    let isAdam = configuration.stepSize.rule == .adam
    let moments = isAdam ? 2 : 0
    let rowSteps = isAdam ? network.embedding?.indexCount ?? 0 : 0
    let copies = 1 + moments + (configuration.averaging.everyGames > 0 ? 1 : 0)
    let width = network.tensors.reduce(0) { $0 + ($1.role == .bias ? $1.count : 0) } + network.inputWidth
    let limit = (features.base as? any TrainableFeatures)?.choiceLimit ?? 0
    let choices = configuration.gamesAtOnce * limit
    let (features, row) = (network.embedding?.featureCount ?? 0, network.embedding?.rowWidth ?? 0)
    let batches = (choices + configuration.batch) * (features + 3 * width) + configuration.batch * features * row
    return 4 * (network.parameterCount * copies + rowSteps + batches)
  }

  package func outOfMemory(_ configuration: RunConfiguration, bytes: Int, available: Int) -> any Error {
    DenseMemoryError(batch: configuration.batch, bytes: bytes, available: available)
  }
}

/// A dense network, its optimizer and its batches are larger than the memory that the process may use.
package struct DenseMemoryError: Error, CustomStringConvertible {
  let batch: Int
  let bytes: Int
  let available: Int

  package var description: String {
    "the dense network, its optimizer and batches of \(CountText.text(batch, "state")) need "
      + "\(NumberText.bytes(bytes)) and this process may use \(NumberText.bytes(available)) of memory: use fewer or "
      + "shorter patterns, a smaller network.dense.embedding or a smaller learner.batch"
  }
}

extension TupleFeatures: TrainableFeatures {
  package var choiceLimit: Int { Game2048.choiceLimit }

  package func makeTraining(_ specification: DenseModelSpecification, _ run: RunInput) throws -> any TrainingState {
    let configuration = run.configuration
    let game = Game2048(configuration.rules, starts: configuration.start, stages: network.stages)
    return try specification.makeTraining(run, game, makeEncoder()).state
  }
}
