/// The tables of a TDL2048+ weight file (`.w`): their offsets and their precision. The caller keeps the bytes.
///
/// A file is `u8` 0, a `u32` count of tables and then the tables. All numbers are little-endian. A table is `u8` 4, a
/// name of 8 bytes and its fields, up to a `u16` 0. A field is `u16` bytes per number, `u64` count and the numbers. The
/// first field has the weights. With temporal coherence a second field has E and then A, which are left out here.
///
/// A name that ends in `u16` 0 is a `u32` number, to be written in hex with `u16` digits. Any other name is ASCII,
/// padded with spaces. A table's name is its pattern. The pattern's first cell is the lowest hex digit of an index, as
/// in model files of this package.
///
/// A value of this type has been checked against the length of its file. Its tables are patterns, each occurs once, and
/// all their numbers are there.
public struct TDLWeightFile: Hashable, Sendable {
  public struct Table: Hashable, Sendable {
    public let pattern: TuplePattern
    /// Bytes per weight: 2, 4 or 8, for half, single and double precision.
    public let width: Int
    /// The offset of the weights in the file, in bytes.
    public let offset: Int
    /// Whether the table has fields after the weights, such as coherence sums.
    public let hasMore: Bool
  }

  public let tables: [Table]

  /// Finds the tables.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: the file's path, for error messages.
  /// - Throws: `TDLWeightFileError`.
  /// - Complexity: linear in the number of tables, for any size of the tables.
  public init(_ bytes: RawSpan, path: String) throws(TDLWeightFileError) {
    var cursor = Cursor(count: bytes.byteCount, path: path)
    // Files whose name does not end in `.w` begin with a letter for their kind.
    if try cursor.integer(UInt8.self, in: bytes) != UInt8(ascii: "w") { cursor.offset = 0 }
    let version = try cursor.integer(UInt8.self, in: bytes)
    guard version == 0 else { throw .notAWeightFile(path: path) }
    let count = try cursor.integer(UInt32.self, in: bytes)
    guard (1...256).contains(count) else { throw .badTableCount(path: path, found: Int(count)) }
    var tables: [Table] = []
    for number in 1...Int(count) {
      let table = try Self.table(number, in: bytes, at: &cursor)
      guard !tables.contains(where: { $0.pattern == table.pattern }) else {
        throw .repeatedTable(path: path, name: table.pattern.text)
      }
      tables.append(table)
    }
    guard cursor.offset == bytes.byteCount else {
      throw .trailingBytes(path: path, offset: cursor.offset, length: bytes.byteCount)
    }
    self.tables = tables
  }

  private static func table(
    _ number: Int, in bytes: RawSpan, at cursor: inout Cursor
  ) throws(TDLWeightFileError) -> Table {
    let path = cursor.path
    let version = try cursor.integer(UInt8.self, in: bytes)
    guard version == 4 else { throw .unknownVersion(path: path, table: number, found: Int(version)) }
    let name = try cursor.integer(UInt64.self, in: bytes)
    let width = Int(try cursor.integer(UInt16.self, in: bytes))
    let length = try cursor.integer(UInt64.self, in: bytes)
    let text = Self.text(ofName: name, length: length)
    guard [2, 4, 8].contains(width) else { throw .badWidth(path: path, name: text, found: width) }
    let pattern: TuplePattern
    do {
      pattern = try TuplePattern(text: text)
    } catch {
      throw .notAPattern(path: path, table: number, name: text)
    }
    guard length == pattern.tableSize else {
      throw .wrongLength(path: path, name: text, found: length, expected: pattern.tableSize)
    }
    let offset = try cursor.skip(numbers: length, width: width)
    var hasMore = false
    while case let more = try cursor.integer(UInt16.self, in: bytes), more != 0 {
      _ = try cursor.skip(numbers: try cursor.integer(UInt64.self, in: bytes), width: Int(more))
      hasMore = true
    }
    return Table(pattern: pattern, width: width, offset: offset, hasMore: hasMore)
  }

  /// A table's name as text. Old files give 0 as the number of digits, which means the number of cells of the table.
  private static func text(ofName name: UInt64, length: UInt64) -> String {
    guard name >> 48 == 0 else {
      let characters = (0..<8).map { UInt8(truncatingIfNeeded: name >> ($0 * 8)) }
      return String(decoding: characters.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }
    let digits = String(UInt32(truncatingIfNeeded: name), radix: 16)
    let stated = Int(name >> 32)
    let width = stated > 0 ? stated : (63 - length.leadingZeroBitCount) / 4
    return String(repeating: "0", count: max((width < digits.count ? 8 : min(width, 9)) - digits.count, 0)) + digits
  }

  /// Copies a range of a table's weights as single precision. Doubles are rounded; other numbers are exact.
  ///
  /// - Parameters:
  ///   - range: the weights to copy, within the table.
  ///   - table: one of the tables of this file.
  ///   - bytes: the file that was checked.
  ///   - values: receives the weights; its length is that of `range`.
  public func copy(_ range: Range<Int>, of table: Table, from bytes: RawSpan, into values: inout MutableSpan<Float>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= table.pattern.tableSize && range.count == values.count)
    let start = table.offset + range.lowerBound * table.width
    switch table.width {
    case 2:
      for index in values.indices {
        values[index] = Float(
          halfBits: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start + index * 2, as: UInt16.self))
      }
    case 4:
      for index in values.indices {
        values[index] = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start + index * 4, as: Float.self)
      }
    default:
      for index in values.indices {
        values[index] = Float(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start + index * 8, as: Double.self))
      }
    }
  }
}

extension TDLWeightFile {
  /// The first bytes of a file with `tableCount` tables.
  static func header(tableCount: Int) -> [UInt8] {
    bytes(of: UInt8(0)) + bytes(of: UInt32(tableCount))
  }

  /// The bytes before the weights of a table in single precision.
  static func header(of pattern: TuplePattern) -> [UInt8] {
    let sign = pattern.cells.reduce(0 as UInt32) { $0 << 4 | UInt32($1) }
    return [4] + bytes(of: sign) + bytes(of: UInt16(pattern.cells.count)) + [0, 0] + bytes(of: UInt16(4))
      + bytes(of: UInt64(pattern.tableSize))
  }

  /// The bytes after the weights of a table: the end of its fields.
  static let tableEnd: [UInt8] = [0, 0]

  private static func bytes(of value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A read position in a file, never beyond its end.
  private struct Cursor {
    let count: Int
    let path: String
    var offset = 0

    init(count: Int, path: String) { (self.count, self.path) = (count, path) }

    mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(
      _ type: T.Type, in bytes: RawSpan
    ) throws(TDLWeightFileError) -> T {
      let start = try skip(numbers: 1, width: MemoryLayout<T>.size)
      return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: T.self)
    }

    /// Skips the numbers of a field.
    ///
    /// - Returns: the offset at which they begin.
    mutating func skip(numbers: UInt64, width: Int) throws(TDLWeightFileError) -> Int {
      let (size, overflow) = numbers.multipliedReportingOverflow(by: UInt64(width))
      guard !overflow, size <= count - offset else {
        throw .truncated(path: path, offset: offset, needed: overflow ? .max : size, left: count - offset)
      }
      defer { offset += Int(size) }
      return offset
    }
  }
}
