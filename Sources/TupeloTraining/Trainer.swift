internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
public import TupeloNetwork
internal import TupeloStates
internal import TupeloTables

/// A training run by self-play, from a configuration or resumed from a checkpoint.
///
/// With one thread the weights after n games depend on the configuration alone, bit for bit, also across a checkpoint.
/// With interleaved games this holds for n that are multiples of `RunConfiguration.Training.groupGames`, where a
/// stopped run stops. With more threads the weights vary from run to run by chance.
public final class Trainer {
  public let configuration: RunConfiguration
  /// The number of games since the start of the run, also before a checkpoint.
  public private(set) var games: Int
  public private(set) var moves: Int
  let state: any TrainingState
  /// The weights at the last `updateNorm`.
  var looks: [UpdateNorm] = []

  /// A fresh run.
  ///
  /// - Throws: `WeightStorageError.outOfMemory` when the network does not fit.
  public convenience init(_ configuration: RunConfiguration) throws {
    let streams = (0..<configuration.training.threads).map {
      RandomStream(seed: configuration.seed, stream: UInt64($0))
    }
    try self.init(configuration, streams: streams, games: 0, moves: 0, initialValue: configuration.initialValue)
    if let path = configuration.initialModel { try state.read(initial: SafetensorsFile(path: path)) }
    try state.begin(after: 0)
  }

  /// A run in which no game has been played by this trainer.
  init(
    _ configuration: RunConfiguration, streams: [RandomStream], games: Int, moves: Int, initialValue: Float = 0
  ) throws {
    try configuration.validate()
    self.configuration = configuration
    self.games = games
    self.moves = moves
    func state<Rule: StepSizeRule>(_ rule: Rule) throws -> any TrainingState {
      guard let states = configuration.model.states else {
        return try NetworkTraining(rule, configuration, streams: streams, initialValue: initialValue)
      }
      return try StateTraining(rule, configuration, states, streams: streams, initialValue: initialValue)
    }
    self.state =
      switch configuration.stepSize {
      case .constant(let alpha): try state(ConstantStepSize(alpha: alpha))
      case .temporalCoherence(let alpha): try state(TemporalCoherence(alpha: alpha))
      }
  }

  /// Bytes for a run's weights and for everything that is kept with them.
  public static func memory(of configuration: RunConfiguration) -> Int {
    let perWeight =
      switch configuration.stepSize {
      case .constant: PlainCell.byteCount
      case .temporalCoherence: CoherenceCell.byteCount
      }
    let average = configuration.averaging.everyGames > 0 ? PlainCell.byteCount : 0
    let visits = configuration.visits.bonus > 0 ? VisitCounts.byteCount : 0
    let states =
      switch configuration.stepSize {
      case _ where configuration.states.bits == 0: 0
      case .constant: StateTraining<ConstantStepSize>.memory(configuration)
      case .temporalCoherence: StateTraining<TemporalCoherence>.memory(configuration)
      }
    return configuration.network.weightCount * (perWeight + average) + visits + states
  }

  /// Whether the kernel granted huge pages; without them training is slower, by 10 to 25%.
  public var hasHugePages: Bool { state.hasHugePages }

  /// A copy of the model to play with. It has averaged weights if the configuration averages and there has been a
  /// merge.
  ///
  /// Call it between rounds. The copy does not change while training goes on.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public func model() throws -> TrainedModel { try state.model() }

  /// The n-tuple network of `model()`.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public func network() throws -> NTupleNetwork { try state.model().patterns }

  /// Trains until the run has `target` games, or `shouldStop` returns true.
  ///
  /// - Parameters:
  ///   - target: the number of games of the whole run, with those played already
  ///   - reportGames: `onRound` is always called at multiples of this number of games
  ///   - shouldStop: called before each game, from any thread
  ///   - onRound: called several times a second, and at multiples of `reportGames`, with the progress since the last
  ///     call; no worker runs meanwhile
  public func train(
    until target: Int, reportGames: Int, shouldStop: @Sendable () -> Bool, onRound: (TrainingProgress) throws -> Void
  ) throws {
    try train(until: target, tasks: [RoundTask(every: reportGames) { _ in }], shouldStop: shouldStop, onRound: onRound)
  }

  /// Trains until the run has `target` games, or `shouldStop` returns true.
  ///
  /// - Parameters:
  ///   - tasks: tasks between rounds, after training's own tasks and `onRound`
  ///   - shouldStop: called before each game, from any thread
  ///   - onRound: called several times a second with the progress since the last call
  package func train(
    until target: Int, tasks: [RoundTask], shouldStop: @Sendable () -> Bool,
    onRound: (TrainingProgress) throws -> Void
  ) throws {
    let clock = ContinuousClock()
    let (threads, soloGames, ownTasks) = (configuration.training.threads, configuration.training.soloGames, state.tasks)
    while games < target, !shouldStop() {
      let before = games
      let isSolo = before < soloGames
      let boundary = min(
        target, ownTasks.next(after: before), tasks.next(after: before), isSolo ? soloGames : Int.max)
      let round = state.pool.playRound(
        games: boundary - before, after: before, workers: isSolo ? 1 : threads,
        until: clock.now + .milliseconds(250), shouldStop: shouldStop)
      games += round.games
      moves += round.moves
      guard round.absoluteErrorSum.isFinite else { throw TrainingError.diverged(games: games) }
      try ownTasks.run(before: before, after: games)
      try onRound(round)
      try tasks.run(before: before, after: games)
    }
  }
}

/// Why training stopped.
public enum TrainingError: Error, Hashable, Sendable {
  case diverged(games: Int)
}

extension TrainingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .diverged(let games):
      "the weights became infinite or undefined within the first \(games) games: lower learner.alpha"
        + " (the last checkpoint is untouched)"
    }
  }
}
