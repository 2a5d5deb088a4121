/// A table of how every line of up to four tiles, a row or a column, slides.
///
/// Soundness of the unsafe memory: a table has an entry for every 16-bit line, whatever its width, so no board can read
/// past it. It is written once before its pointer is first seen, and never freed. Narrow lines ignore the tiles outside
/// them.
@safe
public struct LineTable: @unchecked Sendable {
  @usableFromInline let entries: UnsafePointer<UInt64>

  /// - Parameter width: cells in a line, 2 to 4
  init(width: Int) {
    unsafe entries = LineEntries.table(width: width)
  }

  /// The 65,536 entries in the layout of `LineSlide`, for code in C.
  @unsafe package var words: UnsafePointer<UInt64> { unsafe entries }

  /// - Parameter line: four exponents in the lowest 16 bits, the first one lowest
  @inlinable @inline(__always)
  public subscript(line: UInt64) -> LineSlide {
    unsafe LineSlide(entry: entries[Int(line & 0xffff)])
  }
}

/// A line slid to its start and to its end. Tiles of 32768 and more are not distinguished here.
@frozen
public struct LineSlide: Sendable {
  /// The line slid to its start, then slid to its end, 16 bits each, then the reward.
  @usableFromInline let entry: UInt64

  @inlinable
  init(entry: UInt64) { self.entry = entry }

  @inlinable @inline(__always) public var toStart: UInt64 { entry & 0xffff }
  @inlinable @inline(__always) public var toEnd: UInt64 { entry >> 16 & 0xffff }
  /// Score points.
  @inlinable @inline(__always) public var reward: UInt32 { UInt32(truncatingIfNeeded: entry >> 32) }
}

/// Owns the entries, one table per width.
@safe
private enum LineEntries {
  @unsafe
  static func table(width: Int) -> UnsafePointer<UInt64> {
    switch width {
    case 2: unsafe two.base
    case 3: unsafe three.base
    default: unsafe four.base
    }
  }

  private static let two = Table(width: 2)
  private static let three = Table(width: 3)
  private static let four = Table(width: 4)

  /// Owns a table until the process ends.
  @safe
  private struct Table: @unchecked Sendable {
    let base: UnsafePointer<UInt64>

    init(width: Int) {
      let count = 1 << (4 * width)
      let table = UnsafeMutablePointer<UInt64>.allocate(capacity: 1 << 16)
      for line in 0..<count {
        let tiles = Self.bytes(of: UInt32(line))
        // The line is reversed within its width.
        let unused = UInt32(8 * (4 - width))
        let start = slideLine(tiles)
        let end = slideLine(tiles.byteSwapped >> unused)
        let toEnd = Self.nibbles(of: end.tiles.byteSwapped >> unused)
        let entry = Self.nibbles(of: start.tiles) | toEnd << 16 | UInt64(start.reward) << 32
        unsafe (table + line).initialize(to: entry)
      }
      for line in count..<1 << 16 {
        unsafe (table + line).initialize(to: table[line & (count - 1)])
      }
      unsafe base = UnsafePointer(table)
    }

    private static func bytes(of line: UInt32) -> UInt32 {
      line & 0xf | (line & 0xf0) << 4 | (line & 0xf00) << 8 | (line & 0xf000) << 12
    }

    /// The exponents of a line of bytes in four bits each, at most 15.
    private static func nibbles(of line: UInt32) -> UInt64 {
      (0..<4).reduce(0) { $0 | UInt64(min(line >> UInt32(8 * $1) & 0xff, 15)) << UInt64(4 * $1) }
    }
  }
}
