internal import TupeloEngine

/// Results in the caller's memory. Soundness of the unsafe memory: see `GameBatch`.
extension GameBatch {
  /// Writes the visible part of a game: its board and legal moves.
  @inline(__always)
  func show(_ board: Board, _ legal: MoveSet, _ index: Int) {
    if let observations = unsafe results.observations {
      unsafe observation.write(board, to: observations + index * observation.byteCount)
    }
    if let masks = unsafe results.masks { unsafe Self.write(mask: legal, to: masks + 4 * index) }
    if let tiles = unsafe results.largestTiles { unsafe tiles[index] = Self.largestTile(on: board) }
  }

  /// Writes the results of an action.
  @inline(__always)
  func show(_ step: GameStep, _ index: Int) {
    if let rewards = unsafe results.rewards { unsafe rewards[index] = step.reward }
    if let terminated = unsafe results.terminated { unsafe terminated[index] = step.isTerminated ? 1 : 0 }
    if let truncated = unsafe results.truncated { unsafe truncated[index] = step.isTruncated ? 1 : 0 }
    if let illegal = unsafe results.illegalActions { unsafe illegal[index] = step.isIllegal ? 1 : 0 }
    if let afterstates = unsafe results.afterstates { unsafe afterstates[index] = step.afterstate.bits }
    if let overflow = unsafe results.afterstateOverflow { unsafe overflow[index] = step.afterstate.overflow }
    if let exponents = unsafe results.afterstateExponents {
      unsafe TileExponents(step.afterstate).write(to: exponents + index * rules.shape.cellCount, rules.shape)
    }
  }

  /// Writes the end of a game that begins again in the same step.
  @inline(never)
  func showEnd(of game: LiveGame, _ index: Int) {
    if let observations = unsafe finals.observations {
      unsafe observation.write(game.board, to: observations + index * observation.byteCount)
    }
    if let boards = unsafe finals.boards { unsafe boards[index] = game.board.bits }
    if let overflow = unsafe finals.overflow { unsafe overflow[index] = game.board.overflow }
    if let scores = unsafe finals.scores { unsafe scores[index] = game.score }
    if let plies = unsafe finals.plies { unsafe plies[index] = game.plies }
    if let tiles = unsafe finals.largestTiles { unsafe tiles[index] = Self.largestTile(on: game.board) }
    if let masks = unsafe finals.masks { unsafe Self.write(mask: game.legal, to: masks + 4 * index) }
  }

  /// Writes a byte for each action: 1 for legal actions, and 1 for all four if no action is legal.
  @inline(__always) @unsafe
  private static func write(mask legal: MoveSet, to bytes: UnsafeMutablePointer<Int8>) {
    let mask = legal.isEmpty ? 0xf : UInt32(legal.mask)
    // Moves each bit of the mask to the lowest bit of its byte.
    let spread = (mask &* 0x0020_4081) & 0x0101_0101
    unsafe UnsafeMutableRawPointer(bytes).storeBytes(of: spread.littleEndian, as: UInt32.self)
  }

  /// The largest tile, found bit by bit of the exponent, from the highest on.
  @inline(__always)
  private static func largestTile(on board: Board) -> Int32 {
    guard board.overflow == 0 else { return Int32(1) << Int32(TileExponents(board).largest) }
    var candidates: UInt64 = 0x1111_1111_1111_1111
    var exponent: Int32 = 0
    for place in 0..<4 {
      let having = board.bits &>> UInt64(3 - place) & candidates
      let isAny = having != 0
      candidates = isAny ? having : candidates
      exponent = exponent << 1 | (isAny ? 1 : 0)
    }
    return exponent == 0 ? 0 : 1 << exponent
  }
}
