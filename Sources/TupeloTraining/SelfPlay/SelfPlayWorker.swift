internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloStates
internal import TupeloTables

/// One thread's worth of self-play: plays episodes and lets a learner learn from them, whatever the game, the learner
/// and what explores.
///
/// It plays some episodes in turn, a choice of each: while the memory of one is on its way, which takes as long as the
/// arithmetic of a choice, the others go on. Features are computed once per choice and serve prefetch, value and
/// update.
struct SelfPlayWorker<Game: SelfPlayGame, L: Learner & ~Copyable, X: Explorer>: ~Copyable, Sendable
where L.Encoder.State == Game.Choices.State {
  var learner: L
  var explorer: X
  /// How many of the episodes are played at once; the others wait.
  var episodesAtOnce: Int
  private(set) var random: RandomStream
  private let game: Game
  private var features: FeatureBuffer
  private var episodes: [EpisodeInPlay<Game, L>] = []
  /// By episode: what each remembers is its own, as if a thread of its own played it.
  private var starts: [Game.Starts]
  private let remembersStarts: Bool

  /// - Parameter starts: one for each episode that is played at once
  init(_ game: Game, learner: consuming L, explorer: X, starts: [Game.Starts], random: RandomStream) {
    self.game = game
    self.explorer = explorer
    self.starts = starts
    self.random = random
    episodesAtOnce = starts.count
    remembersStarts = starts.contains { $0.remembers }
    for number in starts.indices {
      episodes.append(EpisodeInPlay(number, of: game, learner.makeEpisode(), window: learner.window))
    }
    let slots = starts.count * learner.window * Game.choiceLimit + learner.scratchSlots
    features = learner.encoder.makeBuffer(slots: slots)
    self.learner = learner
  }

  /// Plays an episode for each time that `claims` says so, until it does not, and learns from all of them.
  @specialized(where Game == Game2048, L == OneStepLearner<ConstantStepSize, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == OneStepLearner<TemporalCoherence, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == DelayedLearner<ConstantStepSize, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == DelayedLearner<TemporalCoherence, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == BackwardLearner<ConstantStepSize, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == BackwardLearner<TemporalCoherence, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == BatchLearner<ConstantStepSize, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == BatchLearner<TemporalCoherence, TupleIndexer>, X == TableExplorer)
  @specialized(where Game == Game2048, L == StateLearner<ConstantStepSize>, X == StateExplorer)
  @specialized(where Game == Game2048, L == StateLearner<TemporalCoherence>, X == StateExplorer)
  mutating func play(while claims: () -> Bool) -> TrainingProgress {
    // Out of the worker meanwhile, so that an episode may change while the worker's methods run.
    var episodes: [EpisodeInPlay<Game, L>] = []
    swap(&episodes, &self.episodes)
    defer { swap(&episodes, &self.episodes) }
    var progress = TrainingProgress()
    Turns.play(seats: episodesAtOnce) { number in
      guard claims() else { return false }
      begin(&episodes[number])
      return true
    } move: { number in
      if choose(&episodes[number]) { return true }
      finish(&episodes[number])
      progress.add(episodes[number].result)
      return false
    }
    return progress
  }

  @inline(__always)
  private mutating func begin(_ episode: inout EpisodeInPlay<Game, L>) {
    let start = starts[episode.number].next(using: &random)
    episode.result = EpisodeResult(isFresh: start.isFresh)
    learner.begin(&episode.learning)
    look(at: start.position, &episode)
  }

  /// Makes a choice; false when there is none.
  @inline(__always)
  private mutating func choose(_ episode: inout EpisodeInPlay<Game, L>) -> Bool {
    learner.settle(&episode.learning, &features, errors: &episode.result.absoluteErrors)
    let (choices, slot) = (episode.choices, episode.slot)
    guard
      let choice = explorer.choose(among: choices, slot: slot, valuedBy: &learner, &features, using: &random)
    else { return false }
    let reward = choices.reward(ofChoice: choice.number)
    let step = LearningStep(
      state: choices.state(afterChoice: choice.number), slot: slot &+ choice.number, value: choice.value,
      reward: reward, foregone: choice.foregone)
    learner.append(step, to: &episode.learning, &features, errors: &episode.result.absoluteErrors)
    episode.result.score += Int(reward)
    episode.result.moves += 1
    episode.turnBank()
    look(at: game.position(after: choices, choice: choice.number, using: &random), &episode)
    return true
  }

  /// Sees a position before its choice: asks for the memory that the choice will need.
  @inline(__always)
  private mutating func look(at position: Game.Position, _ episode: inout EpisodeInPlay<Game, L>) {
    if remembersStarts { starts[episode.number].visit(position) }
    let choices = game.choices(of: position)
    for choice in 0..<choices.end where choices.contains(choice) {
      learner.encoder.write(choices.state(afterChoice: choice), into: &features, slot: episode.slot &+ choice)
      learner.prefetch(features, slot: episode.slot &+ choice)
    }
    episode.position = position
    episode.choices = choices
  }

  @inline(__always)
  private mutating func finish(_ episode: inout EpisodeInPlay<Game, L>) {
    learner.finish(&episode.learning, &features, errors: &episode.result.absoluteErrors)
    episode.result.largestExponent = game.outcome(of: episode.position)
  }
}

extension SelfPlayWorker where L: ~Copyable {
  /// What the worker remembers between episodes of where they may start.
  var startWords: [UInt64] { starts.flatMap(\.words) }

  /// - Returns: false when they are not such words.
  mutating func restore(startWords: [UInt64]) -> Bool {
    var rest = startWords[...]
    // Checkpoints of before episodes were played in turn have the first one's alone.
    for number in starts.indices where number == 0 || !rest.isEmpty {
      guard starts[number].restore(from: &rest) else { return false }
    }
    return rest.isEmpty
  }
}
