internal import TupeloBase
internal import TupeloEngine

/// The order of one pattern's table in memory. It keeps weights that a game uses together on few cache lines and pages.
///
/// Files keep the standard order: the digits of an index are exponents, cell after cell. Memory keeps the bits of the
/// exponents' Gray codes plane after plane: the lowest bits of all exponents first, then the second bits, and so on.
/// Small tiles change with every move, and large tiles stay. So the lookups during a part of a game share the upper
/// planes and are close together. Few pages matter more than few lines.
///
/// Within each plane, cells are in the order of their numbers on the board. If symmetries share the table, this is the
/// order on the symmetric copy with the highest numbers. Then cells in the middle of the board, which vary most, come
/// before the corner.
///
/// Tables begin at multiples of large powers of two, and a game's lookups have similar offsets in all of them. So their
/// pages would share few sets of a translation buffer that uses the lowest bits of a page's number as the set. AMD Zen
/// has such a buffer, with 256 sets of 16 pages of 4 KB. Under some hypervisors the hardware uses 4 KB pages even if
/// the kernel uses larger ones. Gray codes bring the upper planes into these bits, and `scatter` moves the tables
/// apart.
@usableFromInline
struct StorageOrder: Sendable {
  /// The cells of the chosen symmetric copy, digit by digit.
  let cells: [Int]
  /// For each bit of a plane, from the lowest: the digit of a standard index (the pattern's cell) that it belongs to.
  let digits: [Int]
  /// The constant that each half of an index, lower and upper, is combined with by exclusive or.
  let scatter: Int

  /// - Parameter number: the number of the pattern in the network
  init(_ pattern: TuplePattern, number: Int, symmetries: [Symmetry]) {
    let copies = symmetries.map { symmetry in pattern.cells.map { pattern.shape.cell($0, under: symmetry) } }
    let last = copies.max { Self.sorted($0).lexicographicallyPrecedes(Self.sorted($1)) } ?? pattern.cells
    cells = last
    digits = Self.order(of: last)
    scatter = Self.scatter(number, halfBits: 2 * last.count)
  }

  private static func order(of cells: [Int]) -> [Int] { sortedNumbers(below: cells.count) { cells[$0] < cells[$1] } }
  private static func sorted(_ cells: [Int]) -> [Int] { order(of: cells).map { cells[$0] } }

  /// The constant of a pattern: the set 61 x `number` in the bits of a half index that select a page's set. Because the
  /// factor is odd, many patterns differ.
  ///
  /// The set of a page of 1,024 weights is in eight bits of the index; some of them are in the upper half.
  private static func scatter(_ number: Int, halfBits: Int) -> Int {
    let (pageBits, setBits) = (10, 8)
    // A smaller table hardly fills a page.
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

  /// The index in memory, within the pattern's table, of the entry with a standard index.
  func storageIndex(ofStandard index: Int) -> Int {
    let index = Int(truncatingIfNeeded: Self.grayCodes(UInt64(truncatingIfNeeded: index)))
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
