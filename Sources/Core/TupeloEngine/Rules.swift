public import TupeloBase

/// The rules of a variant of 2048.
public struct Rules: Hashable, Sendable {
  public let shape: BoardShape
  /// The probability that a new tile is a 4 instead of a 2.
  public let fourProbability: Double
  /// The number of tiles on a new board.
  public let startTiles: Int

  /// The standard rules: 4x4, a 4 with probability 0.1, two start tiles.
  public static let standard = Rules(uncheckedShape: .standard, fourProbability: 0.1, startTiles: 2)

  init(uncheckedShape shape: BoardShape, fourProbability: Double, startTiles: Int) {
    self.shape = shape
    self.fourProbability = fourProbability
    self.startTiles = startTiles
  }

  /// - Throws: `RulesError` for a probability outside 0...1 or start tiles outside 1..<cells.
  public init(shape: BoardShape = .standard, fourProbability: Double = 0.1, startTiles: Int = 2) throws(RulesError) {
    guard fourProbability >= 0, fourProbability <= 1 else { throw .probabilityOutOfRange(fourProbability) }
    guard startTiles >= 1, startTiles < shape.cellCount else {
      throw .startTilesOutOfRange(startTiles, cells: shape.cellCount)
    }
    self.init(uncheckedShape: shape, fourProbability: fourProbability, startTiles: startTiles)
  }

  /// A new board: `startTiles` chance outcomes, one after the other, on the empty board.
  public func startBoard(using random: inout RandomStream) -> Board {
    let chance = ChanceModel(self)
    var board = chance.board(after: .empty, using: &random)
    for _ in 1..<startTiles {
      board = chance.board(after: Afterstate(bits: board.bits), using: &random)
    }
    return board
  }
}

/// Why rules are not allowed.
public enum RulesError: Error, Hashable, Sendable {
  case shapeOutOfRange(rows: Int, columns: Int)
  case probabilityOutOfRange(Double)
  case startTilesOutOfRange(Int, cells: Int)
}

extension RulesError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .shapeOutOfRange(let rows, let columns):
      "a board of \(rows)x\(columns) is not supported: rows and columns go from 2 to 4"
    case .probabilityOutOfRange(let value):
      "the probability of a 4 is \(value): it must lie in 0...1 (0.1 is standard)"
    case .startTilesOutOfRange(let count, let cells):
      "\(count) start tiles on \(cells) cells: give 1 to \(cells - 1)"
    }
  }
}
