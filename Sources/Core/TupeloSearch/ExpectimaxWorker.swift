internal import TupeloEngine

/// The recursion of expectimax, with all the memory that one thread needs for it.
///
/// The worker is not generic, so its fields have fixed offsets. The evaluator is passed as an argument and called once
/// per batch of leaves.
struct ExpectimaxWorker {
  let table: MoveTable
  let chance: ChanceModel
  /// `nil` for a search without a transposition table.
  let memory: TranspositionTable?
  private let leafMemory: LeafMemory?
  /// A batch by plies: one for each node on the path that is being searched.
  private let batches = (0...SearchLimits.maximumPlies).map { _ in MoveBatch() }
  private var stop = StopCondition.never
  /// The number of afterstates until the next check of `stop`.
  private var untilCheck = Int.max
  /// The number of afterstates valued since `begin`.
  private(set) var nodes = 0
  /// Whether the stop condition was met. Results from then on have no meaning.
  private(set) var isStopped = false

  init(rules: Rules, memory: TranspositionTable?) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    self.memory = memory
    leafMemory = memory == nil ? nil : LeafMemory()
  }

  /// Begins the search of a position.
  mutating func begin() {
    nodes = 0
    memory?.beginSearch()
  }

  /// Clears all remembered values.
  func forget() {
    memory?.removeAll()
    leafMemory?.removeAll()
  }

  /// Sets the condition that stops the search. Initially it never stops early.
  mutating func stop(on stop: StopCondition) {
    self.stop = stop
    isStopped = false
    untilCheck = stop.interval(after: nodes)
  }

  /// The value of an afterstate, searched to `plies`: the expected score still to come, in score points.
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

  /// The table's key for a path probability. Two plies from the leaves it is 0, because nothing is left to cut off.
  private func code(_ probability: PathProbability, plies: Int) -> UInt64 {
    plies > 2 ? probability.code : 0
  }

  /// Prefetches the table's entries of afterstates that are about to be searched.
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
      guard !path.isCutOff else {
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

  /// The move with the largest reward plus value, and that sum; if several are equal, the first of them; `nil` when no
  /// move is legal.
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

  /// Counts afterstates and checks the stop condition when it is due.
  ///
  /// - Parameters:
  ///   - valued: the afterstates that the evaluator valued
  ///   - all: the valued and the remembered afterstates; both take time
  private mutating func count(valued: Int, of all: Int) {
    nodes &+= valued
    untilCheck &-= all
    guard untilCheck <= 0 else { return }
    if stop.isMet(nodes: nodes) { isStopped = true }
    // Once stopped, there are no further checks.
    untilCheck = isStopped ? .max : stop.interval(after: nodes)
  }
}
