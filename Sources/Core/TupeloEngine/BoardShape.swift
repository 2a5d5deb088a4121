/// The size of a board: 2 to 4 rows and 2 to 4 columns.
///
/// A board of any shape lies in the top left corner of a 4x4 grid of nibbles. So a *cell* is always `row * 4 + column`.
/// The cells outside the shape stay empty.
public struct BoardShape: Hashable, Sendable {
  public let rows: Int
  public let columns: Int

  /// The 4x4 board of the original game.
  public static let standard = BoardShape(uncheckedRows: 4, columns: 4)

  @inlinable
  init(uncheckedRows rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }

  /// - Throws: `RulesError.shapeOutOfRange` unless both sides are in 2...4.
  public init(rows: Int, columns: Int) throws(RulesError) {
    guard (2...4).contains(rows), (2...4).contains(columns) else {
      throw .shapeOutOfRange(rows: rows, columns: columns)
    }
    self.init(uncheckedRows: rows, columns: columns)
  }

  @inlinable public var cellCount: Int { rows * columns }
  @inlinable public var isSquare: Bool { rows == columns }

  /// The cells in reading order.
  public var cells: [Int] {
    (0..<rows).flatMap { row in (0..<columns).map { row * 4 + $0 } }
  }

  /// A 1 in the lowest bit of every nibble that belongs to the shape.
  @inlinable
  public var cellMask: UInt64 {
    let row: UInt64 = columns == 4 ? 0x1111 : columns == 3 ? 0x0111 : 0x0011
    let all: UInt64 = row | row << 16 | row << 32 | row << 48
    return rows == 4 ? all : all & ((1 << UInt64(rows * 16)) - 1)
  }

  /// The cell at `position` on line `line`. A line is a row for left and right, and a column for up and down. Position
  /// 0 is at the wall that the tiles move to.
  @inlinable
  func cell(line: Int, position: Int, toward move: Move) -> Int {
    switch move {
    case .left: line * 4 + position
    case .right: line * 4 + (columns - 1 - position)
    case .up: position * 4 + line
    case .down: (rows - 1 - position) * 4 + line
    }
  }

  /// The number of lines that a move slides, and the length of each.
  @inlinable
  func lines(of move: Move) -> (count: Int, length: Int) {
    move.isHorizontal ? (rows, columns) : (columns, rows)
  }
}

extension BoardShape: CustomStringConvertible {
  public var description: String { "\(rows)x\(columns)" }
}
