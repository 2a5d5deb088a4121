internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork

/// One thread's worth of self-play: plays episodes greedily and learns from them.
struct SelfPlayWorker<Rule: StepSizeRule>: ~Copyable, Sendable {
  var learner: TemporalDifferenceLearner<Rule>
  var indexer: TupleIndexer
  /// What a move that was never tried gets on top, in score points; see `VisitCounts`.
  var visitBonus: Float = 0
  /// Whether the weights of whole states learn and those of the patterns stay as they are, or the other way round.
  var learnsStates = false
  let options: SelfPlayOptions
  private let rules: Rules
  let table: MoveTable
  let chance: ChanceModel
  let features: FeatureBuffer
  private let banks: Int
  /// One bit per stage.
  private let frozen: UInt16
  private var pending: PendingStates
  var starts: EpisodeStarts
  /// The afterstates of an episode.
  private var trajectory: [Step] = []
  /// The games that are played where states learn.
  var stateGames: [StateGame] = []
  var random: RandomStream

  init(
    learner: TemporalDifferenceLearner<Rule>, options: SelfPlayOptions, indexer: TupleIndexer, rules: Rules,
    random: RandomStream
  ) {
    self.learner = learner
    self.options = options
    self.indexer = indexer
    self.rules = rules
    self.random = random
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    frozen = options.frozenStages.reduce(0) { $0 | 1 << UInt16($1) }
    starts = EpisodeStarts(options.start, stages: indexer.specification.stages, rules: rules)
    pending = PendingStates(options.returns)
    // Banks of four slots, used in turn: the candidates of the coming move, the states that wait for their targets, and the one
    // that has got its target and is about to learn.
    banks = pending.capacity + 2
    features = FeatureBuffer(featureCount: indexer.featureCount, slots: banks * 4)
  }

  @specialized(where Rule == ConstantStepSize)
  @specialized(where Rule == TemporalCoherence)
  mutating func play(while claims: () -> Bool) -> TrainingProgress {
    if learnsStates, let states = options.states { return playStates(states, while: claims) }
    var progress = TrainingProgress()
    while claims() { progress.add(options.returns.steps == nil ? playThenLearn() : playAndLearn()) }
    return progress
  }

  /// Learns after every move.
  ///
  /// Features are computed once per afterstate and serve prefetch, value and update. The update of a state is put off until the
  /// next candidates' cache lines have been asked for, so that its arithmetic runs while they arrive; it still happens before
  /// their values are read, so the order of values and updates is the textbook one.
  private mutating func playAndLearn() -> EpisodeResult {
    let start = starts.next(using: &random)
    var board = start.board
    var result = EpisodeResult(isFresh: start.isFresh)
    var due: Lesson?
    var bank = 0
    while true {
      if starts.remembers { starts.visit(board) }
      let successors = table.successors(of: board)
      prepare(successors, bank: bank)
      if let due { result.add(error: learn(due)) }
      guard let best = select(successors, bank: bank) else { break }
      let reward = successors.rewards[best.move]
      due = pending.append(slot: bank * 4 + best.move, value: best.value, reward: Float(reward))
      if let due, !isFrozen(due.slot) { learner.weights.prefetchSums(features, slot: due.slot) }
      result.score += Int(reward)
      result.moves += 1
      let afterstate = Afterstate(bits: successors.bits[best.move], overflow: successors.overflow[best.move])
      board = chance.board(after: afterstate, using: &random)
      bank = bank == banks - 1 ? 0 : bank + 1
    }
    while let lesson = pending.removeFirst() { result.add(error: learn(lesson)) }
    result.largestExponent = board.largestExponent
    return result
  }

  /// Plays the episode to its end, then learns from its last state to the first, so that what the end taught is known to all of it.
  private mutating func playThenLearn() -> EpisodeResult {
    let start = starts.next(using: &random)
    var board = start.board
    var result = EpisodeResult(isFresh: start.isFresh)
    trajectory.removeAll(keepingCapacity: true)
    while true {
      if starts.remembers { starts.visit(board) }
      let successors = table.successors(of: board)
      prepare(successors, bank: 0)
      let (move, foregone): (Int, Float?)
      if visitBonus > 0, let visits = options.visits {
        guard let choice = explore(successors, visits) else { break }
        (move, foregone) = choice
      } else {
        guard let best = select(successors, bank: 0) else { break }
        (move, foregone) = (best.move, nil)
      }
      let reward = successors.rewards[move]
      trajectory.append(Step(bits: successors.bits[move], reward: Float(reward), foregone: foregone))
      result.score += Int(reward)
      result.moves += 1
      let afterstate = Afterstate(bits: successors.bits[move], overflow: successors.overflow[move])
      board = chance.board(after: afterstate, using: &random)
    }
    result.absoluteErrors = learnBackward()
    result.largestExponent = board.largestExponent
    return result
  }

  /// Slots are used in turn, so that cache lines are asked for some states ahead.
  private func learnBackward() -> Double {
    let ahead = 3
    var absoluteErrors = 0.0
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    var foregone: Float?
    for index in trajectory.indices.reversed().prefix(ahead) { prepare(index) }
    for index in trajectory.indices.reversed() {
      if index >= ahead { prepare(index - ahead) }
      let slot = index % features.slots
      target = self.target(foregone, reward: reward, value: value, next: target)
      value = learner.value(features, slot: slot)
      let error = target - value
      if !isFrozen(slot) { value = learner.update(features, slot: slot, error: error) }
      absoluteErrors += Double(abs(error))
      (reward, foregone) = (trajectory[index].reward, trajectory[index].foregone)
    }
    return absoluteErrors
  }

  /// What a state learns. What follows a move that was made to explore says little of what the best one is worth (Watkins's Q(lambda)), which
  /// was known when it was not made.
  @inline(__always)
  func target(_ foregone: Float?, reward: Float, value: Float, next: Float) -> Float {
    foregone ?? options.returns.value(reward: reward, value: value, next: next)
  }

  /// Computes the features of a state of the trajectory and asks for their cache lines.
  @inline(__always)
  private func prepare(_ index: Int) {
    let slot = index % features.slots
    indexer.write(trajectory[index].bits, into: features, slot: slot)
    learner.weights.prefetch(features, slot: slot)
    learner.weights.prefetchSums(features, slot: slot)
  }

  @inline(__always)
  private func learn(_ lesson: Lesson) -> Float {
    isFrozen(lesson.slot)
      ? lesson.target - lesson.value
      : learner.learn(features, slot: lesson.slot, value: lesson.value, target: lesson.target)
  }

  @inline(__always)
  private func isFrozen(_ slot: Int) -> Bool {
    frozen != 0 && frozen >> UInt16(indexer.stage(of: features, slot: slot)) & 1 == 1
  }

  /// The value of the state in a slot.
  @inline(__always)
  private func value(_ slot: Int) -> Float {
    if options.promotes, indexer.stage(of: features, slot: slot) > 0 {
      learner.weights.promote(features, slot: slot, stageSize: indexer.stageSize)
    }
    return learner.value(features, slot: slot)
  }

  /// Computes the features of all legal afterstates and asks for their cache lines.
  @inline(__always)
  private func prepare(_ successors: Successors, bank: Int) {
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let slot = bank * 4 + move
      indexer.write(successors.bits[move], into: features, slot: slot)
      learner.weights.prefetch(features, slot: slot)
    }
  }

  /// The move with the largest reward plus value, the first of equals, or now and then any move, to explore; `nil` when none is legal.
  @inline(__always)
  private mutating func select(_ successors: Successors, bank: Int) -> (move: Int, value: Float)? {
    if options.exploration > 0, !successors.legal.isEmpty,
      random.next(below: 1 << 24) < Int(options.exploration * 0x1p24)
    {
      let move = successors.legal.move(ofRank: random.next(below: successors.legal.count)).rawValue
      return (move, value(bank * 4 + move))
    }
    var best: (move: Int, value: Float)?
    var bestSum = -Float.infinity
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let value = value(bank * 4 + move)
      let sum = Float(successors.rewards[move]) + value
      if best == nil || sum > bestSum {
        best = (move, value)
        bestSum = sum
      }
    }
    return best
  }

  /// The move with the largest sum of reward, value and what its visits leave of the bonus, which counts as one more visit, and what was
  /// foregone: the best sum without bonus where that was another move's. `nil` when no move is legal.
  ///
  /// Of equally good moves only the first is the best: with all of them, 2x3 after 30,000 games is at 73% of the optimum instead of 79%.
  @inline(__always)
  private func explore(_ successors: Successors, _ visits: VisitCounts) -> (move: Int, foregone: Float?)? {
    var places = SIMD4<Int>()
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      places[move] = visits.place(features, slot: move)
    }
    var choice = ExploringChoice()
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let sum = Float(successors.rewards[move]) + value(move)
      choice.add(move, sum: sum, raised: sum + visitBonus / (1 + visits.visits(at: places[move])))
    }
    guard let chosen = choice.chosen else { return nil }
    visits.add(at: places[chosen])
    return (chosen, choice.foregone)
  }
}

/// A choice among moves by the sum of reward and value that is raised by what explores.
struct ExploringChoice {
  private(set) var chosen: Int?
  private var best: Int?
  private var bestSum = -Float.infinity
  private var raisedSum = -Float.infinity

  /// The best sum, where it was not the chosen move's.
  var foregone: Float? { chosen == best ? nil : bestSum }

  @inline(__always)
  mutating func add(_ move: Int, sum: Float, raised: Float) {
    if best == nil || sum > bestSum { (best, bestSum) = (move, sum) }
    if chosen == nil || raised > raisedSum { (chosen, raisedSum) = (move, raised) }
  }

  /// Makes that move the choice, whatever the sums say.
  mutating func prefer(_ move: Int) { chosen = move }
}

/// A move of an episode.
private struct Step {
  /// The afterstate.
  var bits: UInt64
  var reward: Float
  /// Reward plus value of the best move, where another was made to explore.
  var foregone: Float?
}

/// How one training episode went.
struct EpisodeResult {
  /// Whether it began with a new board.
  var isFresh: Bool
  var score = 0
  var moves = 0
  var largestExponent = 0
  /// Sum over the episode, in score points.
  var absoluteErrors: Double = 0

  mutating func add(error: Float) { absoluteErrors += Double(abs(error)) }
}
