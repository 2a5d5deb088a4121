package import TupeloEngine

extension Rules {
  /// The exponent of the largest tile that a game can make. On n cells it is n, and n + 1 where 4s appear, because the
  /// last two tiles before a merge need a cell each: 17 (131072) on 4x4, 7 (128) on 2x3.
  package var largestExponent: Int { shape.cellCount + (fourProbability > 0 ? 1 : 0) }

  /// The two tiles whose rates progress shows: 2048 and 8192, or the two largest of a small board.
  package var milestones: [Int] {
    let largest = 1 << largestExponent
    return [min(2048, largest / 2), min(8192, largest)]
  }

  /// The exponents of the tiles whose rates an evaluation reports: from 256, or the second largest of a small board, to
  /// 65536.
  var reportedExponents: ClosedRange<Int> { min(8, largestExponent - 1)...min(16, largestExponent) }
}
