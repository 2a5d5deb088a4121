internal import Safetensors
internal import TupeloBase
package import TupeloCluster
internal import TupeloConfiguration
internal import TupeloEngine
internal import TupeloLearning
package import TupeloModels
public import TupeloNetwork
package import TupeloTables

/// A training run by self-play, from a configuration or resumed from a checkpoint.
///
/// With one thread the weights after n games depend only on the configuration, bit for bit, also across a checkpoint.
/// With interleaved games, and games in lockstep, this holds if n is a multiple of `groupGames`; a stopped run stops at
/// such a multiple. With several threads the weights vary from run to run.
public final class Trainer {
  public let configuration: RunConfiguration
  /// The number of games since the start of the run, including games before a checkpoint.
  public private(set) var games: Int
  public private(set) var moves: Int
  package let state: any TrainingState
  /// The processes that train together; by default only this process.
  package let communicator: any Communicator
  /// A sample of the weights at the last `updateNorm`.
  var look: UpdateNorm?
  /// Whether a TD error that is not 0 has been reported.
  private var reportsErrors = false
  /// Set by a task between rounds: training stops there.
  package var isToStop = false
  /// A warning about the checkpoint from which training continues.
  public internal(set) var note: CheckpointError?
  /// The numbers of games at which the run has continued from a portable state.
  public internal(set) var roundedAt: [Int] = []

  /// Makes the player that measures the present values, where the caller defines the encoder; `nil` where a model does.
  var ownContender: (@Sendable (Trainer) throws -> Contender)?

  /// Bytes of the caller that checkpoints contain, such as a history for plots. A resumed run has the bytes of its
  /// checkpoint, which may come from somebody else. Training does not read them.
  public var attachment: [UInt8] = []

  /// Makes a new run.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`, before anything is allocated, when the run does not fit.
  public convenience init(_ configuration: RunConfiguration) throws {
    try self.init(configuration, communicator: SoloCommunicator())
  }

  /// Makes a new run of several processes. Each process makes such a trainer with the same configuration.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`, before anything is allocated, when the run does not fit.
  package convenience init(_ configuration: RunConfiguration, communicator: any Communicator) throws {
    let streams = (0..<configuration.workers * communicator.size).map {
      RandomStream(seed: configuration.seed, stream: UInt64($0))
    }
    try self.init(
      configuration, streams: streams, games: 0, moves: 0, initialValue: configuration.initialValue,
      communicator: communicator)
    try begin()
  }

  /// Gives a new run the weights of its initial model, if it has one, and prepares the first round.
  func begin() throws {
    if let path = configuration.initialModel {
      let file = try SafetensorsFile(path: ModelPath.file(at: path))
      let model = try ModelDescription(in: file, of: GameCatalogue([configuration.game]))
      try state.read(initial: file, of: model)
    }
    try state.begin(after: 0, since: 0)
  }

  /// Makes a run in which this trainer has played no game.
  ///
  /// - Parameter streams: the random streams of the workers of all processes
  convenience init(
    _ configuration: RunConfiguration, streams: [RandomStream], games: Int, moves: Int, initialValue: Float = 0,
    communicator: any Communicator
  ) throws {
    try configuration.validate()
    let structure = try Self.trainable(configuration, communicator: communicator)
    let run = RunInput(
      configuration: configuration, streams: streams, initialValue: initialValue, communicator: communicator)
    let state = try structure.makeTraining(run)
    self.init(configuration, state, games: games, moves: moves, communicator: communicator)
  }

  /// Makes a run from an existing state.
  init(
    _ configuration: RunConfiguration, _ state: any TrainingState, games: Int, moves: Int,
    communicator: any Communicator
  ) {
    (self.configuration, self.state) = (configuration, state)
    (self.games, self.moves, self.communicator) = (games, moves, communicator)
  }

  /// Bytes for a run's weights and for everything that is kept with them.
  ///
  /// - Parameter ranks: the number of processes that train together; the bytes are those of one of them
  /// - Returns: 0 for a model that the program does not train
  public static func memory(of configuration: RunConfiguration, ranks: Int = 1) -> Int {
    configuration.trainable?.trainingMemory(configuration, ranks: ranks) ?? 0
  }

  /// Checks that processes can train a configuration together, and that all processes on this machine fit into its
  /// memory.
  ///
  /// - Throws: `TrainingError.unreplicated` or `tooManyReplicas`; `WeightStorageError.outOfMemory`, or the
  ///   corresponding error of another kind of model.
  package static func check(_ configuration: RunConfiguration, communicator: any Communicator) throws {
    _ = try trainable(configuration, communicator: communicator)
  }

  /// Checks that a run is possible, and returns the structure of its model.
  private static func trainable(
    _ configuration: RunConfiguration, communicator: any Communicator
  ) throws -> any TrainableStructure {
    guard configuration.own.isEmpty else { throw TrainingError.ownParts(configuration.own) }
    if communicator.size > 1, let setting = configuration.unreplicated.last {
      throw TrainingError.unreplicated(setting)
    }
    guard let structure = configuration.trainable else {
      throw TrainingError.untrained(configuration.game.title)
    }
    let bytes = structure.trainingMemory(configuration, ranks: communicator.size) * communicator.localSize
    let available = MemoryLimit.bytes
    guard bytes <= available else {
      var alone = configuration
      alone.training.replicas = 1
      let least = structure.trainingMemory(alone, ranks: communicator.size) * communicator.localSize
      if least <= available {
        throw TrainingError.tooManyReplicas(configuration.training.replicas, bytes: bytes, available: available)
      }
      throw structure.outOfMemory(configuration, bytes: bytes, available: available)
    }
    return structure
  }

  /// Checks that all tables of a run together fit into memory.
  package static func check(_ memory: Int, available: Int) throws(WeightStorageError) {
    guard memory <= available else { throw .outOfMemory(bytes: memory, available: available) }
  }

  /// The size of a checkpoint of this run in bytes, without its header and the start positions of workers.
  package var checkpointByteCount: Int { state.tensors.reduce(0) { $0 + $1.byteCount } }

  /// The cost of merging replicas so far; `nil` without replicas.
  package var merges: MergeTotals? { state.merges }

  /// Whether the kernel granted huge pages. Without them training is 10 to 25% slower.
  public var hasHugePages: Bool { state.hasHugePages }

  /// A copy of the model for play. It has averaged weights if the configuration averages and there has been a merge.
  ///
  /// Call it between rounds. Further training does not change the copy, and changes to the copy do not affect training.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`; `TrainingError.ownGame` for a game that the caller defines. For such a
  ///   game use `values(_:)`.
  public func model() throws -> TrainedModel { try state.model(isCopy: true) }

  /// The model as in `model()`, but only for reading: until the next merge it may share the memory of the average.
  package func modelToRead() throws -> TrainedModel { try state.model(isCopy: false) }

  /// The player that measures the run as its configuration says, and its model; no model where the caller defines the
  /// encoder. `nil` for a game that the caller defines. Like `modelToRead`, it is for reading.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  package func contender() throws -> (player: Contender, model: TrainedModel?)? {
    guard configuration.own.game == nil else { return nil }
    if let ownContender { return (try ownContender(self), nil) }
    let model = try modelToRead()
    return (configuration.contender(model), model)
  }

  /// The n-tuple network of `model()`.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`; `TrainedModelError` for a run of another kind.
  public func network() throws -> NTupleNetwork {
    try model().board(path: configuration.name).patterns(path: configuration.name)
  }

  /// Trains until the run has `target` games, or `shouldStop` returns true.
  ///
  /// It returns at once if the run has this number of games already. It ignores `training.minutes`.
  ///
  /// - Parameters:
  ///   - target: the number of games of the whole run, including the games already played; `training.games` of the
  ///     configuration by default
  ///   - reportGames: `onRound` is always called at multiples of this number of games; `training.report_games` of the
  ///     configuration by default, 0 for no such calls
  ///   - shouldStop: called once before each round and then before each game, from any thread; by default nothing stops
  ///     the training
  ///   - onRound: called several times a second, and at multiples of `reportGames` or at the end of their group of
  ///     interleaved games, with the progress since the last call. No worker runs during the call. An error that it
  ///     throws ends the training.
  /// - Throws: `TrainingError.diverged` when the weights grow beyond all bounds; the errors of `onRound`.
  public func train(
    until target: Int? = nil, reportGames: Int? = nil, shouldStop: @Sendable () -> Bool = { false },
    onRound: (TrainingProgress) throws -> Void
  ) throws {
    let reportTask = RoundTask(every: reportGames ?? configuration.training.reportGames) { _ in }
    try train(
      until: target ?? configuration.training.games, tasks: [reportTask], shouldStop: shouldStop, onRound: onRound)
  }

  /// Trains until the run has `target` games, without reports.
  ///
  /// - Parameter target: the number of games of the whole run, including the games already played; `training.games` of
  ///   the configuration by default
  /// - Throws: `TrainingError.diverged` when the weights grow beyond all bounds.
  public func train(until target: Int? = nil) throws { try train(until: target) { _ in } }

  /// The number of games in a group of interleaved games of one thread; `nil` without groups.
  ///
  /// Interleaved games learn from each other, so one thread plays them in groups that end at multiples of this number.
  /// Then neither time nor reports change the training.
  package var groupGames: Int? { state.pool.groupGames(workers: configuration.workers) }

  /// The largest mean |TD error| of a round, in score points: twenty times the largest score of a game, and ten times
  /// the largest `learner.initial_value`. A run beyond it has diverged, and its weights would soon be infinite.
  private static var largestError: Double { 1e8 }

  /// Trains until `target` games have been played in all, or `shouldStop` returns true.
  ///
  /// - Parameters:
  ///   - tasks: additional tasks between rounds, which run after `onRound`. They do not change the training: a task
  ///     that is due within a group waits for its end
  ///   - shouldStop: called once before each round and then before each game, from any thread
  ///   - onRound: called several times a second with the progress since the last call
  package func train(
    until target: Int, tasks: [RoundTask], shouldStop: @Sendable () -> Bool,
    onRound: (TrainingProgress) throws -> Void
  ) throws {
    let clock = ContinuousClock()
    let (soloGames, ownTasks) = (configuration.training.soloGames, state.tasks)
    let allWorkers = configuration.workers * communicator.size
    while games < target, !agree(isToStop || shouldStop()) {
      let before = games
      let isSolo = before < soloGames
      let workers = isSolo ? 1 : allWorkers
      let roundEnd = state.pool.roundEnd(
        training: ownTasks.next(after: before), others: tasks.next(after: before), workers: workers)
      let boundary = min(target, roundEnd, isSolo ? soloGames : Int.max)
      let round = withoutActuallyEscaping(shouldStop) { shouldStop in
        state.pool.playRound(
          PlayRound(
            games: boundary - before, after: before, workers: workers,
            .clock(clock.now + .milliseconds(250), shouldStop: shouldStop)))
      }
      // The round was stopped before its first game began, so nothing has changed.
      guard round.games > 0 else { continue }
      games += round.games
      moves += round.moves
      try check(round)
      try ownTasks.run(before: before, after: games)
      try onRound(round)
      try tasks.run(before: before, after: games)
    }
  }

  /// Checks the numbers of a round. A learner that the caller defines must have reported errors by its
  /// `silentGames`-th game.
  private func check(_ round: TrainingProgress) throws(TrainingError) {
    let own = configuration.own
    guard round.scoreSum.isFinite else { throw .badReward(game: own.game ?? configuration.game.name) }
    guard round.absoluteErrorMean <= Self.largestError else {
      if let rule = own.rule, round.absoluteErrorSum.isNaN { throw .notANumber(rule: rule, games: games) }
      throw .diverged(games: games)
    }
    guard let learner = own.learner else { return }
    reportsErrors = reportsErrors || round.absoluteErrorSum > 0
    if !reportsErrors, games >= Self.silentGames { throw .learnsNothing(learner: learner, games: games) }
  }

  private static var silentGames: Int { 1000 }

  /// The answer of the first of the processes that train together.
  private func agree(_ answer: Bool) -> Bool { communicator.broadcast([answer]) == [true] }
}

/// Why training stopped.
public enum TrainingError: Error, Hashable, Sendable {
  case diverged(games: Int)
  /// A reward of the game is infinite, or not a number.
  case badReward(game: String)
  /// The program has no training for models of this kind.
  case untrained(String)
  /// Several processes cannot train together with this setting.
  case unreplicated(String)
  /// The replicas do not fit into memory, and one of them would.
  case tooManyReplicas(Int, bytes: Int, available: Int)
  /// The setting does not apply to a game that the caller defines.
  case notOfGame(game: String, key: String)
  /// The setting has no effect with a part of the run.
  case notOf(part: String, key: String)
  /// The setting has no effect with a learner that the caller defines.
  case notOfLearner(String, key: String)
  /// Only the program that defines these parts can train the run.
  case ownParts(OwnParts)
  /// A setting of section `own` that the program has not read.
  case unread(setting: String)
  /// A weight, or a step of the caller's rule, is not a number.
  case notANumber(rule: String, games: Int)
  /// The caller's learner has reported no TD error.
  case learnsNothing(learner: String, games: Int)
  /// The caller's learner asks for no slots.
  case badWindow(learner: String, window: Int, scratchSlots: Int)
  /// The name is not allowed for a game in files.
  case badName(game: String)
  /// Only the program that defines the game can make its models.
  case ownGame(String)
  /// Only the program that defines the encoder can make its models.
  case ownEncoder(String)
  /// The encoder's number of features or weights differs from the run's.
  case otherEncoder(features: Int, weights: Int, of: Int, Int)
}

extension TrainingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .diverged(let games):
      "the weights grew beyond all bounds within the first \(CountText.text(games, "game")): lower learner.alpha"
        + " (a checkpoint from before is untouched)"
    case .badReward(let game):
      "the game \(game) has given a reward that is not a finite number: check its rewards"
    case .untrained(let model):
      "\(model): this program can play with such models, but not train them"
    case .unreplicated(let setting):
      "several processes cannot train together with \(setting): start the program without mpirun"
    case .tooManyReplicas(let replicas, let bytes, let available):
      "training.replicas is \(replicas), which needs \(NumberText.bytes(bytes)), and this process may use "
        + "\(NumberText.bytes(available)) of memory: use fewer replicas"
    case .notOfGame(let game, let key):
      "\(key) does not apply to the game \(game): leave it out"
    case .notOf(let part, let key):
      "\(key) has no effect with \(part): leave it out"
    case .notOfLearner(let learner, let key):
      "\(key) has no effect with the learner \(learner): leave it out, or name it in learnerKeys if the learner reads "
        + "it"
    case .ownParts(let parts):
      "the configuration is of a run with \(parts.text), which this program does not have: train it with the program "
        + "that has it"
    case .unread(let setting):
      "\(setting): the program that trains the run reads no such setting: leave it out, or look at its spelling"
    case .notANumber(let rule, let games):
      "a weight is not a number within the first \(CountText.text(games, "game")): lower learner.alpha, or look for a "
        + "division by 0 in the rule \(rule)"
    case .learnsNothing(let learner, let games):
      "the learner \(learner) has reported no error in \(CountText.text(games, "game")): it must call `table.learn` or "
        + "`table.update`, and add |error| to `errors`"
    case .badWindow(let learner, let window, let scratchSlots):
      "the learner \(learner) has a window of \(window) and \(scratchSlots) scratch slots: a window is at least 1, and "
        + "scratch slots are at least 0"
    case .badName(let game):
      "'\(game)' is not a valid name of a game: use lower-case letters, digits and hyphens; for 2048 leave out game:"
    case .otherEncoder(let features, let weights, let ownFeatures, let ownWeights):
      "the encoder has \(features) features of \(weights) weights, and the run \(ownFeatures) of \(ownWeights): give "
        + "the encoder that the run trains with"
    case .ownGame(let game):
      "the game \(game) has no model that the program knows: call `Trainer.values(_:)`"
    case .ownEncoder(let encoder):
      "values of the encoder \(encoder) are not a model that the program knows: call `Trainer.values(_:)`"
    }
  }
}
