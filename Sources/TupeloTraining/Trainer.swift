internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
public import TupeloNetwork
internal import TupeloTables

/// A training run: self-play from a configuration, or on from a checkpoint.
///
/// With one thread the weights after n games depend on the configuration alone, bit for bit, also across a checkpoint; where it plays more than
/// one game in turn, for n that are multiples of `RunConfiguration.Training.groupGames`, which is where a stopped run stops. With more
/// threads they vary from run to run within what chance does.
public final class Trainer {
  public let configuration: RunConfiguration
  /// Everything since the first game, also from before a checkpoint.
  public private(set) var games: Int
  public private(set) var moves: Int
  let state: any TrainingState
  /// The weights as `updateNorm` last saw them.
  var lastUpdate: UpdateNorm?

  /// A fresh run.
  ///
  /// - Throws: `WeightStorageError.outOfMemory` when the network does not fit.
  public convenience init(_ configuration: RunConfiguration) throws {
    let streams = (0..<configuration.training.threads).map {
      RandomStream(seed: configuration.seed, stream: UInt64($0))
    }
    try self.init(configuration, streams: streams, games: 0, moves: 0, initialValue: configuration.initialValue)
    if let path = configuration.initialModel { try state.read(initial: SafetensorsFile(path: path)) }
    if configuration.states.afterGames == 0 { beginStates() }
  }

  init(
    _ configuration: RunConfiguration, streams: [RandomStream], games: Int, moves: Int, initialValue: Float = 0
  ) throws {
    try configuration.validate()
    self.configuration = configuration
    self.games = games
    self.moves = moves
    self.state =
      switch configuration.stepSize {
      case .constant(let alpha):
        try RuleState(
          ConstantStepSize(alpha: alpha), configuration, streams: streams, initialValue: initialValue)
      case .temporalCoherence(let alpha):
        try RuleState(
          TemporalCoherence(alpha: alpha), configuration, streams: streams, initialValue: initialValue)
      }
    state.set(configuration.phase(after: games))
  }

  /// Bytes that a run's weights, and what is kept beside them, will take.
  public static func memory(of configuration: RunConfiguration) -> Int {
    let perWeight =
      switch configuration.stepSize {
      case .constant: PlainCell.byteCount
      case .temporalCoherence: CoherenceCell.byteCount
      }
    let average = configuration.averaging.everyGames > 0 ? PlainCell.byteCount : 0
    let stateBits = configuration.network.stateBits
    let visits = configuration.visits.bonus > 0 ? VisitCounts.byteCount : 0
    let states = stateBits > 0 ? (StateIndex.byteCount + StateMemory.byteCount) << stateBits : 0
    return configuration.network.weightCount * (perWeight + average) + visits + states
  }

  /// False when the kernel refused huge pages: slower by 10 to 25%.
  public var hasHugePages: Bool { state.hasHugePages }

  /// The weights to play with: their average where the configuration asks for one, else a copy of them as they stand.
  public func network() throws -> NTupleNetwork {
    fillAverage()
    return try state.network()
  }

  /// Before the first merge there is no average yet: the weights as they are stand in for it, until that merge takes their place.
  func fillAverage() {
    if games < configuration.averaging.everyGames { state.average(merges: 0) }
  }

  /// From here on patterns stay as they are, if states learn: complete, and the same in what plays.
  private func beginStates() {
    guard configuration.network.stateBits > 0 else { return }
    state.fillStages()
    state.average(merges: 0)
  }

  /// Trains until `target` games have been played in all, or `shouldStop` says so.
  ///
  /// - Parameters:
  ///   - pauseGames: 0, or games between further calls of `onRound` at exactly their multiples
  ///   - shouldStop: asked before each game, from any thread
  ///   - onRound: told several times a second, and always when the number of games reaches a multiple of `reportGames`, what has
  ///     happened since it was last told; no worker runs meanwhile
  public func train(
    until target: Int, reportGames: Int, pausingEvery pauseGames: Int = 0, shouldStop: @Sendable () -> Bool,
    onRound: (TrainingProgress) throws -> Void
  ) throws {
    let clock = ContinuousClock()
    let (threads, soloGames) = (configuration.training.threads, configuration.training.soloGames)
    while games < target, !shouldStop() {
      let every = configuration.averaging.everyGames
      let nextMerge = every > 0 ? (games / every + 1) * every : Int.max
      state.set(configuration.phase(after: games))
      let decay = configuration.decay
      let nextDecay = decay.share > 0 ? (games / decay.everyGames + 1) * decay.everyGames : Int.max
      let boundary = min(
        (games / reportGames + 1) * reportGames, nextMerge, nextDecay, configuration.nextPhase(after: games),
        pauseGames > 0 ? (games / pauseGames + 1) * pauseGames : Int.max, games < soloGames ? soloGames : Int.max,
        target)
      let round = state.playRound(
        games: boundary - games, after: games, workers: games < soloGames ? 1 : threads,
        until: clock.now + .milliseconds(250), shouldStop: shouldStop)
      games += round.games
      moves += round.moves
      guard round.absoluteErrorSum.isFinite else { throw TrainingError.diverged(games: games) }
      if games == configuration.stages.afterGames, round.games > 0 {
        state.copyFirstStage()
        // The features of later stages are others from now on, and with them where visits are counted.
        state.forgetVisits()
      }
      if configuration.visits.restarts.contains(games), round.games > 0 { state.forgetVisits() }
      if games == configuration.states.afterGames, round.games > 0 { beginStates() }
      if games == nextDecay { state.decay(by: decay.share) }
      if games == nextMerge {
        state.average(merges: games / every - 1)
        if configuration.averaging.pull > 0 { state.pullToAverage(by: configuration.averaging.pull) }
      }
      try onRound(round)
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
