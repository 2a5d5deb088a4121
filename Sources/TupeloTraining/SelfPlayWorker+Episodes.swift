internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// Learning from an episode when it is over, from its last state to the first, so that what the end taught is known to all of it.
extension SelfPlayWorker {
  /// How many states ahead cache lines are asked for.
  private static var ahead: Int { 3 }
  /// Slots behind those of the games, used in turn.
  static var backwardSlots: Int { ahead + 1 }

  @inline(__always)
  mutating func playThenLearn(_ games: inout [TurnGame], while claims: () -> Bool) -> TrainingProgress {
    playInTurn(
      &games, while: claims, begin: { $0.beginEpisode(&$1, $2) }, move: { $0.move(&$1) },
      finish: { $0.finishEpisode(&$1) })
  }

  @inline(__always)
  private mutating func beginEpisode(_ game: inout TurnGame, _ start: EpisodeStarts.Start) {
    game.result = EpisodeResult(isFresh: start.isFresh)
    game.trajectory.removeAll(keepingCapacity: true)
    look(at: start.board, &game)
  }

  @inline(__always)
  private mutating func move(_ game: inout TurnGame) -> Bool {
    let (successors, slot) = (game.successors, game.slot)
    let (move, foregone): (Int, Float?)
    if visitBonus > 0, let visits = options.visits {
      guard let choice = explore(successors, slot: slot, visits) else { return false }
      (move, foregone) = choice
    } else {
      guard let best = select(successors, slot: slot) else { return false }
      (move, foregone) = (best.move, nil)
    }
    let reward = successors.rewards[move]
    game.trajectory.append(
      TurnGame.Step(afterstate: successors.afterstate(number: move), reward: Float(reward), foregone: foregone))
    game.result.score += Int(reward)
    game.result.moves += 1
    let afterstate = Afterstate(bits: successors.bits[move], overflow: successors.overflow[move])
    look(at: chance.board(after: afterstate, using: &random), &game)
    return true
  }

  @inline(__always)
  private mutating func finishEpisode(_ game: inout TurnGame) -> EpisodeResult {
    game.result.absoluteErrors = learnBackward(game.trajectory)
    game.result.largestExponent = game.board.largestExponent
    return game.result
  }

  private mutating func learnBackward(_ trajectory: [TurnGame.Step]) -> Double {
    var absoluteErrors = 0.0
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    var foregone: Float?
    for index in trajectory.indices.reversed().prefix(Self.ahead) { prepare(trajectory[index], index) }
    for index in trajectory.indices.reversed() {
      if index >= Self.ahead { prepare(trajectory[index - Self.ahead], index - Self.ahead) }
      let slot = backwardSlot(index)
      target = self.target(foregone, reward: reward, value: value, next: target)
      value = learner.value(features, slot: slot)
      let error = target - value
      if !isFrozen(slot) { value = learner.update(features, slot: slot, error: error) }
      absoluteErrors += Double(abs(error))
      (reward, foregone) = (trajectory[index].reward, trajectory[index].foregone)
    }
    return absoluteErrors
  }

  @inline(__always)
  private func backwardSlot(_ index: Int) -> Int {
    features.slots - Self.backwardSlots + index % Self.backwardSlots
  }

  /// Computes the features of a state of the trajectory and asks for their cache lines.
  @inline(__always)
  private mutating func prepare(_ step: TurnGame.Step, _ index: Int) {
    let slot = backwardSlot(index)
    indexer.write(step.afterstate, into: &features, slot: slot)
    learner.weights.prefetch(features, slot: slot)
    learner.weights.prefetchSums(features, slot: slot)
  }

  /// What a state learns. What follows a move that was made to explore says little of what the best one is worth (Watkins's Q(lambda)), which
  /// was known when it was not made.
  @inline(__always)
  func target(_ foregone: Float?, reward: Float, value: Float, next: Float) -> Float {
    foregone ?? options.returns.value(reward: reward, value: value, next: next)
  }
}
