internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork

/// Self-play while the weights of whole states learn: the patterns are asked about a state when it is first met.
extension SelfPlayWorker {
  /// Plays the episode to its end, then learns from its last state to the first.
  ///
  /// What all threads share is handed down as arguments: unwrapped in each move it would be retained and released there, which took a
  /// quarter of the time of one thread and made two slower than one.
  mutating func playStates(_ states: StateMemory) -> EpisodeResult {
    let start = starts.next(using: &random)
    var board = start.board
    var result = EpisodeResult(isFresh: start.isFresh)
    stateTrajectory.removeAll(keepingCapacity: true)
    while true {
      if starts.remembers { starts.visit(board) }
      let successors = table.successors(of: board)
      guard let move = choose(successors, states.index, states, states.visits) else { break }
      result.score += Int(successors.rewards[move])
      result.moves += 1
      let afterstate = Afterstate(bits: successors.bits[move], overflow: successors.overflow[move])
      board = chance.board(after: afterstate, using: &random)
    }
    result.absoluteErrors = learnStatesBackward()
    result.largestExponent = board.largestExponent
    return result
  }

  /// Chooses the move with the largest sum of reward, value and what its visits leave of the bonus, the first of equals, and appends it to the
  /// trajectory; `nil` when none is legal.
  @inline(__always)
  private mutating func choose(
    _ successors: Successors, _ index: StateIndex, _ states: StateMemory, _ visits: VisitCounts
  ) -> Int? {
    var hashes = SIMD4<UInt64>()
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let hash = index.hash(of: successors.bits[move])
      hashes[move] = hash
      let bucket = index.bucket(of: hash)
      index.prefetch(hash)
      states.patterns.prefetch(bucket)
      learner.weights.prefetch(index.first &+ bucket)
      visits.prefetch(bucket)
    }
    var choice = ExploringChoice()
    var (patterns, slots) = (SIMD4<Float>(), SIMD4<Int>(repeating: -1))
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      var value: Float
      var bonus: Float = 0
      if let slot = index.slot(adding: hashes[move]) {
        slots[move] = slot
        patterns[move] = states.base(slot: slot) { patternValue(successors.bits[move]) }
        value = patterns[move] + learner.weights.weight(at: index.first &+ slot)
        bonus = visitBonus / (1 + visits.count(at: slot))
      } else {
        patterns[move] = StateIndex.base(patterns: patternValue(successors.bits[move]))
        value = patterns[move]
      }
      let sum = Float(successors.rewards[move]) + value
      choice.add(move, sum: sum, raised: sum + bonus)
    }
    guard let chosen = choice.chosen else { return nil }
    let slot = slots[chosen]
    if slot >= 0 { visits.add(at: slot) }
    stateTrajectory.append(
      StateStep(
        place: slot < 0 ? -1 : index.first &+ slot, patterns: patterns[chosen],
        reward: Float(successors.rewards[chosen]), foregone: choice.foregone))
    return chosen
  }

  /// What the patterns say of an afterstate.
  @inline(never)
  private func patternValue(_ bits: UInt64) -> Float {
    indexer.write(bits, into: features, slot: 0)
    return value(0)
  }

  /// The states of the episode learn from the last to the first; those without a weight of their own keep their value.
  ///
  /// - Returns: the sum of the absolute errors.
  private func learnStatesBackward() -> Double {
    let ahead = 6
    var absoluteErrors = 0.0
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    var foregone: Float?
    for index in stateTrajectory.indices.reversed() {
      if index >= ahead, stateTrajectory[index - ahead].place >= 0 {
        learner.weights.prefetchCell(stateTrajectory[index - ahead].place)
      }
      let step = stateTrajectory[index]
      target = self.target(foregone, reward: reward, value: value, next: target)
      value = step.patterns
      if step.place >= 0 {
        let error = target - (value + learner.weights.weight(at: step.place))
        value += learner.weights.update(at: step.place) { learner.rule.update(&$0, error: error, share: 1) }
        absoluteErrors += Double(abs(error))
      }
      (reward, foregone) = (step.reward, step.foregone)
    }
    return absoluteErrors
  }
}

/// A move of an episode from which states learn.
struct StateStep {
  /// Where the weight of the afterstate is in storage; -1 for none.
  var place: Int
  /// What the patterns say of it.
  var patterns: Float
  var reward: Float
  /// Reward plus value of the best move, where another was made to explore.
  var foregone: Float?
}
