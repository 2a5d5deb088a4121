public import TupeloBase

/// A tile that may appear: its cell, its exponent and its probability.
public struct ChanceOutcome: Hashable, Sendable {
  /// row * 4 + column
  public let cell: Int
  /// 1 for a 2, 2 for a 4
  public let exponent: Int
  public let probability: Double

  @inlinable
  public init(cell: Int, exponent: Int, probability: Double) {
    self.cell = cell
    self.exponent = exponent
    self.probability = probability
  }
}

extension Afterstate {
  /// The board after `outcome` has appeared on its empty cell.
  ///
  /// - Precondition: the tile is a 2 or a 4.
  @inlinable
  public func board(after outcome: ChanceOutcome) -> Board {
    precondition(outcome.exponent == 1 || outcome.exponent == 2, "a tile that appears is a 2 or a 4")
    return Board(bits: bits | UInt64(outcome.exponent) << UInt64(outcome.cell * 4), overflow: overflow)
  }
}

/// The distribution of new tiles: every empty cell is equally likely, and the tile is a 4 with a fixed probability.
///
/// Training, search, exact solving and tests all use it, enumerated or sampled. It is a plain value. Copy it to a local
/// constant before a loop that runs often.
public struct ChanceModel: Sendable {
  public let cellMask: UInt64
  public let fourProbability: Double
  /// A draw of 32 bits below this is a 4.
  @usableFromInline package let fourThreshold: UInt64

  public init(_ rules: Rules) {
    cellMask = rules.shape.cellMask
    fourProbability = rules.fourProbability
    fourThreshold = UInt64((rules.fourProbability * 0x1p32).rounded())
  }

  /// The exponents of the tiles that may appear.
  @inlinable
  public var exponents: ClosedRange<Int> {
    (fourProbability < 1 ? 1 : 2)...(fourProbability > 0 ? 2 : 1)
  }

  /// A 1 in the lowest bit of every empty nibble inside the shape.
  @inlinable
  public func emptyMask(of afterstate: Afterstate) -> UInt64 {
    cellMask & ~afterstate.occupiedMask
  }

  /// All outcomes of probability above zero, by cell and then by tile. Their probabilities add up to 1. There is no
  /// outcome when no cell is empty.
  @inlinable
  public func outcomes(of afterstate: Afterstate) -> ChanceOutcomes {
    ChanceOutcomes(empty: emptyMask(of: afterstate), fourProbability: fourProbability)
  }

  /// Samples one outcome: 32 random bits choose the cell (bias below 2^-28), and 32 the tile.
  ///
  /// - Precondition: at least one cell is empty, which is true after every legal move.
  @inlinable
  public func sample(of afterstate: Afterstate, using random: inout RandomStream) -> ChanceOutcome {
    let empty = emptyMask(of: afterstate)
    let (cell, exponent) = draw(empty, using: &random)
    let tile = exponent == 2 ? fourProbability : 1 - fourProbability
    return ChanceOutcome(
      cell: cell, exponent: Int(exponent), probability: tile / Double(empty.nibblePrefixCounts.total))
  }

  /// The board after a sampled outcome. The outcome is sampled as in `sample`, without computing the probability.
  ///
  /// - Precondition: at least one cell is empty.
  @inlinable @inline(__always)
  public func board(after afterstate: Afterstate, using random: inout RandomStream) -> Board {
    let (cell, exponent) = draw(emptyMask(of: afterstate), using: &random)
    return Board(bits: afterstate.bits | exponent &<< UInt64(cell * 4), overflow: afterstate.overflow)
  }

  /// Samples a cell and an exponent.
  ///
  /// - Parameter empty: a 1 in the lowest bit of each empty cell, at least one
  @inlinable @inline(__always)
  func draw(_ empty: UInt64, using random: inout RandomStream) -> (cell: Int, exponent: UInt64) {
    precondition(empty != 0, "no cell is empty")
    let counts = empty.nibblePrefixCounts
    let draw = random.next()
    let cell = counts.position(ofRank: ((draw >> 32) &* counts.total) >> 32)
    return (cell, draw & 0xffff_ffff < fourThreshold ? 2 : 1)
  }
}

/// The chance outcomes of one afterstate, generated on the fly.
public struct ChanceOutcomes: Sequence, IteratorProtocol, Sendable {
  @usableFromInline var empty: UInt64
  @usableFromInline var twoIsDone = false
  @usableFromInline let two: Double
  @usableFromInline let four: Double

  @inlinable
  init(empty: UInt64, fourProbability: Double) {
    self.empty = empty
    let count = Double(Swift.max(empty.nonzeroBitCount, 1))
    two = (1 - fourProbability) / count
    four = fourProbability / count
  }

  /// The probability of a tile with this exponent on any one empty cell.
  @inlinable
  public func probability(ofExponent exponent: Int) -> Double { exponent == 2 ? four : two }

  @inlinable
  public mutating func next() -> ChanceOutcome? {
    guard empty != 0 else { return nil }
    let cell = empty.trailingZeroBitCount >> 2
    let isFour = twoIsDone || two == 0
    twoIsDone = !isFour && four > 0
    if !twoIsDone { empty &= empty &- 1 }
    return ChanceOutcome(cell: cell, exponent: isFour ? 2 : 1, probability: isFour ? four : two)
  }
}
