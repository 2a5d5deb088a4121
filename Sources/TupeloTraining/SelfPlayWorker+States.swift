internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// Self-play while the weights of whole states learn: the patterns are asked about a state when it is first met.
extension SelfPlayWorker {
  /// Learns from each game when it is over, from its last state to the first.
  ///
  /// What all threads share is handed down as arguments: unwrapped in each move it would be retained and released there, which took a
  /// quarter of the time of one thread and made two slower than one.
  @inline(__always)
  mutating func playStates(_ states: StateMemory, while claims: () -> Bool) -> TrainingProgress {
    var games: [StateGame] = []
    swap(&games, &stateGames)
    defer { swap(&games, &stateGames) }
    return playInTurn(
      &games, while: claims, begin: { $0.begin(&$1, $2, states) },
      move: { worker, game in
        guard let move = worker.choose(&game, states) else { return false }
        worker.make(move, &game, states)
        return true
      }, finish: { $0.finish(&$1, states) })
  }

  private mutating func begin(_ game: inout StateGame, _ start: EpisodeStarts.Start, _ states: StateMemory) {
    game.result = EpisodeResult(isFresh: start.isFresh)
    game.trajectory.removeAll(keepingCapacity: true)
    look(start.board, &game, states)
  }

  @inline(__always)
  private mutating func make(_ move: Int, _ game: inout StateGame, _ states: StateMemory) {
    let successors = game.successors
    game.result.score += Int(successors.rewards[move])
    game.result.moves += 1
    let afterstate = Afterstate(bits: successors.bits[move], overflow: successors.overflow[move])
    look(chance.board(after: afterstate, using: &random), &game, states)
  }

  private mutating func finish(_ game: inout StateGame, _ states: StateMemory) -> EpisodeResult {
    game.result.absoluteErrors = learnBackward(game.trajectory, states)
    game.result.largestExponent = game.board.largestExponent
    return game.result
  }

  /// Asks for the entries of all states that moves on a board lead to.
  @inline(__always)
  private mutating func look(_ board: Board, _ game: inout StateGame, _ states: StateMemory) {
    if remembersStarts { starts[game.number].visit(board) }
    let successors = table.successors(of: board)
    var hashes = SIMD4<UInt64>()
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      hashes[move] = states.hash(successors.bits[move])
      states.prefetch(hashes[move])
    }
    game.board = board
    game.successors = successors
    game.hashes = hashes
  }

  /// Chooses the move with the largest sum of reward, value and what its visits leave of the bonus, the first of equals, and appends it to the
  /// trajectory; `nil` when none is legal. Where one has been made often enough, those to states that have learned nothing come first.
  @inline(__always)
  private mutating func choose(_ game: inout StateGame, _ states: StateMemory) -> Int? {
    let (successors, hashes) = (game.successors, game.hashes)
    var choice = ExploringChoice()
    var slots = SIMD4<Int>(repeating: -1)
    var (untried, mostVisits) = (0, Float(0))
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let slot = states.slot(of: hashes[move]) ?? meet(successors.afterstate(number: move), hashes[move], states)
      slots[move] = slot
      var value: Float
      var bonus: Float = 0
      if slot >= 0 {
        value = states.value(at: slot)
        let visits = states.visits(at: slot)
        bonus = visitBonus / (1 + visits)
        mostVisits = max(mostVisits, visits)
        if visits == 0 { untried |= 1 << move }
      } else {
        value = base(successors.afterstate(number: move))
      }
      let sum = Float(successors.rewards[move]) + value
      choice.add(move, sum: sum, raised: sum + bonus)
    }
    if untried != 0, mostVisits >= options.trialVisits, visitBonus > 0 {
      let trial = (0..<4).first {
        untried >> $0 & 1 == 1 && learner.weights.weight(at: states.index.first &+ slots[$0]) == 0
      }
      if let trial { choice.prefer(trial) }
    }
    guard let chosen = choice.chosen else { return nil }
    let slot = slots[chosen]
    var base: Float
    if slot >= 0 {
      states.add(at: slot)
      base = states.patterns(at: slot)
    } else {
      base = self.base(successors.afterstate(number: chosen))
    }
    game.trajectory.append(
      StateStep(slot: slot, base: base, reward: Float(successors.rewards[chosen]), foregone: choice.foregone))
    return chosen
  }

  /// The slot of a state that has no entry yet; -1 when there is no room for it.
  @inline(never)
  private mutating func meet(_ afterstate: Afterstate, _ hash: UInt64, _ states: StateMemory) -> Int {
    let (first, base) = (states.index.first, base(afterstate))
    return states.add(hash, patterns: base) { base + own(learner.weights.weight(at: first &+ $0), base: base) } ?? -1
  }

  /// What a state's own weight is added to.
  @inline(never)
  private mutating func base(_ afterstate: Afterstate) -> Float {
    indexer.write(afterstate, into: &features, slot: 0)
    return StateIndex.base(patterns: learner.value(features, slot: 0))
  }

  /// What a state's own weight counts for. One that has learned nothing yet looks better than it is, so that it gets its chance; networks do
  /// not play that way.
  @inline(__always)
  private func own(_ weight: Float, base: Float) -> Float { weight == 0 ? base * (options.optimism - 1) : weight }

  /// The states of the episode learn from the last to the first; those without a weight of their own keep their value.
  ///
  /// - Returns: the sum of the absolute errors.
  private func learnBackward(_ trajectory: [StateStep], _ states: StateMemory) -> Double {
    let (ahead, first) = (6, states.index.first)
    var absoluteErrors = 0.0
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    var foregone: Float?
    for index in trajectory.indices.reversed() {
      if index >= ahead, trajectory[index - ahead].slot >= 0 {
        learner.weights.prefetchCell(first &+ trajectory[index - ahead].slot)
      }
      let step = trajectory[index]
      target = self.target(foregone, reward: reward, value: value, next: target)
      if step.slot >= 0 {
        let place = first &+ step.slot
        let before = own(learner.weights.weight(at: place), base: step.base)
        let error = target - (step.base + before)
        let after = learner.weights.update(at: place) { cell in
          cell.weight = before
          learner.rule.update(&cell, error: error, share: 1)
        }
        value = step.base + after
        states.set(value: value, at: step.slot)
        absoluteErrors += Double(abs(error))
      } else {
        value = step.base
      }
      (reward, foregone) = (step.reward, step.foregone)
    }
    return absoluteErrors
  }
}

/// A game that is played while states learn.
struct StateGame {
  let number: Int
  var board = Board(bits: 0)
  /// Where moves on the board lead.
  var successors: Successors
  /// Of where legal ones do.
  var hashes = SIMD4<UInt64>()
  var result = EpisodeResult(isFresh: true)
  var trajectory: [StateStep] = []

  init(_ number: Int, _ table: MoveTable) {
    self.number = number
    successors = table.successors(of: board)
  }
}

/// A move of an episode from which states learn.
struct StateStep {
  /// That of the afterstate; -1 for none.
  var slot: Int
  /// What its weight is added to.
  var base: Float
  var reward: Float
  /// Reward plus value of the best move, where another was made to explore.
  var foregone: Float?
}
