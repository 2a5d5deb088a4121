internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// Self-play that learns in batches: as `SelfPlayWorker` plays, but the weights stay as they are until a batch is full. No batch goes
/// on from one episode to the next, so that between episodes everything has been learned.
struct MinibatchWorker<Rule: StepSizeRule>: ~Copyable, EpisodePlayer {
  private var indexer: TupleIndexer
  private let rules: Rules
  private let table: MoveTable
  private let chance: ChanceModel
  private var features: FeatureBuffer
  private var batch: BatchUpdate<Rule>
  private(set) var random: RandomStream

  /// - Parameter size: states per batch.
  init(
    learner: TemporalDifferenceLearner<Rule>, size: Int, indexer: TupleIndexer, rules: Rules, random: RandomStream
  ) {
    self.indexer = indexer
    self.rules = rules
    self.random = random
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    batch = BatchUpdate(learner, layout: indexer.layout, capacity: size)
    // The candidates of the coming move and, in the other bank, those of the one just chosen.
    features = indexer.makeBuffer(slots: 2 * 4)
  }

  /// It starts from fresh boards alone.
  var startWords: [UInt64] { [] }

  mutating func restore(startWords: [UInt64]) -> Bool { startWords.isEmpty }

  /// It does not explore, and knows no states.
  mutating func set(_ phase: TrainingPhase, indexer: TupleIndexer) {
    batch.learner.rule = Rule(alpha: phase.alpha, isWarmUp: phase.isWarmUp)
    self.indexer = indexer
  }

  @specialized(where Rule == ConstantStepSize)
  @specialized(where Rule == TemporalCoherence)
  mutating func play(while claims: () -> Bool) -> TrainingProgress {
    var progress = TrainingProgress()
    while claims() { progress.add(playEpisode()) }
    return progress
  }

  @inline(__always)
  private mutating func playEpisode() -> EpisodeResult {
    var board = rules.startBoard(using: &random)
    var result = EpisodeResult(isFresh: true)
    var chosen: Int?
    var bank = 0
    while true {
      let successors = table.successors(of: board)
      guard let best = select(successors, bank: bank) else { break }
      let reward = successors.rewards[best.move]
      if let chosen {
        result.absoluteErrors += batch.append(features, slot: chosen, target: Float(reward) + best.value)
      }
      chosen = bank * 4 + best.move
      result.score += Int(reward)
      result.moves += 1
      let afterstate = Afterstate(bits: successors.bits[best.move], overflow: successors.overflow[best.move])
      board = chance.board(after: afterstate, using: &random)
      bank ^= 1
    }
    if let chosen { result.absoluteErrors += batch.append(features, slot: chosen, target: 0) }
    result.absoluteErrors += batch.learn()
    result.largestExponent = board.largestExponent
    return result
  }

  /// The move with the largest reward plus value, the first of equals; `nil` when none is legal.
  @inline(__always)
  private mutating func select(_ successors: Successors, bank: Int) -> (move: Int, value: Float)? {
    let learner = batch.learner
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      indexer.write(successors.afterstate(number: move), into: &features, slot: bank * 4 + move)
      learner.weights.prefetch(features, slot: bank * 4 + move)
    }
    var best: (move: Int, value: Float)?
    var bestSum = -Float.infinity
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let value = learner.value(features, slot: bank * 4 + move)
      let sum = Float(successors.rewards[move]) + value
      if best == nil || sum > bestSum {
        best = (move, value)
        bestSum = sum
      }
    }
    return best
  }
}
