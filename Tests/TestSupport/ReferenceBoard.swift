public import TupeloEngine

/// The rules of 2048 on a matrix of tile values (0, 2, 4, ...), of any size, written in the plainest way: tiles move
/// one cell at a time until nothing moves, the tile nearest the wall first, and a tile merged in this move may not
/// merge again. The rules share no code with the engine; cells have the engine's numbers, `row * 4 + column`.
public struct ReferenceBoard: Hashable, Sendable {
  public var tiles: [[Int]]

  /// Two tiles of this value do not merge.
  public static let largestTile = 131_072

  public init(_ tiles: [[Int]]) { self.tiles = tiles }

  /// An empty board.
  public init(shape: BoardShape) {
    tiles = Array(repeating: Array(repeating: 0, count: shape.columns), count: shape.rows)
  }

  public var rows: Int { tiles.count }
  public var columns: Int { tiles[0].count }

  /// One tile after a move.
  public struct Landing: Hashable, Sendable {
    /// The cell of the tile after the move; `tile` is its value.
    public let cell: Int
    public let tile: Int
    /// The cell from which the tile came. If two tiles merged, it is the cell of the survivor, which is the tile
    /// farther from the wall.
    public let origin: Int
    /// The cell from which the absorbed tile came; `nil` unless two tiles merged.
    public let absorbed: Int?

    public init(cell: Int, tile: Int, origin: Int, absorbed: Int?) {
      self.cell = cell
      self.tile = tile
      self.origin = origin
      self.absorbed = absorbed
    }
  }

  private struct Piece {
    var value: Int
    let origin: Int
    var absorbed: Int?
  }

  private static func step(_ move: Move) -> (row: Int, column: Int) {
    switch move {
    case .up: (-1, 0)
    case .right: (0, 1)
    case .down: (1, 0)
    case .left: (0, -1)
    }
  }

  /// The effect of a move on every tile, in reading order of the cells where tiles land, also for a move that changes
  /// nothing.
  public func slide(_ move: Move) -> (landings: [Landing], reward: Int) {
    var pieces = (0..<rows).map { row in
      (0..<columns).map { column in
        tiles[row][column] == 0 ? nil : Piece(value: tiles[row][column], origin: row * 4 + column, absorbed: nil)
      }
    }
    let step = Self.step(move)
    // Tiles nearest the wall move first.
    let rowOrder = step.row > 0 ? Array((0..<rows).reversed()) : Array(0..<rows)
    let columnOrder = step.column > 0 ? Array((0..<columns).reversed()) : Array(0..<columns)
    var reward = 0
    var somethingMoves = true
    while somethingMoves {
      somethingMoves = false
      for row in rowOrder {
        for column in columnOrder {
          let (nextRow, nextColumn) = (row + step.row, column + step.column)
          guard var piece = pieces[row][column], nextRow >= 0, nextRow < rows, nextColumn >= 0, nextColumn < columns
          else { continue }
          if let other = pieces[nextRow][nextColumn] {
            guard other.value == piece.value, other.absorbed == nil, piece.absorbed == nil,
              piece.value < Self.largestTile
            else { continue }
            piece.value *= 2
            piece.absorbed = other.origin
            reward += piece.value
          }
          pieces[nextRow][nextColumn] = piece
          pieces[row][column] = nil
          somethingMoves = true
        }
      }
    }
    let landings = (0..<rows).flatMap { row in
      (0..<columns).compactMap { column in
        pieces[row][column].map {
          Landing(cell: row * 4 + column, tile: $0.value, origin: $0.origin, absorbed: $0.absorbed)
        }
      }
    }
    return (landings, reward)
  }

  /// The matrix after a move, and its reward; `nil` when nothing changes, because then the move is illegal.
  public func moved(_ move: Move) -> (board: ReferenceBoard, reward: Int)? {
    let (landings, reward) = slide(move)
    var result = self
    for row in 0..<rows { for column in 0..<columns { result.tiles[row][column] = 0 } }
    for landing in landings { result.tiles[landing.cell / 4][landing.cell % 4] = landing.tile }
    return result == self ? nil : (result, reward)
  }

  /// The moves that change something, in the order of their numbers.
  public var legalMoves: [Move] {
    [.up, .right, .down, .left].filter { moved($0) != nil }
  }

  /// One tile that may appear.
  public struct Spawn: Hashable, Sendable {
    public let cell: Int
    /// 2 or 4.
    public let tile: Int
    public let probability: Double
    public let board: ReferenceBoard
  }

  /// Every tile that may appear, with its probability if that is not zero, ordered by cell and then by tile.
  public func spawns(fourProbability: Double) -> [Spawn] {
    let empty = emptyCells
    return empty.flatMap { cell in
      [(2, 1 - fourProbability), (4, fourProbability)].filter { $0.1 > 0 }.map { tile, probability in
        var next = self
        next.tiles[cell / 4][cell % 4] = tile
        return Spawn(cell: cell, tile: tile, probability: probability / Double(empty.count), board: next)
      }
    }
  }

  public var emptyCells: [Int] {
    (0..<rows).flatMap { row in (0..<columns).filter { tiles[row][$0] == 0 }.map { row * 4 + $0 } }
  }

  /// The number of paths of `depth` moves, each followed by each tile that may appear.
  public func perft(depth: Int, fourProbability: Double = 0.1) -> Int {
    guard depth > 0 else { return 1 }
    let kinds = fourProbability > 0 && fourProbability < 1 ? 2 : 1
    return [Move.up, .right, .down, .left].compactMap { moved($0)?.board }.reduce(0) { total, after in
      // The last tiles are counted, but not placed.
      if depth == 1 { return total + kinds * after.emptyCells.count }
      return after.spawns(fourProbability: fourProbability)
        .reduce(total) { $0 + $1.board.perft(depth: depth - 1, fourProbability: fourProbability) }
    }
  }

  /// The matrix under every symmetry, itself first: eight for a square, four for a rectangle, by turning matrices.
  public var images: [ReferenceBoard] {
    let mirrored = tiles.map { Array($0.reversed()) }
    let flips = [tiles, mirrored, Array(tiles.reversed()), Array(mirrored.reversed())]
    guard rows == columns else { return flips.map(Self.init) }
    return (flips + flips.map(Self.transposed)).map(Self.init)
  }

  public var transposed: ReferenceBoard { ReferenceBoard(Self.transposed(tiles)) }

  private static func transposed(_ tiles: [[Int]]) -> [[Int]] {
    tiles[0].indices.map { column in tiles.map { $0[column] } }
  }
}

// Conversion to and from the engine's representation, by its description: a nibble per cell of a 4x4 grid with the
// exponent, at most 15, and two bits per cell with the part of the exponent above 15.
extension ReferenceBoard {
  /// Reads the tiles of a board or an afterstate. Tiles outside the shape are ignored.
  public init(_ grid: some TileGrid, shape: BoardShape = .standard) {
    let (bits, overflow) = (grid.bits, grid.overflow)
    tiles = (0..<shape.rows).map { row in
      (0..<shape.columns).map { column in
        let cell = row * 4 + column
        let exponent = Int(bits >> UInt64(4 * cell) & 15) + Int(overflow >> UInt32(2 * cell) & 3)
        return exponent == 0 ? 0 : 1 << exponent
      }
    }
  }

  /// The board with these tiles; tiles are 0 or powers of two from 2 to 131072, at most four rows and columns of them.
  public var engineBoard: Board {
    let (bits, overflow) = packed
    return Board(bits: bits, overflow: overflow)
  }

  /// The afterstate with these tiles.
  public var engineAfterstate: Afterstate {
    let (bits, overflow) = packed
    return Afterstate(bits: bits, overflow: overflow)
  }

  private var packed: (bits: UInt64, overflow: UInt32) {
    precondition(rows <= 4 && columns <= 4, "the engine's boards have at most four rows and columns")
    var (bits, overflow) = (UInt64(0), UInt32(0))
    for row in 0..<rows {
      for column in 0..<columns where tiles[row][column] != 0 {
        let tile = tiles[row][column]
        precondition(tile >= 2 && tile <= Self.largestTile && tile.nonzeroBitCount == 1, "\(tile) is not a tile")
        let exponent = tile.trailingZeroBitCount
        bits |= UInt64(min(exponent, 15)) << UInt64(4 * (row * 4 + column))
        overflow |= UInt32(exponent - min(exponent, 15)) << UInt32(2 * (row * 4 + column))
      }
    }
    return (bits, overflow)
  }
}
