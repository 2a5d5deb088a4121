internal import CTupeloAPI
internal import TupeloBase
internal import TupeloEngine
internal import TupeloSearch

/// Steps of all games. Soundness of the unsafe memory: see `GameBatch`.
extension GameBatch {
  /// Plays an action in each game, after all games and actions were found to be sound.
  func step(_ actions: UnsafePointer<Int64>?) throws(Fault) {
    guard count > 0 else { return }
    nonisolated(unsafe) let actions = try unsafe Memory.array(actions, count, "actions")
    // A few games are stepped one by one: for them, the functions in C cost more than they save.
    nonisolated(unsafe) let batch = unsafe count < 8 ? nil : usualGames
    try unsafe check(actions, of: batch)
    if illegal == .raise { try unsafe checkLegal(actions) }
    forEachPiece { indices in
      guard let batch = unsafe batch else {
        for index in indices { unsafe step(index, actions[index]) }
        return
      }
      for first in stride(from: indices.lowerBound, to: indices.upperBound, by: Int(STEPS_BLOCK)) {
        let block = first..<min(first + Int(STEPS_BLOCK), indices.upperBound)
        var unusual = unsafe withUnsafePointer(to: batch) {
          unsafe step_games_play($0, actions + first, first, block.count)
        }
        if !isObservedInC { observe(block) }
        if rules.shape != .standard { showAfterstates(block) }
        while unusual != 0 {
          let index = first + unusual.trailingZeroBitCount
          unsafe step(index, actions[index])
          unusual &= unusual &- 1
        }
      }
    }
  }

  /// Makes sure that the games and the actions are sound.
  private func check(_ actions: UnsafePointer<Int64>, of batch: step_games?) throws(Fault) {
    if let batch = unsafe batch {
      let areUsual = unsafe withUnsafePointer(to: batch) {
        unsafe step_games_are_usual($0, actions, count, autoreset == .disabled ? 0 : 1)
      }
      guard areUsual == 0 else { return }
    }
    for index in 0..<count {
      guard unsafe isSound(index) && actions[index] & ~3 == 0 && ended[index] == 0 else {
        try unsafe checkUnusual(index, actions[index])
        continue
      }
    }
  }

  /// Plays an action in one game, and writes its state and results.
  @inline(__always)
  private func step(_ index: Int, _ action: Int64) {
    // A game that another thread has spoiled since it was checked stays as it is.
    guard var game = game(index) else { return }
    let step = advance(&game, action: Int(truncatingIfNeeded: action), index, isShown: true)
    write(game, index)
    show(game.board, game.legal, index)
    show(step, index)
  }

  /// Plays uniformly random legal actions.
  ///
  /// - Returns: the legal moves and the ends of games
  func randomSteps(_ steps: Int64, seed: UInt64, control: Control) throws(Fault) -> (moves: Int, episodes: Int) {
    let steps = try Memory.number(steps, in: 0...1_000_000_000, "steps")
    guard autoreset != .disabled else {
      throw .invalid("games.autoreset is disabled, and random steps need games that begin again: give 0 or 1")
    }
    try checkStates()
    guard steps > 0 else { return (0, 0) }
    let (moves, episodes) = (Counter(), Counter())
    forEachPiece { indices in
      for index in indices {
        guard var game = game(index) else { continue }
        let played = randomSteps(of: &game, index, steps, seed: seed, control)
        write(game, index)
        show(game.board, game.legal, index)
        show(played.last, index)
        moves.add(played.moves)
        episodes.add(played.episodes)
      }
    }
    if control.cancellation.isCancelled { throw Fault.cancelled }
    return (moves.value, episodes.value)
  }

  @inline(__always)
  private func randomSteps(
    of game: inout LiveGame, _ index: Int, _ steps: Int, seed: UInt64, _ control: Control
  ) -> (moves: Int, episodes: Int, last: GameStep) {
    var choices = RandomStream(seed: seed, stream: UInt64(index))
    var (moves, episodes) = (0, 0)
    var last = GameStep(afterstate: .empty)
    game.legal = table.legalMoves(on: game.board)
    for left in stride(from: steps, to: 0, by: -1) {
      if left & 0xfff == 0, control.cancellation.isCancelled { break }
      let action = game.legal.isEmpty ? 0 : game.legal.move(ofRank: choices.next(below: game.legal.count)).rawValue
      last = advance(&game, action: action, index, isShown: left == 1)
      moves += last.isMove ? 1 : 0
      episodes += last.isTerminated || last.isTruncated ? 1 : 0
    }
    return (moves, episodes, last)
  }

  /// Plays an action in a game, or begins a new game in its place.
  ///
  /// - Parameter isShown: whether the end of a game is written to the caller's memory
  @inline(__always)
  private func advance(_ game: inout LiveGame, action: Int, _ index: Int, isShown: Bool) -> GameStep {
    if game.hasEnded {
      game = newGame(game.random)
      return GameStep(afterstate: Afterstate(bits: game.board.bits))
    }
    let step = play(action, in: &game)
    if game.hasEnded, autoreset == .sameStep {
      if isShown { showEnd(of: game, index) }
      game = newGame(game.random)
    }
    return step
  }

  /// Handles a game that has an unsound state, has an action out of range, or has ended.
  private func checkUnusual(_ index: Int, _ action: Int64) throws(Fault) {
    guard isSound(index) else { throw flaw(of: index) }
    guard unsafe ended[index] == 0 else {
      guard autoreset == .disabled else { return }
      throw Fault(.gameOver, "game \(index) has ended: reset it before the next step")
    }
    throw .invalid("actions[\(index)] is \(action): give 0 (up), 1 (right), 2 (down) or 3 (left)")
  }

  /// Makes sure that all actions are legal.
  private func checkLegal(_ actions: UnsafePointer<Int64>) throws(Fault) {
    for index in 0..<count {
      guard let game = game(index), !game.hasEnded, let move = unsafe Move(rawValue: Int(actions[index])) else {
        continue
      }
      guard table.afterstate(of: move, on: game.board) != nil else {
        throw Fault(.illegalMove, "actions[\(index)] is \(move.rawValue) (\(move)), which changes nothing on the board")
      }
    }
  }
}
