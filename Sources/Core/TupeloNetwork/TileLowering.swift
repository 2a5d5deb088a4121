public import TupeloEngine

/// Lowering: a network looks up a board with 32768 or a larger tile as a board with smaller tiles, because training
/// sees late boards far too rarely to learn their weights.
///
/// A tile from 4 to 16384 that is missing from the board, while a larger tile is present, is a hole. To close the
/// highest hole, every tile above it is halved. For example, if 16384 is missing, a 32768 is looked up as a 16384 and
/// all other tiles stay. This is repeated until the largest tile is at most 16384, or no hole is left. Equal tiles stay
/// equal, and different tiles stay different. So the value of such a board is the expected score of the lowered
/// position, which is below that of the real one. Rewards are those of the real board.
///
/// Tile-downgrading (Guei et al. 2021) lowers the board at the root of a search. Here, lowering is part of the value,
/// so it holds for every position of a search, and in training.
extension Afterstate {
  /// The board that is looked up in a network's tables: `bits` below 32768, and otherwise the lowered board.
  @inlinable @inline(__always)
  var loweredBits: UInt64 {
    bits.hasFifteen ? Self.lowered(bits: bits, overflow: overflow) : bits
  }

  /// It is not inlined, because nearly all boards do without it.
  @usableFromInline @inline(never)
  static func lowered(bits: UInt64, overflow: UInt32) -> UInt64 {
    guard overflow == 0 else { return loweredByCells(Afterstate(bits: bits, overflow: overflow)) }
    var present: UInt32 = 0
    for cell in 0..<16 as Range<UInt64> { present |= 1 << UInt32(bits >> (cell * 4) & 15) }
    guard let hole = highestHole(present) else { return bits }
    // Added to a rank above the hole, this gives 16 and more, which is bit 4 of its byte.
    let addend = UInt64(15 - hole) &* 0x0101_0101_0101_0101
    let even = ((bits & 0x0f0f_0f0f_0f0f_0f0f) &+ addend) & 0x1010_1010_1010_1010
    let odd = ((bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f) &+ addend) & 0x1010_1010_1010_1010
    return bits &- (even >> 4 | odd)
  }

  /// Lowers a board with tiles of 65536 or more, cell by cell.
  private static func loweredByCells(_ afterstate: Afterstate) -> UInt64 {
    var board = afterstate
    while board.largestExponent > 14 {
      let present = (0..<16).reduce(UInt32(0)) { $0 | 1 << UInt32(board.exponent(at: $1)) }
      guard let hole = highestHole(present) else { break }
      for cell in 0..<16 where board.exponent(at: cell) > hole {
        board = board.replacing(cell: cell, with: board.exponent(at: cell) - 1)
      }
    }
    return board.bits
  }

  /// The highest exponent from 2 to the largest that is missing from `present`, a mask of exponents that has one above
  /// 2; `nil` if none is missing.
  private static func highestHole(_ present: UInt32) -> Int? {
    let below = UInt32.max >> UInt32(present.leadingZeroBitCount) & ~3
    let holes = ~present & below
    return holes == 0 ? nil : 31 - holes.leadingZeroBitCount
  }
}

extension UInt64 {
  /// Whether one of the sixteen nibbles is 15.
  @inlinable @inline(__always)
  var hasFifteen: Bool {
    let pairs = self & self >> 1
    return pairs & pairs >> 2 & 0x1111_1111_1111_1111 != 0
  }
}
