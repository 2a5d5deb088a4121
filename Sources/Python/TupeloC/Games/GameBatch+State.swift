internal import TupeloBase
internal import TupeloEngine

/// The games of a batch in the caller's memory. Soundness of the unsafe memory: see `GameBatch`.
extension GameBatch {
  /// The game with an index; `nil` when its bytes are not a game.
  @inline(__always)
  func game(_ index: Int) -> LiveGame? {
    let board = unsafe Board(bits: boards[index], overflow: overflow[index])
    guard board.isSound(within: nibbles), let stream = unsafe RandomStream(words: random + 4 * index) else {
      return nil
    }
    return unsafe LiveGame(
      board: board, random: stream, score: scores[index], plies: plies[index], steps: steps[index],
      illegalStreak: illegalStreaks?[index] ?? 0, hasEnded: ended[index] != 0, legal: MoveSet(mask: 0))
  }

  @inline(__always)
  func write(_ game: LiveGame, _ index: Int) {
    unsafe boards[index] = game.board.bits
    unsafe overflow[index] = game.board.overflow
    unsafe game.random.write(to: random + 4 * index)
    unsafe scores[index] = game.score
    unsafe plies[index] = game.plies
    unsafe steps[index] = game.steps
    if let streaks = unsafe illegalStreaks { unsafe streaks[index] = game.illegalStreak }
    unsafe ended[index] = game.hasEnded ? 1 : 0
  }

  /// Makes sure that the states of all games are sound.
  ///
  /// - Throws: `Fault` that names the game.
  func checkStates() throws(Fault) {
    for index in 0..<count {
      guard isSound(index) else { throw flaw(of: index) }
    }
  }

  @inline(__always)
  func isSound(_ index: Int) -> Bool {
    let board = unsafe Board(bits: boards[index], overflow: overflow[index])
    let words = unsafe random + 4 * index
    return unsafe board.isSound(within: nibbles) && words[0] | words[1] | words[2] | words[3] != 0 && ended[index] <= 1
  }

  func flaw(of index: Int) -> Fault {
    let board = unsafe Board(bits: boards[index], overflow: overflow[index])
    guard board.isSound(within: nibbles) else {
      return .invalid("boards[\(index)] is not a board: \(board.flaw(within: rules.shape))")
    }
    let flag = unsafe ended[index]
    guard flag <= 1 else { return .invalid("ended[\(index)] is \(flag): give 0 or 1") }
    return .invalid("random[\(index)] is not a random stream: its four words are zero")
  }

  /// Calls `body` with the indices of all games, in pieces on several threads if there are many games.
  @inline(__always)
  func forEachPiece(_ body: @Sendable (Range<Int>) -> Void) {
    let pieces = min(threads, count / 1024)
    guard pieces > 1 else { return body(0..<count) }
    let length = (count + pieces - 1) / pieces
    Parallel.forEach(count: pieces, threads: threads) { piece in
      body(min(piece * length, count)..<min((piece + 1) * length, count))
    }
  }
}
