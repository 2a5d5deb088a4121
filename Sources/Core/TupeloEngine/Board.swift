/// A position in which the player is to move.
public struct Board: TileGrid {
  public let bits: UInt64
  public let overflow: UInt32

  @inlinable
  public init(bits: UInt64, overflow: UInt32 = 0) {
    self.bits = bits
    self.overflow = overflow
  }

  /// The board without tiles.
  public static let empty = Board(bits: 0)

  /// A board from exponents in reading order: `shape.cellCount` of them, each in 0...17.
  ///
  /// - Throws: `BoardTextError.wrongCount` or `.exponentOutOfRange`.
  public init(exponents: [Int], shape: BoardShape = .standard) throws(BoardTextError) {
    guard exponents.count == shape.cellCount else {
      throw .wrongCount(found: exponents.count, expected: shape.cellCount, what: .numbers)
    }
    var board = Board.empty
    for (cell, exponent) in zip(shape.cells, exponents) {
      guard (0...Board.maximumExponent).contains(exponent) else { throw .exponentOutOfRange(exponent) }
      board = board.replacing(cell: cell, with: exponent)
    }
    self = board
  }

  /// A board from the values of its tiles, one array per row from the top: 0 for an empty cell, else 2, 4, ..., 131072.
  ///
  /// `tiles(in:)` gives the values back.
  ///
  /// - Throws: `BoardTextError.wrongRowCount` or `.wrongRowLength` unless the rows have the size of the shape;
  ///   `.badNumber` for a value that is not a tile.
  public init(tiles: [[Int]], shape: BoardShape = .standard) throws(BoardTextError) {
    guard tiles.count == shape.rows else { throw .wrongRowCount(found: tiles.count, expected: shape.rows) }
    var exponents: [Int] = []
    for (row, values) in tiles.enumerated() {
      guard values.count == shape.columns else {
        throw .wrongRowLength(row: row + 1, found: values.count, expected: shape.columns)
      }
      for value in values {
        guard let exponent = Self.exponent(ofTile: value) else {
          throw .badNumber(String(value), position: exponents.count + 1)
        }
        exponents.append(exponent)
      }
    }
    try self.init(exponents: exponents, shape: shape)
  }

  /// The exponent of a tile's value: 0 for 0, 1 for 2, and so on; `nil` for a number that is not a tile.
  static func exponent(ofTile value: Int) -> Int? {
    guard value == 0 || (2...1 << maximumExponent).contains(value), value & (value - 1) == 0 else { return nil }
    return value == 0 ? 0 : value.trailingZeroBitCount
  }
}

/// A position right after a move, before the new tile appears. Value functions are defined over afterstates.
public struct Afterstate: TileGrid, BitwiseCopyable {
  public let bits: UInt64
  public let overflow: UInt32

  @inlinable
  public init(bits: UInt64, overflow: UInt32 = 0) {
    self.bits = bits
    self.overflow = overflow
  }

  /// The board before the first tile appears.
  public static let empty = Afterstate(bits: 0)
}

/// The result of a legal move: the afterstate, and the reward in score points.
public struct MoveOutcome: Hashable, Sendable {
  public let afterstate: Afterstate
  public let reward: Int

  @inlinable
  public init(afterstate: Afterstate, reward: Int) {
    self.afterstate = afterstate
    self.reward = reward
  }
}

extension Board {
  /// The result of a move; `nil` when the move is illegal, which means that it changes nothing.
  ///
  /// Loops over many moves should make a `MoveTable(shape)` once and use that. The results are equal.
  @inlinable
  public func afterstate(of move: Move, in shape: BoardShape = .standard) -> MoveOutcome? {
    MoveTable(shape).afterstate(of: move, on: self)
  }

  public func legalMoves(in shape: BoardShape = .standard) -> MoveSet {
    MoveTable(shape).legalMoves(on: self)
  }

  /// Whether no move is legal.
  public func isTerminal(in shape: BoardShape = .standard) -> Bool {
    legalMoves(in: shape).isEmpty
  }
}
