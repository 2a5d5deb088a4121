import TestSupport
import Testing
import TupeloEngine

/// Properties of the tiles of boards and afterstates, compared with the matrix.
@Suite struct TileGridTests {
  @Test(arguments: allShapes) func tellsItsTiles(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 41, shape: shape)
    for round in 0..<300 {
      let largest = [3, 15, 17][round % 3]
      let matrix = positions.matrix(largest: largest)
      let reference = ReferenceBoard(matrix.map { $0.map { $0 == 0 ? 0 : 1 << $0 } })
      let board = reference.engineBoard
      #expect(try Board(exponents: matrix.flatMap { $0 }, shape: shape) == board)
      let tiles = reference.tiles.flatMap { $0 }
      #expect(board.largestTile == tiles.max() && board.tileSum == tiles.reduce(0, +))
      #expect(board.largestExponent == matrix.joined().max())
      var occupied: UInt64 = 0
      for (place, cell) in shape.cells.enumerated() {
        #expect(board.tile(at: cell) == tiles[place])
        #expect(board.exponent(at: cell) == matrix[place / columns][place % columns])
        if tiles[place] > 0 { occupied |= 1 << UInt64(cell * 4) }
        var changed = reference
        changed.tiles[place / columns][place % columns] = 1 << (1 + round % 17)
        #expect(board.replacing(cell: cell, with: 1 + round % 17) == changed.engineBoard)
        changed.tiles[place / columns][place % columns] = 0
        #expect(board.replacing(cell: cell, with: 0) == changed.engineBoard)
      }
      #expect(board.occupiedMask == occupied)
      #expect(board.transposed == reference.transposed.engineBoard)
      #expect(reference.engineAfterstate.transposed == reference.transposed.engineAfterstate)
    }
  }

  @Test func emptyGridsAreEmpty() {
    #expect(Board.empty.largestTile == 0 && Board.empty.tileSum == 0 && Board.empty.occupiedMask == 0)
    #expect(Afterstate.empty.largestExponent == 0)
  }

  @Test(arguments: allShapes) func shapesKnowTheirCells(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let cells = (0..<16).filter { $0 / 4 < rows && $0 % 4 < columns }
    #expect(shape.cells == cells && shape.cellCount == cells.count)
    #expect(shape.cellMask == cells.reduce(0) { $0 | 1 << UInt64($1 * 4) })
    #expect(shape.isSquare == (rows == columns) && "\(shape)" == "\(rows)x\(columns)")
  }
}
