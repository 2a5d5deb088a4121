internal import TupeloEngine

/// How one pattern's table lies in memory.
///
/// Files keep the standard order: the digits of an index are exponents, cell after cell. Memory keeps the bits of their
/// Gray codes plane after plane: the lowest bits of all exponents first, then the second ones, and so on. Small tiles
/// come and go with every move and large ones stay, so what a game looks up in a while shares the upper planes and lies
/// close together, on few cache lines and, which counts for more, on few pages: 9 to 17% more moves per second in
/// training than the order before it, which minded lines alone (configs/RESULTS.md).
///
/// Within each plane cells come in the order of their numbers on the board, where symmetries share the table those of
/// the symmetric copy with the highest numbers: cells in mid-board, which vary most, then come before the corner.
///
/// Tables begin at multiples of large powers of two, and what a game looks up lies at much the same places in all of
/// them, so their pages would share few of the sets of a translation buffer that takes the lowest bits of a page's
/// number for the set (AMD Zen: 256 sets of 16 pages of 4 KB, which is what the hardware sees under some hypervisors
/// whatever the kernel says). Gray codes bring the upper planes into these bits, and `scatter` moves the tables apart.
/// Page walks in simulation, a move of temporal coherence: 8x6 45 before, 15 now; 4x6 10 and 4.
@usableFromInline
struct StorageOrder: Sendable {
  /// The cells of the chosen copy, digit by digit.
  let cells: [Int]
  /// Which digit of a standard index, that is which cell of the pattern, has the first bit of each plane, the second,
  /// and so on.
  let digits: [Int]
  /// What half of an index, lower or upper, is combined with by exclusive or.
  let scatter: Int

  /// - Parameter number: which of the network's patterns it is
  init(_ pattern: TuplePattern, number: Int, symmetries: [Symmetry]) {
    let copies = symmetries.map { symmetry in pattern.cells.map { pattern.shape.cell($0, under: symmetry) } }
    let last = copies.max { $0.sorted().lexicographicallyPrecedes($1.sorted()) } ?? pattern.cells
    cells = last
    digits = last.indices.sorted { last[$0] < last[$1] }
    scatter = Self.scatter(number, halfBits: 2 * last.count)
  }

  /// The set of a page, combined with 61 x `number`, an odd multiple so that many patterns differ, in the bits of a
  /// half index. The set of a page of 1,024 weights is in eight bits of the index, some of them in the upper half.
  private static func scatter(_ number: Int, halfBits: Int) -> Int {
    let (pageBits, setBits) = (10, 8)
    // A smaller table has hardly a page.
    guard halfBits >= setBits else { return 0 }
    let set = number * 61
    return (0..<setBits).reduce(0) { result, bit in
      let place = (pageBits + bit) % halfBits
      return result | (set >> bit & 1) << place
    }
  }

  /// The bit of a storage index that holds bit `plane` of the exponent of a digit.
  func bit(plane: Int, digit: Int) -> Int {
    guard let place = digits.firstIndex(of: digit) else { preconditionFailure("no such digit") }
    return plane * digits.count + place
  }

  /// Where the entry with this standard index lies in memory, within the pattern's table.
  func storageIndex(ofStandard index: Int) -> Int {
    let index = Int(truncatingIfNeeded: Self.grayCodes(UInt64(index)))
    var result = scatter | scatter << (2 * digits.count)
    for digit in digits {
      for plane in 0..<4 { result ^= (index >> (digit * 4 + plane) & 1) << bit(plane: plane, digit: digit) }
    }
    return result
  }

  /// The Gray codes of all exponents of a board, or of all digits of an index.
  @inlinable @inline(__always)
  static func grayCodes(_ bits: UInt64) -> UInt64 { bits ^ (bits >> 1 & 0x7777_7777_7777_7777) }
}
