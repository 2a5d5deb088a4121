/// Slides a line of exponents toward its first position: compress, merge equal neighbours, compress.
///
/// Merging begins at the wall, and each tile merges at most once. Two tiles of 131072 do not merge: 131072 is the
/// largest tile, and no game can make two of them.
///
/// - Parameter line: the exponents, one byte each, the first position lowest.
/// - Returns: the new line, and the sum of the merged tiles in score points.
func slideLine(_ line: UInt32) -> (tiles: UInt32, reward: Int) {
  var (tiles, count, reward) = (UInt32(0), UInt32(0), 0)
  var mergeable: UInt32 = 0
  var rest = line
  while rest != 0 {
    let tile = rest & 0xff
    rest >>= 8
    guard tile != 0 else { continue }
    if tile == mergeable, tile < Board.maximumExponent {
      tiles += 1 << (8 * (count - 1))
      reward += 1 << Int(tile + 1)
      mergeable = 0
    } else {
      tiles |= tile << (8 * count)
      count += 1
      mergeable = tile
    }
  }
  return (tiles, reward)
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
      let tiles = (0..<lines.length).reduce(UInt32(0)) {
        $0 | UInt32(exponent(at: shape.cell(line: line, position: $1, toward: move))) << UInt32(8 * $1)
      }
      let slid = slideLine(tiles)
      for position in 0..<lines.length {
        let cell = shape.cell(line: line, position: position, toward: move)
        after = after.replacing(cell: cell, with: Int(slid.tiles >> UInt32(8 * position) & 0xff))
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
