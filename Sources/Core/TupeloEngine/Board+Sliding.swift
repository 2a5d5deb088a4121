/// Slides a line of exponents toward its first position: compress, merge equal neighbours, compress.
///
/// Merging begins at the wall, and each tile merges at most once. Two tiles of 131072 do not merge: 131072 is the
/// largest tile, and no game can make two of them.
///
/// - Returns: the new line, of the same length, and the sum of the merged tiles in score points.
func slideLine(_ line: [Int]) -> (tiles: [Int], reward: Int) {
  var tiles: [Int] = []
  var reward = 0
  var lastMayMerge = false
  for tile in line where tile != 0 {
    if lastMayMerge, tiles.last == tile, tile < Board.maximumExponent {
      tiles[tiles.count - 1] = tile + 1
      reward += 1 << (tile + 1)
      lastMayMerge = false
    } else {
      tiles.append(tile)
      lastMayMerge = true
    }
  }
  return (tiles + Array(repeating: 0, count: line.count - tiles.count), reward)
}

/// The general rules: exact for every tile, and slower than the table. They are used once a tile beyond 32768 is on the
/// board or about to be made.
extension Board {
  @usableFromInline
  func slid(_ move: Move, in shape: BoardShape) -> MoveOutcome? {
    let lines = shape.lines(of: move)
    var after = Afterstate.empty
    var reward = 0
    for line in 0..<lines.count {
      let cells = (0..<lines.length).map { shape.cell(line: line, position: $0, toward: move) }
      let slid = slideLine(cells.map(exponent(at:)))
      for (cell, exponent) in zip(cells, slid.tiles) {
        after = after.replacing(cell: cell, with: exponent)
      }
      reward += slid.reward
    }
    guard after.bits != bits || after.overflow != overflow else { return nil }
    return MoveOutcome(afterstate: after, reward: reward)
  }

  @usableFromInline
  func legalMovesByRules(in shape: BoardShape) -> MoveSet {
    let mask = Move.allCases.reduce(UInt8(0)) { slid($1, in: shape) == nil ? $0 : $0 | 1 << UInt8($1.rawValue) }
    return MoveSet(mask: mask)
  }
}
