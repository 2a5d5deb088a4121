internal import PlainText
internal import Safetensors
package import TupeloCluster
internal import TupeloConfiguration
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
public import TupeloNetwork
package import TupeloTables

/// A training run by self-play, from a configuration or resumed from a checkpoint.
///
/// With one thread the weights after n games depend on the configuration alone, bit for bit, also across a checkpoint.
/// With interleaved games, and games in lockstep, this holds for n that are multiples of `groupGames`, where a stopped
/// run stops. With more threads the weights vary from run to run by chance.
public final class Trainer {
  public let configuration: RunConfiguration
  /// The number of games since the start of the run, also before a checkpoint.
  public private(set) var games: Int
  public private(set) var moves: Int
  let state: any TrainingState
  /// The name of a game that the caller brought along; `nil` for a game of the configuration.
  let ownGame: String?
  /// The processes that train together; this one alone by default.
  package let communicator: any Communicator
  /// A sample of the weights at the last `updateNorm`.
  var look: UpdateNorm?
  /// Set by a task between rounds: training stops there.
  package var isToStop = false
  /// What there is to say of the checkpoint that training went on from.
  public internal(set) var note: CheckpointError?

  /// A fresh run.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`, before anything is allocated, when the run does not fit.
  public convenience init(_ configuration: RunConfiguration) throws {
    try self.init(configuration, communicator: SoloCommunicator())
  }

  /// A fresh run of several processes, each of which makes such a trainer of the same configuration.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`, before anything is allocated, when the run does not fit.
  package convenience init(_ configuration: RunConfiguration, communicator: any Communicator) throws {
    let streams = (0..<configuration.workers * communicator.size).map {
      RandomStream(seed: configuration.seed, stream: UInt64($0))
    }
    try self.init(
      configuration, streams: streams, games: 0, moves: 0, initialValue: configuration.initialValue,
      communicator: communicator)
    if let path = configuration.initialModel {
      let file = try SafetensorsFile(path: ModelPath.file(at: path))
      let model = try ModelDescription(in: file, of: GameCatalogue([configuration.game]))
      try state.read(initial: file, of: model)
    }
    try state.begin(after: 0)
  }

  /// A run in which no game has been played by this trainer.
  ///
  /// - Parameter streams: the random streams of the workers of all processes
  convenience init(
    _ configuration: RunConfiguration, streams: [RandomStream], games: Int, moves: Int, initialValue: Float = 0,
    communicator: any Communicator
  ) throws {
    try configuration.validate()
    let structure = try Self.trainable(configuration, communicator: communicator)
    let run = NewRun(
      configuration: configuration, streams: streams, initialValue: initialValue, communicator: communicator)
    let state = try structure.makeTraining(run)
    self.init(configuration, state, games: games, moves: moves, communicator: communicator)
  }

  /// A run of a state that has been made.
  init(
    _ configuration: RunConfiguration, _ state: any TrainingState, ownGame: String? = nil, games: Int, moves: Int,
    communicator: any Communicator
  ) {
    (self.configuration, self.state, self.ownGame) = (configuration, state, ownGame)
    (self.games, self.moves, self.communicator) = (games, moves, communicator)
  }

  /// Bytes for a run's weights and for everything that is kept with them.
  ///
  /// - Parameter ranks: the number of processes that train together; the bytes are those of one of them
  /// - Returns: 0 for a model that the program does not train
  public static func memory(of configuration: RunConfiguration, ranks: Int = 1) -> Int {
    configuration.trainable?.trainingMemory(configuration, ranks: ranks) ?? 0
  }

  /// Makes sure that processes can train a configuration together, and that all of them that share this machine fit.
  ///
  /// - Throws: `TrainingError.unreplicated`; `WeightStorageError.outOfMemory`, or another error that a kind of model
  ///   has for it.
  package static func check(_ configuration: RunConfiguration, communicator: any Communicator) throws {
    _ = try trainable(configuration, communicator: communicator)
  }

  /// Makes sure that a run can be, and tells how its model is trained.
  private static func trainable(
    _ configuration: RunConfiguration, communicator: any Communicator
  ) throws -> any TrainableStructure {
    if communicator.size > 1, let setting = configuration.unreplicated.last {
      throw TrainingError.unreplicated(setting)
    }
    guard let structure = configuration.trainable else {
      throw TrainingError.untrained(configuration.game.title)
    }
    let bytes = structure.trainingMemory(configuration, ranks: communicator.size) * communicator.localSize
    let available = MemoryLimit.bytes
    guard bytes <= available else {
      throw structure.outOfMemory(configuration, bytes: bytes, available: available)
    }
    return structure
  }

  /// Makes sure that a run fits: all its tables together, not each alone.
  package static func check(_ memory: Int, available: Int) throws(WeightStorageError) {
    guard memory <= available else { throw .outOfMemory(bytes: memory, available: available) }
  }

  /// The size of a checkpoint of this run in bytes, up to its header and what workers remember.
  package var checkpointByteCount: Int { state.tensors.reduce(0) { $0 + $1.byteCount } }

  /// What merging replicas has cost so far; `nil` without replicas.
  package var merges: MergeTotals? { state.merges }

  /// False when the kernel refused huge pages: slower by 10 to 25%.
  public var hasHugePages: Bool { state.hasHugePages }

  /// A copy of the model to play with. It has averaged weights if the configuration averages and there has been a
  /// merge.
  ///
  /// Call it between rounds. The copy does not change while training goes on, and training does not change with it.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`; `TrainingError.ownGame` for a game that only the caller knows, whose
  ///   values `values(_:)` has.
  public func model() throws -> TrainedModel { try state.model(isCopy: true) }

  /// `model()`, to be read only: until the next merge it may share the memory of the average.
  package func modelToRead() throws -> TrainedModel { try state.model(isCopy: false) }

  /// The n-tuple network of `model()`.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`; `TrainedModelError` for a run of another kind.
  public func network() throws -> NTupleNetwork {
    try model().board(path: configuration.name).patterns(path: configuration.name)
  }

  /// Trains until the run has `target` games, or `shouldStop` returns true.
  ///
  /// It returns at once when the run has as many games already. It does not heed `training.minutes`.
  ///
  /// - Parameters:
  ///   - target: the number of games of the whole run, with those played already; `training.games` of the configuration
  ///     by default
  ///   - reportGames: `onRound` is always called at multiples of this number of games; `training.report_games` of the
  ///     configuration by default, 0 for no such calls
  ///   - shouldStop: called before each game, from any thread; by default nothing stops the training
  ///   - onRound: called several times a second, and at multiples of `reportGames` or at the end of their group of
  ///     interleaved games, with the progress since the last call; no worker runs meanwhile. An error that it throws
  ///     ends the training.
  /// - Throws: `TrainingError.diverged` when the weights grow beyond all bounds; the errors of `onRound`.
  public func train(
    until target: Int? = nil, reportGames: Int? = nil, shouldStop: @Sendable () -> Bool = { false },
    onRound: (TrainingProgress) throws -> Void
  ) throws {
    let reportTask = RoundTask(every: reportGames ?? configuration.training.reportGames) { _ in }
    try train(
      until: target ?? configuration.training.games, tasks: [reportTask], shouldStop: shouldStop, onRound: onRound)
  }

  /// Trains until the run has `target` games, without a word.
  ///
  /// - Parameter target: the number of games of the whole run, with those played already; `training.games` of the
  ///   configuration by default
  /// - Throws: `TrainingError.diverged` when the weights grow beyond all bounds.
  public func train(until target: Int? = nil) throws { try train(until: target) { _ in } }

  /// Whether one thread plays interleaved games. They learn from each other, so it plays them in groups that end at
  /// multiples of `groupGames`: neither the clock nor who looks on changes what is learned.
  ///
  /// It is the number of games in such a group, and `nil` without groups.
  package var groupGames: Int? { state.pool.groupGames(workers: configuration.workers) }

  /// The largest mean |TD error| of a round, in score points: twenty times what a game can score, and ten times what
  /// `learner.initial_value` may be. A run beyond it has diverged; its weights would soon be infinite.
  private static var largestError: Double { 1e8 }

  /// Trains until `target` games have been played in all, or `shouldStop` says so.
  ///
  /// - Parameters:
  ///   - tasks: what is done between rounds besides what training itself does then, after `onRound`. They change
  ///     nothing of what is learned: what is due within a group waits for its end
  ///   - shouldStop: asked before each game, from any thread
  ///   - onRound: told several times a second what has happened since it was last told
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
      // Stopped before the first game began: nothing has happened.
      guard round.games > 0 else { continue }
      games += round.games
      moves += round.moves
      guard round.absoluteErrorMean <= Self.largestError else { throw TrainingError.diverged(games: games) }
      try ownTasks.run(before: before, after: games)
      try onRound(round)
      try tasks.run(before: before, after: games)
    }
  }

  /// What the first of the processes that train together says.
  private func agree(_ answer: Bool) -> Bool { communicator.broadcast([answer]) == [true] }
}

/// Why training stopped.
public enum TrainingError: Error, Hashable, Sendable {
  case diverged(games: Int)
  /// The program has no training for models of this kind.
  case untrained(String)
  /// Several processes cannot train together with this setting.
  case unreplicated(String)
  /// A game of the caller's own has no such setting.
  case notOfGame(game: String, key: String)
  /// A name that no game can have in files.
  case badName(game: String)
  /// Only the program that brought the game along knows its models.
  case ownGame(String)
  /// An encoder with other numbers of features or weights than the run has.
  case otherEncoder(features: Int, weights: Int, of: Int, Int)
}

extension TrainingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .diverged(let games):
      "the weights grew beyond all bounds within the first \(CountText.text(games, "game")): lower learner.alpha"
        + " (a checkpoint from before is untouched)"
    case .untrained(let model):
      "\(model): this program plays by such a model and does not train it"
    case .unreplicated(let setting):
      "several processes cannot train together with \(setting): start the program without mpirun"
    case .notOfGame(let game, let key):
      "\(key) means nothing in the game \(game), which the program brings along: leave it as it is by default"
    case .badName(let game):
      "the game '\(game)' has a name that files cannot have: take lower-case letters, digits and hyphens, and not "
        + "2048"
    case .otherEncoder(let features, let weights, let ownFeatures, let ownWeights):
      "the encoder has \(features) features of \(weights) weights, and the run \(ownFeatures) of \(ownWeights): give "
        + "the encoder that the run trains with"
    case .ownGame(let game):
      "the game \(game) has no model that the program knows: ask the trainer for its values"
    }
  }
}
