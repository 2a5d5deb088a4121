internal import TupeloEngine

/// The recursion of expectimax, with all the memory that one thread needs for it.
///
/// The worker is not generic, so its fields have fixed offsets. The evaluator is passed as an argument and called once
/// per batch of leaves.
struct ExpectimaxWorker {
  private let table: MoveTable
  private let chance: ChanceModel
  /// `nil` for a search without a transposition table.
  private let memory: TranspositionTable?
  private let leafMemory: LeafMemory?
  /// A batch by plies: one for each node on the path that is being searched.
  private let batches = (0...SearchLimits.maximumPlies).map { _ in MoveBatch() }
  private var stop = StopCondition.never
  /// The number of afterstates until the next check of `stop`.
  private var untilCheck = Int.max
  /// The number of afterstates valued in this search.
  private var nodes = 0
  /// Whether the stop condition of `sums` was met. Results from then on have no meaning.
  private var isStopped = false

  init(rules: Rules, memory: TranspositionTable?) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    self.memory = memory
    leafMemory = memory == nil ? nil : LeafMemory()
  }

  /// Clears all remembered values.
  func forget() {
    memory?.removeAll()
    leafMemory?.removeAll()
  }

  /// Searches moves of the root until a condition is met.
  ///
  /// - Parameters:
  ///   - successors: the moves of the root
  ///   - part: the number of the first move to search, among the legal moves; the others follow in steps of `parts`
  ///   - nodes: the number of afterstates valued in this search, 0 at its beginning; it grows, also when it is stopped
  /// - Returns: reward plus value by move number, in score points; minus infinity for moves that were not searched;
  ///   `nil` when the search was stopped.
  mutating func sums(
    of successors: Successors, part: Int = 0, of parts: Int = 1, step: SearchStep, stop: StopCondition,
    nodes: inout Int, by evaluator: some Evaluator
  ) -> SIMD4<Float>? {
    if nodes == 0 { memory?.beginSearch() }
    self.nodes = nodes
    defer { nodes = self.nodes }
    self.stop = stop
    isStopped = false
    untilCheck = stop.interval(after: nodes)
    guard step.plies > 1 else { return greedySums(of: successors, by: evaluator) }
    var sums = SIMD4<Float>(repeating: -.infinity)
    for rank in stride(from: part, to: successors.legal.count, by: parts) {
      let move = successors.legal.move(ofRank: rank)
      let value = value(
        of: successors.afterstate(of: move), plies: step.plies, probability: step.root, by: evaluator)
      if isStopped { return nil }
      sums[move.rawValue] = Float(successors.reward(of: move)) + value
    }
    return sums
  }

  /// Reward plus value without a search, by move number, in score points; minus infinity for illegal moves.
  mutating func greedySums(of successors: Successors, by evaluator: some Evaluator) -> SIMD4<Float> {
    let batch = batches[1]
    batch.fill(successors)
    evaluate(batch, 0..<batch.count, by: evaluator)
    return batch.sums
  }

  /// The value of an afterstate, searched to `plies`, 2 or more: the expected score still to come, in score points.
  private mutating func value(
    of afterstate: Afterstate, plies: Int, probability: PathProbability, by evaluator: some Evaluator
  ) -> Float {
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
