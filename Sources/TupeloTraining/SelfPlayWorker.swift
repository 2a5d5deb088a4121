internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// One thread's worth of self-play: plays episodes greedily and learns from them.
///
/// It plays some games in turn, a move of each: while the cache lines of one are on their way, which takes as long as the arithmetic of a
/// move, the others go on.
struct SelfPlayWorker<Rule: StepSizeRule>: ~Copyable, Sendable {
  var learner: TemporalDifferenceLearner<Rule>
  var indexer: TupleIndexer
  /// What a move that was never tried gets on top, in score points; see `VisitCounts`.
  var visitBonus: Float = 0
  /// Whether the weights of whole states learn and those of the patterns stay as they are, or the other way round.
  var learnsStates = false
  let options: SelfPlayOptions
  let table: MoveTable
  let chance: ChanceModel
  var features: FeatureBuffer
  /// One bit per stage.
  private let frozen: UInt16
  /// The games in progress.
  var games: [TurnGame] = []
  /// The same while states learn.
  var stateGames: [StateGame] = []
  /// By game: what each remembers is its own, as if a thread of its own played it.
  var starts: [EpisodeStarts] = []
  /// Whether they remember anything.
  let remembersStarts: Bool
  /// The games that are being played, as many as there are claims for, then the others.
  private var order: [Int]
  var random: RandomStream

  init(
    learner: TemporalDifferenceLearner<Rule>, options: SelfPlayOptions, indexer: TupleIndexer, rules: Rules,
    random: RandomStream
  ) {
    self.learner = learner
    self.options = options
    self.indexer = indexer
    self.random = random
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    remembersStarts = options.start != .fresh
    frozen = options.frozenStages.reduce(0) { $0 | 1 << UInt16($1) }
    order = Array(0..<options.gamesAtOnce)
    let banks = TurnGame.banks(options.returns)
    for number in order {
      starts.append(EpisodeStarts(options.start, stages: indexer.specification.stages, rules: rules))
      games.append(TurnGame(number, options.returns, firstSlot: number * banks * 4, table))
      stateGames.append(StateGame(number, table))
    }
    features = indexer.makeBuffer(slots: order.count * banks * 4 + Self.backwardSlots)
  }

  @specialized(where Rule == ConstantStepSize)
  @specialized(where Rule == TemporalCoherence)
  mutating func play(while claims: () -> Bool) -> TrainingProgress {
    if learnsStates, let states = options.states { return playStates(states, while: claims) }
    // Out of the worker meanwhile, so that a game may change while the worker's methods run.
    var games: [TurnGame] = []
    swap(&games, &self.games)
    defer { swap(&games, &self.games) }
    return options.returns.steps == nil
      ? playThenLearn(&games, while: claims) : playAndLearn(&games, while: claims)
  }

  /// Patterns that states will stand on learn from one game after the other: on small boards two games meet the same states.
  private var gamesAtOnce: Int { options.states == nil || learnsStates ? options.gamesAtOnce : 1 }

  /// Plays games in turn, as long as `claims` has one more.
  ///
  /// - Parameters:
  ///   - games: as many as are played at once
  ///   - begin: starts a game, given its first board
  ///   - move: makes a move of it; false when there is none
  ///   - finish: learns what is left to learn of it
  @inline(__always)
  mutating func playInTurn<Game>(
    _ games: inout [Game], while claims: () -> Bool, begin: (inout Self, inout Game, EpisodeStarts.Start) -> Void,
    move: (inout Self, inout Game) -> Bool, finish: (inout Self, inout Game) -> EpisodeResult
  ) -> TrainingProgress {
    var progress = TrainingProgress()
    // Whatever was played before, it begins the same way.
    for number in order.indices { order[number] = number }
    var playing = 0
    while playing < gamesAtOnce, claims() {
      begin(&self, &games[playing], starts[playing].next(using: &random))
      playing += 1
    }
    while playing > 0 {
      var turn = 0
      while turn < playing {
        let number = order[turn]
        if move(&self, &games[number]) {
          turn += 1
          continue
        }
        progress.add(finish(&self, &games[number]))
        if claims() {
          begin(&self, &games[number], starts[number].next(using: &random))
          turn += 1
        } else {
          playing -= 1
          order.swapAt(turn, playing)
        }
      }
    }
    return progress
  }

  @inline(__always)
  func isFrozen(_ slot: Int) -> Bool {
    frozen != 0 && frozen >> UInt16(indexer.stage(of: features, slot: slot)) & 1 == 1
  }

  /// The value of the state in a slot.
  @inline(__always)
  func value(_ slot: Int) -> Float {
    if options.promotes, indexer.stage(of: features, slot: slot) > 0 {
      learner.weights.promote(features, slot: slot, stageSize: indexer.stageSize)
    }
    return learner.value(features, slot: slot)
  }

  /// Computes the features of all legal afterstates and asks for their cache lines.
  ///
  /// - Parameter slot: where they go, move after move
  @inline(__always)
  mutating func prepare(_ successors: Successors, slot: Int) {
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      indexer.write(successors.afterstate(number: move), into: &features, slot: slot &+ move)
      learner.weights.prefetch(features, slot: slot &+ move)
    }
  }

  /// The move with the largest reward plus value, the first of equals, or now and then any move, to explore; `nil` when none is legal.
  @inline(__always)
  mutating func select(_ successors: Successors, slot: Int) -> (move: Int, value: Float)? {
    if options.exploration > 0, !successors.legal.isEmpty,
      random.next(below: 1 << 24) < Int(options.exploration * 0x1p24)
    {
      let move = successors.legal.move(ofRank: random.next(below: successors.legal.count)).rawValue
      return (move, value(slot + move))
    }
    var best: (move: Int, value: Float)?
    var bestSum = -Float.infinity
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let value = value(slot &+ move)
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
  func explore(_ successors: Successors, slot: Int, _ visits: VisitCounts) -> (move: Int, foregone: Float?)? {
    var places = SIMD4<Int>()
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      places[move] = visits.place(features, slot: slot + move)
    }
    var choice = ExploringChoice()
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let sum = Float(successors.rewards[move]) + value(slot + move)
      choice.add(move, sum: sum, raised: sum + visitBonus / (1 + visits.visits(at: places[move])))
    }
    guard let chosen = choice.chosen else { return nil }
    visits.add(at: places[chosen])
    return (chosen, choice.foregone)
  }
}
