internal import TupeloBase
public import TupeloEngine

/// One n-tuple: its cells, in the order that forms its index. The first cell is the least significant digit.
public struct TuplePattern: Hashable, Sendable {
  /// One to eight different cells, as row * 4 + column.
  public let cells: [Int]
  public let shape: BoardShape

  /// An index has four bits per cell, so a table of the longest pattern has 16^8 entries.
  public static let maximumLength = 8

  /// - Throws: `TuplePatternError` for a repeated cell, a cell off the board, no cell or more than eight.
  public init(cells: [Int], shape: BoardShape = .standard) throws(TuplePatternError) {
    let text = cells.map { String($0, radix: 16) }.joined()
    guard (1...Self.maximumLength).contains(cells.count) else { throw .badLength(text, cells.count) }
    for (index, cell) in cells.enumerated() {
      guard shape.cells.contains(cell) else { throw .cellOffBoard(text, position: index + 1, shape) }
      guard !cells[..<index].contains(cell) else { throw .repeatedCell(text, position: index + 1) }
    }
    self.cells = cells
    self.shape = shape
  }

  /// Reads hex digits that number the cells of the shape row by row from the top left.
  ///
  /// `012456` on 4x4 is a 2x3 rectangle; on a 2x3 board `012345` is the whole board.
  public init(text: some StringProtocol, shape: BoardShape = .standard) throws(TuplePatternError) {
    guard (1...Self.maximumLength).contains(text.count) else { throw .badLength(String(text), text.count) }
    var cells: [Int] = []
    for (index, digit) in text.enumerated() {
      guard let number = digit.hexDigitValue else { throw .badDigit(String(text), digit) }
      guard number < shape.cellCount else { throw .cellOffBoard(String(text), position: index + 1, shape) }
      let cell = shape.cells[number]
      guard !cells.contains(cell) else { throw .repeatedCell(String(text), position: index + 1) }
      cells.append(cell)
    }
    self.cells = cells
    self.shape = shape
  }

  /// The notation that `init(text:shape:)` reads.
  public var text: String {
    cells.map { String(($0 >> 2) * shape.columns + $0 & 3, radix: 16) }.joined()
  }

  /// The number of entries in the pattern's table: 16 to the power of its length.
  @inlinable public var tableSize: Int { 1 << (4 * cells.count) }

  /// The index of a position in this pattern's table, in the standard order that files use.
  ///
  /// It is the sum of exponent(cell j) * 16^j. Tiles beyond 32768 count as 32768.
  public func index(of grid: some TileGrid) -> Int {
    cells.reversed().reduce(0) { $0 << 4 | Int(grid.bits >> UInt64($1 * 4) & 0xf) }
  }
}

extension TuplePattern: CustomStringConvertible {
  public var description: String { text }
}

/// Why a text is not a pattern.
public enum TuplePatternError: Error, Hashable, Sendable {
  case badLength(String, Int)
  case badDigit(String, Character)
  case repeatedCell(String, position: Int)
  case cellOffBoard(String, position: Int, BoardShape)
}

extension TuplePatternError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badLength(let text, let count):
      "pattern '\(Spelling.printable(text, limit: 40))' has \(count) cells: give 1 to \(TuplePattern.maximumLength)"
    case .badDigit(let text, let digit):
      "pattern '\(Spelling.printable(text, limit: 40))' has '\(Spelling.printable(String(digit), limit: 4))', which is "
        + "not a hex digit: cells are 0 to f, row by row"
    case .repeatedCell(let text, let position):
      "pattern '\(text)' names cell \(Self.cell(position, of: text)) twice: each cell may occur once"
    case .cellOffBoard(let text, let position, let shape):
      "pattern '\(text)' names cell \(Self.cell(position, of: text)), which is off the \(shape) board: cells go up to "
        + String(shape.cellCount - 1, radix: 16)
    }
  }

  /// The digit at a position, counted from 1.
  private static func cell(_ position: Int, of text: String) -> String {
    String(text.dropFirst(position - 1).prefix(1))
  }
}
