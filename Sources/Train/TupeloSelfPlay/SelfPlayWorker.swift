public import TupeloBase
public import TupeloLearning
public import TupeloTables

/// The self-play of one thread: it plays episodes and lets a learner learn from them, for any game and learner.
///
/// It interleaves several episodes, one choice of each: while one episode waits for memory, other episodes advance. The
/// wait is about as long as the arithmetic of a choice. Features are computed once per choice and serve prefetch, value
/// and update.
///
/// The compiler specialises `play` where it is called, if game and learner are known there.
@usableFromInline
package struct SelfPlayWorker<Game: SelfPlayGame, L: Learner & ~Copyable>: ~Copyable, Sendable
where L.Encoder.State == Game.Choices.State {
  @usableFromInline package var learner: L
  @usableFromInline let explorer: Explorer
  @usableFromInline package var random: RandomStream
  @usableFromInline let game: Game
  @usableFromInline var features: FeatureBuffer
  @usableFromInline var episodes: [EpisodeInPlay<Game, L>] = []
  /// The starts by episode. Each episode keeps its own positions, as if a separate thread played it.
  @usableFromInline var starts: [Game.Starts]
  @usableFromInline let remembersStarts: Bool

  /// - Parameter starts: the starts of each interleaved episode
  @usableFromInline
  package init(_ game: Game, learner: consuming L, explorer: Explorer, starts: [Game.Starts], random: RandomStream) {
    self.game = game
    self.explorer = explorer
    self.starts = starts
    self.random = random
    remembersStarts = starts.contains { $0.remembers }
    for number in starts.indices {
      episodes.append(EpisodeInPlay(number, of: game, learner.makeEpisode(), window: learner.window))
    }
    let slots = starts.count * learner.window * Game.choiceLimit + learner.scratchSlots
    features = learner.encoder.makeBuffer(slots: slots)
    self.learner = learner
  }

  /// Plays an episode for each true result of `claims`, until it returns false, and learns from all of them.
  ///
  /// - Parameters:
  ///   - claims: gets the number of moves in the finished episodes
  ///   - report: gets the result of each episode when it is finished
  @inlinable
  package mutating func play(while claims: (_ moves: Int) -> Bool, report: (EpisodeResult) -> Void) {
    // The episodes are moved out of the worker during play, so that an episode may change while the worker's methods
    // run.
    var episodes: [EpisodeInPlay<Game, L>] = []
    swap(&episodes, &self.episodes)
    defer { swap(&episodes, &self.episodes) }
    var moves = 0
    Turns.play(seats: episodes.count) { number in
      guard claims(moves) else { return false }
      begin(&episodes[number])
      return true
    } move: { number in
      if choose(&episodes[number]) { return true }
      finish(&episodes[number])
      moves += episodes[number].result.moves
      report(episodes[number].result)
      return false
    }
  }

  @inlinable @inline(__always)
  mutating func begin(_ episode: inout EpisodeInPlay<Game, L>) {
    let start = starts[episode.number].next(using: &random)
    episode.result = EpisodeResult(isFresh: start.isFresh)
    learner.begin(&episode.learning)
    look(at: start.position, &episode)
  }

  /// Makes a choice; false if the position has no choice.
  @inlinable @inline(__always)
  mutating func choose(_ episode: inout EpisodeInPlay<Game, L>) -> Bool {
    learner.settle(&episode.learning, &features, errors: &episode.result.absoluteErrors)
    let (choices, slot) = (episode.choices, episode.slot)
    guard
      let choice = explorer.choose(among: choices, slot: slot, valuedBy: learner, features, using: &random)
    else { return false }
    let reward = choices.reward(ofChoice: choice.number)
    let step = LearningStep(
      state: choices.state(afterChoice: choice.number), slot: slot &+ choice.number, value: choice.value,
      reward: reward)
    learner.append(step, to: &episode.learning, &features, errors: &episode.result.absoluteErrors)
    episode.result.score += Double(reward)
    episode.result.moves += 1
    episode.turnBank()
    look(at: game.position(after: choices, choice: choice.number, using: &random), &episode)
    return true
  }

  /// Prepares the choice in a position: computes the features of its choices and prefetches their memory.
  @inlinable @inline(__always)
  mutating func look(at position: Game.Position, _ episode: inout EpisodeInPlay<Game, L>) {
    if remembersStarts { starts[episode.number].visit(position) }
    let choices = game.choices(of: position)
    for choice in 0..<choices.end where choices.contains(choice) {
      learner.encoder.write(choices.state(afterChoice: choice), into: &features, slot: episode.slot &+ choice)
      learner.prefetch(features, slot: episode.slot &+ choice)
    }
    episode.position = position
    episode.choices = choices
  }

  @inlinable @inline(__always)
  mutating func finish(_ episode: inout EpisodeInPlay<Game, L>) {
    learner.finish(&episode.learning, &features, errors: &episode.result.absoluteErrors)
    episode.result.outcome = game.outcome(of: episode.position)
  }
}

extension SelfPlayWorker where L: ~Copyable {
  /// The start positions that the worker keeps between episodes, as words for a checkpoint.
  package var startWords: [UInt64] { starts.flatMap { $0.words } }

  /// Restores the start positions.
  ///
  /// - Returns: false if the words do not come from such starts.
  package mutating func restore(startWords: [UInt64]) -> Bool {
    var rest = startWords[...]
    // Checkpoints of versions without interleaved games have the words of the first episode only.
    for number in starts.indices where number == 0 || !rest.isEmpty {
      guard starts[number].restore(from: &rest) else { return false }
    }
    return rest.isEmpty
  }
}

/// The result of one training episode.
@usableFromInline
package struct EpisodeResult: Sendable {
  /// Whether it started from a new board.
  @usableFromInline package var isFresh: Bool
  /// The sum of rewards.
  @usableFromInline package var score = 0.0
  @usableFromInline package var moves = 0
  /// The outcome of the game, for statistics; see `SelfPlayGame.outcome(of:)`.
  @usableFromInline package var outcome = 0
  /// The sum of absolute TD errors over the episode, in score points.
  @usableFromInline package var absoluteErrors: Double = 0

  @inlinable package init(isFresh: Bool) { self.isFresh = isFresh }
}
