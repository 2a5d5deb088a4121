internal import TupeloEngine

/// Beginning games, and looking at them. Soundness of the unsafe memory: see `GameBatch`.
extension GameBatch {
  /// Begins the games of the mask, or all games.
  func reset(seeds: UnsafePointer<UInt64>?, mask: UnsafePointer<UInt8>?) throws(Fault) {
    guard count > 0 else { return }
    nonisolated(unsafe) let seeds = try unsafe Memory.optional(seeds, "seeds")
    nonisolated(unsafe) let mask = unsafe mask
    for index in 0..<count {
      let flag = unsafe mask?[index] ?? 1
      guard flag <= 1 else { throw .invalid("mask[\(index)] is \(flag): give 0 or 1") }
      guard unsafe flag == 0 || seeds != nil || RandomStream(words: random + 4 * index) != nil else {
        throw .invalid("random[\(index)] is not a random stream: its four words are zero, so give seeds")
      }
    }
    forEachPiece { indices in
      for index in indices where unsafe mask?[index] ?? 1 != 0 {
        let seeded = unsafe seeds.map { unsafe RandomStream(seed: $0[index]) }
        guard let stream = unsafe seeded ?? RandomStream(words: random + 4 * index) else { continue }
        let game = newGame(stream)
        write(game, index)
        show(game.board, game.legal, index)
        show(GameStep(afterstate: Afterstate(bits: game.board.bits)), index)
      }
    }
  }

  /// Marks games without a legal move as ended, and shows all games.
  func observe() throws(Fault) {
    try checkStates()
    forEachPiece { indices in
      for index in indices {
        guard var game = game(index) else { continue }
        game.legal = table.legalMoves(on: game.board)
        if game.legal.isEmpty { unsafe ended[index] = 1 }
        show(game.board, game.legal, index)
      }
    }
  }
}
