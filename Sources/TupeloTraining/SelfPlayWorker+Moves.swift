internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// Learning after every move.
extension SelfPlayWorker {
  /// Features are computed once per afterstate and serve prefetch, value and update. The update of a state is put off until the
  /// next candidates' cache lines have been asked for and other games have had their turns, so that its own are there; it still happens before
  /// the values of its game's next candidates are read, so within a game the order of values and updates is the textbook one.
  @inline(__always)
  mutating func playAndLearn(_ games: inout [TurnGame], while claims: () -> Bool) -> TrainingProgress {
    playInTurn(
      &games, while: claims, begin: { $0.begin(&$1, $2) }, move: { $0.moveAndLearn(&$1) }, finish: { $0.finish(&$1) })
  }

  @inline(__always)
  private mutating func begin(_ game: inout TurnGame, _ start: EpisodeStarts.Start) {
    game.result = EpisodeResult(isFresh: start.isFresh)
    look(at: start.board, &game)
  }

  /// Sees a board before its move: asks for what the choice of it will need.
  @inline(__always)
  mutating func look(at board: Board, _ game: inout TurnGame) {
    if remembersStarts { starts[game.number].visit(board) }
    let successors = table.successors(of: board)
    prepare(successors, slot: game.slot)
    game.board = board
    game.successors = successors
  }

  @inline(__always)
  private mutating func moveAndLearn(_ game: inout TurnGame) -> Bool {
    if let due = game.due { game.result.add(error: learn(due)) }
    let (successors, slot) = (game.successors, game.slot)
    guard let best = select(successors, slot: slot) else { return false }
    let reward = successors.rewards[best.move]
    game.due = game.pending.append(slot: slot &+ best.move, value: best.value, reward: Float(reward))
    if let due = game.due, !isFrozen(due.slot) { learner.weights.prefetchSums(features, slot: due.slot) }
    game.result.score += Int(reward)
    game.result.moves += 1
    game.turnBank()
    let afterstate = Afterstate(bits: successors.bits[best.move], overflow: successors.overflow[best.move])
    look(at: chance.board(after: afterstate, using: &random), &game)
    return true
  }

  @inline(__always)
  private mutating func finish(_ game: inout TurnGame) -> EpisodeResult {
    game.due = nil
    while let lesson = game.pending.removeFirst() { game.result.add(error: learn(lesson)) }
    game.result.largestExponent = game.board.largestExponent
    return game.result
  }

  @inline(__always)
  private func learn(_ lesson: Lesson) -> Float {
    isFrozen(lesson.slot)
      ? lesson.target - lesson.value
      : learner.learn(features, slot: lesson.slot, value: lesson.value, target: lesson.target)
  }
}
