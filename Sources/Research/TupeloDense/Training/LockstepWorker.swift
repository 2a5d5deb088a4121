public import TupeloEngine
public import TupeloLearning
public import TupeloSelfPlay
public import TupeloTables
public import TupeloTraining

/// The self-play of dense networks: many episodes in lockstep, one choice of each at a time, so that one forward pass
/// values the choices of all of them.
///
/// Episodes end at different times. When an episode ends, the next episode takes its place, until no more are claimed.
/// So the last episodes of a group are played in smaller batches.
///
/// The compiler specialises `play` where the worker is made, for its game, encoder and optimizer.
@usableFromInline
struct LockstepWorker<Game: SelfPlayGame, Encoder: FeatureEncoder, O: Optimizer & ~Copyable>: ~Copyable, Sendable
where Encoder.State == Game.Choices.State {
  @usableFromInline var learner: DenseLearner<Encoder, O>
  @usableFromInline var random: RandomStream
  @usableFromInline let game: Game
  /// The probability of a uniformly random choice, in 0...1.
  @usableFromInline let epsilon: Double
  @usableFromInline var lanes: [Lane]
  /// The starts by lane. Each lane keeps its own positions, as if a separate thread played it.
  @usableFromInline var starts: [Game.Starts]
  @usableFromInline let remembersStarts: Bool
  /// Trajectories that wait to be learned, and empty ones that have been learned.
  @usableFromInline var finished: [Trajectory<Encoder.State>] = []
  @usableFromInline var spare: [Trajectory<Encoder.State>] = []

  /// One of the episodes in lockstep.
  @usableFromInline
  struct Lane: Sendable {
    @usableFromInline var position: Game.Position
    @usableFromInline var choices: Game.Choices
    @usableFromInline var result = EpisodeResult(isFresh: true)
    @usableFromInline var trajectory = Trajectory<Encoder.State>()
    /// The number of the first choice's state among those of all lanes.
    @usableFromInline var firstState = 0

    @usableFromInline
    init(position: Game.Position, choices: Game.Choices) { (self.position, self.choices) = (position, choices) }
  }

  /// - Parameter starts: the starts of each lane
  @usableFromInline
  init(
    _ game: Game, learner: consuming DenseLearner<Encoder, O>, epsilon: Double, starts: [Game.Starts],
    random: RandomStream
  ) {
    self.game = game
    self.epsilon = epsilon
    self.starts = starts
    self.random = random
    remembersStarts = starts.contains { $0.remembers }
    let position = game.idlePosition
    let lane = Lane(position: position, choices: game.choices(of: position))
    lanes = [Lane](repeating: lane, count: starts.count)
    self.learner = learner
  }

  /// Plays an episode for each true result of `claims`, until it returns false, and learns from all of them.
  @inlinable
  mutating func play(while claims: () -> Bool) -> TrainingProgress {
    var progress = TrainingProgress()
    var playing: [Int] = []
    for lane in lanes.indices where claims() {
      begin(lane)
      playing.append(lane)
    }
    while !playing.isEmpty {
      valueChoices(of: playing)
      var count = 0
      for lane in playing {
        if !choose(lane) {
          finish(lane)
          progress.add(lanes[lane].result)
          guard claims() else { continue }
          begin(lane)
        }
        playing[count] = lane
        count += 1
      }
      playing.removeLast(playing.count - count)
      progress.absoluteErrorSum += learner.learn(&finished, spare: &spare, all: false)
    }
    progress.absoluteErrorSum += learner.learn(&finished, spare: &spare, all: true)
    return progress
  }

  @inlinable @inline(__always)
  mutating func begin(_ lane: Int) {
    let start = starts[lane].next(using: &random)
    lanes[lane].result = EpisodeResult(isFresh: start.isFresh)
    look(at: start.position, lane)
  }

  @inlinable @inline(__always)
  mutating func look(at position: Game.Position, _ lane: Int) {
    if remembersStarts { starts[lane].visit(position) }
    lanes[lane].position = position
    lanes[lane].choices = game.choices(of: position)
  }

  /// Values the states that all choices of some lanes lead to.
  @inlinable @inline(__always)
  mutating func valueChoices(of playing: [Int]) {
    var count = 0
    for lane in playing {
      lanes[lane].firstState = count
      let choices = lanes[lane].choices
      for number in 0..<choices.end where choices.contains(number) {
        learner.write(choices.state(afterChoice: number), number: count)
        count &+= 1
      }
    }
    learner.evaluate(count: count)
  }

  /// Makes a choice; false if the position has no choice.
  @inlinable @inline(__always)
  mutating func choose(_ lane: Int) -> Bool {
    let choices = lanes[lane].choices
    let drawn = choices.draw(epsilon: epsilon, using: &random)
    var (choice, value, best) = (-1, Float(0), -Float.infinity)
    var state = lanes[lane].firstState
    for number in 0..<choices.end where choices.contains(number) {
      let (own, isDrawn) = (learner.value(number: state), drawn == number)
      let sum = choices.reward(ofChoice: number) + own
      if choice < 0 || isDrawn || drawn == nil && sum > best { (choice, value, best) = (number, own, sum) }
      if isDrawn { break }
      state &+= 1
    }
    guard choice >= 0 else { return false }
    let reward = choices.reward(ofChoice: choice)
    append(choices.state(afterChoice: choice), value: value, reward: reward, lane)
    lanes[lane].result.score += Double(reward)
    lanes[lane].result.moves += 1
    look(at: game.position(after: choices, choice: choice, using: &random), lane)
    return true
  }

  /// Adds a choice to the lane's trajectory. If the trajectory is long enough, it is cut before this choice.
  @inlinable @inline(__always)
  mutating func append(_ state: Encoder.State, value: Float, reward: Float, _ lane: Int) {
    lanes[lane].trajectory.follow(reward: reward)
    if lanes[lane].trajectory.count == learner.settings.returns.steps {
      lanes[lane].trajectory.cut(before: value)
      close(lane)
    }
    lanes[lane].trajectory.append(state)
  }

  @inlinable @inline(__always)
  mutating func close(_ lane: Int) {
    var trajectory = spare.popLast() ?? Trajectory()
    swap(&trajectory, &lanes[lane].trajectory)
    finished.append(trajectory)
  }

  @inlinable @inline(__always)
  mutating func finish(_ lane: Int) {
    if lanes[lane].trajectory.count > 0 { close(lane) }
    lanes[lane].result.outcome = game.outcome(of: lanes[lane].position)
  }
}

extension LockstepWorker where O: ~Copyable {
  /// The start positions that the worker keeps between episodes, as words for a checkpoint.
  var startWords: [UInt64] { starts.flatMap(\.words) }

  /// Restores the start positions.
  ///
  /// - Returns: false if the words do not come from such starts.
  mutating func restore(startWords: [UInt64]) -> Bool {
    var rest = startWords[...]
    for number in starts.indices {
      guard starts[number].restore(from: &rest) else { return false }
    }
    return rest.isEmpty
  }
}
