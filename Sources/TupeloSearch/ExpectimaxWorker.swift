internal import TupeloEngine

/// The recursion of expectimax with all that one thread needs for it.
///
/// Not generic, so that its fields have fixed places; the evaluator comes as an argument, and is called once per batch
/// of leaves.
struct ExpectimaxWorker {
  let table: MoveTable
  let chance: ChanceModel
  /// `nil` for a search without a transposition table.
  let memory: TranspositionTable?
  private let leafMemory: LeafMemory?
  /// Zero for a search that cuts nothing off.
  private var minimumProbability: Float = 0
  /// By plies: one for each node of the path that is being searched.
  private let batches = (0...SearchLimits.maximumPlies).map { _ in MoveBatch() }
  private var stop = StopCondition.never
  /// How many more afterstates until the next look at it.
  private var untilCheck = Int.max
  /// Afterstates valued since `begin`.
  private(set) var nodes = 0
  /// True once the stop condition was met: what is returned from then on means nothing.
  private(set) var isStopped = false

  init(rules: Rules, memory: TranspositionTable?) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    self.memory = memory
    leafMemory = memory == nil ? nil : LeafMemory()
  }

  /// Begins the search of a position.
  mutating func begin(minimumProbability: Float) {
    // Rounded as paths are, so that a board just as probable as this is not cut off.
    self.minimumProbability = PathProbability(minimumProbability).value
    nodes = 0
    memory?.beginSearch()
  }

  /// Forgets all values.
  func forget() {
    memory?.removeAll()
    leafMemory?.removeAll()
  }

  /// Lets the search run until `stop` is met; as it is made, it runs until it is done.
  mutating func stop(on stop: StopCondition) {
    self.stop = stop
    isStopped = false
    untilCheck = stop.interval(after: nodes)
  }

  /// The expected score still to come after an afterstate when `plies - 1` more moves are looked at, in score points.
  mutating func value(
    of afterstate: Afterstate, plies: Int, probability: PathProbability, by evaluator: some Evaluator
  ) -> Float {
    if plies == 1 {
      count(valued: 1, of: 1)
      return evaluator.value(of: afterstate)
    }
    guard let memory, afterstate.overflow == 0 else {
      return searched(afterstate, plies: plies, probability: probability, by: evaluator)
    }
    let code = code(probability, plies: plies)
    if let known = memory.value(ofBits: afterstate.bits, plies: plies, probability: code) { return known }
    let value = searched(afterstate, plies: plies, probability: probability, by: evaluator)
    if !isStopped { memory.store(value, ofBits: afterstate.bits, plies: plies, probability: code) }
    return value
  }

  /// What the table knows a path probability by. Two plies from the leaves nothing is left to cut off.
  private func code(_ probability: PathProbability, plies: Int) -> UInt64 {
    plies > 2 && minimumProbability > 0 ? probability.code : 0
  }

  /// Asks for the table's entries of afterstates that are about to be searched.
  private func prefetch(_ batch: MoveBatch, _ range: Range<Int>, plies: Int, probability: PathProbability) {
    guard let memory else { return }
    let code = code(probability, plies: plies)
    for place in range { memory.prefetch(ofBits: batch[place].bits, plies: plies, probability: code) }
  }

  private mutating func searched(
    _ afterstate: Afterstate, plies: Int, probability: PathProbability, by evaluator: some Evaluator
  ) -> Float {
    let batch = batches[plies]
    batch.fill(after: afterstate, table: table, chance: chance)
    if plies == 2 {
      evaluate(batch, 0..<batch.count, by: evaluator)
      return batch.expectation(after: afterstate, chance: chance)
    }
    let outcomes = chance.outcomes(of: afterstate)
    for exponent in chance.exponents {
      let range = batch.range(exponent: exponent)
      let path = probability.times(outcomes.probability(ofExponent: exponent))
      guard path.value >= minimumProbability else {
        evaluate(batch, range, by: evaluator)
        if isStopped { return 0 }
        continue
      }
      prefetch(batch, range, plies: plies - 1, probability: path)
      for place in range {
        let value = value(of: batch[place], plies: plies - 1, probability: path, by: evaluator)
        if isStopped { return 0 }
        batch.setValue(value, at: place)
      }
    }
    return batch.expectation(after: afterstate, chance: chance)
  }

  /// The move with the largest reward plus value, the first of equals, and that sum; `nil` when none is legal.
  mutating func best(
    of successors: Successors, plies: Int, probability: PathProbability, by evaluator: some Evaluator
  ) -> (move: Move, sum: Float)? {
    if plies == 1 {
      guard !successors.legal.isEmpty else { return nil }
      let batch = batches[plies]
      batch.fill(successors)
      evaluate(batch, 0..<batch.count, by: evaluator)
      return batch.best(of: successors.legal)
    }
    return successors.best { move in
      isStopped
        ? -.infinity
        : value(of: successors.afterstate(of: move), plies: plies, probability: probability, by: evaluator)
    }
  }

  private mutating func evaluate(_ batch: MoveBatch, _ range: Range<Int>, by evaluator: some Evaluator) {
    count(valued: batch.evaluate(range, by: evaluator, memory: leafMemory), of: range.count)
  }

  /// - Parameter all: those whose values were remembered too: they take time
  private mutating func count(valued: Int, of all: Int) {
    nodes &+= valued
    untilCheck &-= all
    guard untilCheck <= 0 else { return }
    if stop.isMet(nodes: nodes) { isStopped = true }
    // Once stopped, no further looks.
    untilCheck = isStopped ? .max : stop.interval(after: nodes)
  }
}
