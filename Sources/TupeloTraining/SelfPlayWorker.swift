internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork

/// One thread's worth of self-play: plays episodes greedily and learns after every move.
///
/// Features are computed once per afterstate and serve prefetch, value and update. The update of a state is put off until the
/// next candidates' cache lines have been asked for, so that its arithmetic runs while they arrive; it still happens before
/// their values are read, so the order of values and updates is the textbook one.
struct SelfPlayWorker<Rule: StepSizeRule>: ~Copyable, Sendable {
  private let learner: TemporalDifferenceLearner<Rule>
  private let indexer: TupleIndexer
  private let rules: Rules
  private let table: MoveTable
  private let chance: ChanceModel
  private let features: FeatureBuffer
  private(set) var random: RandomStream

  /// Candidates of the coming move, of the one just chosen and of the one before: three banks of four slots, in turn.
  private static var banks: Int { 3 }

  init(learner: TemporalDifferenceLearner<Rule>, indexer: TupleIndexer, rules: Rules, random: RandomStream) {
    self.learner = learner
    self.indexer = indexer
    self.rules = rules
    self.random = random
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    features = FeatureBuffer(featureCount: indexer.featureCount, slots: Self.banks * 4)
  }

  /// A state whose value is to move toward its target.
  private struct Lesson {
    var slot: Int
    var value: Float
    var target: Float = 0
  }

  /// Plays and learns from one episode.
  @specialized(where Rule == ConstantStepSize)
  @specialized(where Rule == TemporalCoherence)
  mutating func playEpisode() -> EpisodeResult {
    var board = rules.startBoard(using: &random)
    var result = EpisodeResult()
    var chosen: Lesson?
    var due: Lesson?
    var bank = 0
    while true {
      let successors = table.successors(of: board)
      prepare(successors, bank: bank)
      if let due { result.add(error: learn(due)) }
      guard let best = select(successors, bank: bank) else { break }
      if var lesson = chosen {
        lesson.target = Float(successors.rewards[best.move]) + best.value
        due = lesson
      }
      chosen = Lesson(slot: bank * 4 + best.move, value: best.value)
      result.score += Int(successors.rewards[best.move])
      result.moves += 1
      let afterstate = Afterstate(bits: successors.bits[best.move], overflow: successors.overflow[best.move])
      board = chance.board(after: afterstate, using: &random)
      bank = bank == Self.banks - 1 ? 0 : bank + 1
    }
    if let chosen { result.add(error: learn(chosen)) }
    result.largestExponent = board.largestExponent
    return result
  }

  @inline(__always)
  private func learn(_ lesson: Lesson) -> Float {
    learner.learn(features, slot: lesson.slot, value: lesson.value, target: lesson.target)
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

  /// The move with the largest reward plus value, the first of equals; `nil` when none is legal.
  @inline(__always)
  private func select(_ successors: Successors, bank: Int) -> (move: Int, value: Float)? {
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

/// How one training episode went.
struct EpisodeResult {
  var score = 0
  var moves = 0
  var largestExponent = 0
  /// Sum over the episode, in score points.
  var absoluteErrors: Double = 0

  mutating func add(error: Float) { absoluteErrors += Double(abs(error)) }
}
