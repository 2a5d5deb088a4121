public import TupeloEngine

/// The rules of 2048 on a matrix of tile values, written the plainest way: tiles move one cell at a time until nothing moves, the tile
/// nearest the wall first, and a tile merged in this move may not merge again. Shares no code with the engine.
public struct ReferenceBoard: Hashable, Sendable {
  public var tiles: [[Int]]

  public init(_ tiles: [[Int]]) { self.tiles = tiles }

  public init(_ board: some TileGrid, shape: BoardShape) { tiles = board.numbers(in: shape) }

  public var rows: Int { tiles.count }
  public var columns: Int { tiles[0].count }

  /// The matrix as the engine's board.
  public func board(shape: BoardShape) throws -> Board {
    try Board(exponents: tiles.flatMap { $0.map { $0 == 0 ? 0 : $0.trailingZeroBitCount } }, shape: shape)
  }

  private static let steps: [Move: (row: Int, column: Int)] = [
    .up: (-1, 0), .right: (0, 1), .down: (1, 0), .left: (0, -1),
  ]

  /// The matrix after a move and the points it makes; `nil` when nothing changes.
  public func moved(_ move: Move) -> (board: ReferenceBoard, reward: Int)? {
    guard let step = Self.steps[move] else { return nil }
    var result = tiles
    var merged = tiles.map { $0.map { _ in false } }
    var reward = 0
    var moves = true
    // Nearest the wall first: the order of cells along the move.
    let rowOrder = step.row > 0 ? Array((0..<rows).reversed()) : Array(0..<rows)
    let columnOrder = step.column > 0 ? Array((0..<columns).reversed()) : Array(0..<columns)
    while moves {
      moves = false
      for row in rowOrder {
        for column in columnOrder where result[row][column] != 0 {
          let (nextRow, nextColumn) = (row + step.row, column + step.column)
          guard (0..<rows).contains(nextRow), (0..<columns).contains(nextColumn) else { continue }
          if result[nextRow][nextColumn] == 0 {
            result[nextRow][nextColumn] = result[row][column]
            merged[nextRow][nextColumn] = merged[row][column]
          } else if result[nextRow][nextColumn] == result[row][column], !merged[nextRow][nextColumn],
            !merged[row][column]
          {
            result[nextRow][nextColumn] *= 2
            reward += result[nextRow][nextColumn]
            merged[nextRow][nextColumn] = true
          } else {
            continue
          }
          result[row][column] = 0
          merged[row][column] = false
          moves = true
        }
      }
    }
    return result == tiles ? nil : (ReferenceBoard(result), reward)
  }

  /// Every tile that may appear, with its probability.
  public func spawns(fourProbability: Double) -> [(board: ReferenceBoard, probability: Double)] {
    let empty = (0..<rows).flatMap { row in (0..<columns).map { (row, $0) } }.filter { tiles[$0.0][$0.1] == 0 }
    return empty.flatMap { row, column in
      [(2, 1 - fourProbability), (4, fourProbability)].filter { $0.1 > 0 }.map { tile, probability in
        var next = self
        next.tiles[row][column] = tile
        return (next, probability / Double(empty.count))
      }
    }
  }

  public func perft(depth: Int, fourProbability: Double = 0.1) -> Int {
    guard depth > 0 else { return 1 }
    return Move.allCases.compactMap { moved($0)?.board }
      .flatMap { $0.spawns(fourProbability: fourProbability) }
      .reduce(0) { $0 + $1.board.perft(depth: depth - 1, fourProbability: fourProbability) }
  }
}
