internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// One thread's worth of self-play that learns as it goes.
protocol EpisodePlayer: ~Copyable, Sendable {
  associatedtype Rule: StepSizeRule

  /// As it stands between episodes.
  var random: RandomStream { get }
  /// What it remembers between episodes of where they may start; see `EpisodeStarts`.
  var startWords: [UInt64] { get }

  /// - Returns: false when they are not such words.
  mutating func restore(startWords: [UInt64]) -> Bool

  /// Changes how is learned and how positions become features, for the episodes to come.
  mutating func set(_ phase: TrainingPhase, indexer: TupleIndexer)

  /// Plays an episode for each time that `claims` says so, until it does not, and learns from all of them.
  mutating func play(while claims: () -> Bool) -> TrainingProgress
}

/// Several players, in rounds; see `SelfPlayPool`.
protocol WorkerPool: Sendable {
  /// The workers' random streams, as they stand between rounds.
  var streams: [RandomStream] { get }
  var starts: [[UInt64]] { get }

  func restore(starts words: [[UInt64]]) -> Bool
  func set(_ phase: TrainingPhase, indexer: TupleIndexer)

  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress
}

extension SelfPlayWorker: EpisodePlayer {
  var startWords: [UInt64] { starts.flatMap(\.words) }

  mutating func restore(startWords: [UInt64]) -> Bool {
    var rest = startWords[...]
    // Checkpoints of before games were played in turn have the first one's alone.
    for number in starts.indices where number == 0 || !rest.isEmpty {
      guard starts[number].restore(from: &rest) else { return false }
    }
    return rest.isEmpty
  }

  mutating func set(_ phase: TrainingPhase, indexer: TupleIndexer) {
    learner.rule = Rule(alpha: phase.alpha, isWarmUp: phase.isWarmUp)
    learnsStates = phase.learnsStates
    self.indexer = indexer
    visitBonus = phase.visitBonus
  }
}

extension TemporalDifferenceLearner {
  /// Workers that train these weights, one per random stream.
  func workers(options: SelfPlayOptions, indexer: TupleIndexer, rules: Rules, streams: [RandomStream])
    -> any WorkerPool
  {
    if options.batch > 1 {
      return SelfPlayPool(streams: streams, gamesAtOnce: 1) { random in
        MinibatchWorker(learner: self, size: options.batch, indexer: indexer, rules: rules, random: random)
      }
    }
    return SelfPlayPool(streams: streams, gamesAtOnce: options.gamesAtOnce) { random in
      SelfPlayWorker(learner: self, options: options, indexer: indexer, rules: rules, random: random)
    }
  }
}
