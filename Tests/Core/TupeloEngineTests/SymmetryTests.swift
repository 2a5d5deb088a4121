import TestSupport
import Testing
import TupeloEngine

@Suite struct SymmetryTests {
  /// A board on which all cells differ, so that no two symmetries map it to the same board.
  private static func generic(_ shape: BoardShape) throws -> Board {
    try Board(exponents: Array(1...shape.cellCount), shape: shape)
  }

  @Test(arguments: allShapes) func groupLaws(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let group = shape.symmetries
    let board = try Self.generic(shape)
    let images = group.map { board.applying($0, in: shape) }
    #expect(Set(images).count == (rows == columns ? 8 : 4) && group.count == images.count)
    #expect(group.first == .identity && images.first == board)
    #expect(Set(images.map { ReferenceBoard($0, shape: shape) }) == Set(ReferenceBoard(board, shape: shape).images))
    for first in group {
      // The products form the same set, and each symmetry has an inverse.
      let products = group.map { board.applying(first, in: shape).applying($0, in: shape) }
      #expect(Set(products) == Set(images))
      #expect(products.contains(board))
      for second in group {
        let product = board.applying(first, in: shape).applying(second, in: shape)
        let index = try #require(images.firstIndex(of: product))
        // Cells and moves turn as boards do.
        for cell in shape.cells {
          #expect(
            shape.cell(shape.cell(cell, under: first), under: second) == shape.cell(cell, under: group[index]))
        }
        for move in Move.allCases {
          #expect(
            shape.move(shape.move(move, under: first), under: second) == shape.move(move, under: group[index]))
        }
      }
      for cell in shape.cells {
        #expect(
          board.applying(first, in: shape).exponent(at: shape.cell(cell, under: first)) == board.exponent(at: cell))
      }
    }
  }

  /// The names of symmetries, compared with turning the matrix by hand.
  @Test func namesMeanWhatTheySay() throws {
    let board = try Board(hex: "123456789abcdefg")
    let rows: [[Int]] = board.tiles()
    let columns: [[Int]] = (0..<4).map { column in rows.map { $0[column] } }
    let columnsFromBelow: [[Int]] = columns.map { $0.reversed() }
    let mirrored: [[Int]] = rows.map { $0.reversed() }
    #expect(board.applying(.identity) == board)
    #expect(board.applying(.flippedHorizontally).tiles() == mirrored)
    #expect(board.applying(.flippedVertically).tiles() == Array(rows.reversed()))
    #expect(board.applying(.rotatedHalf).tiles() == Array(mirrored.reversed()))
    #expect(board.applying(.transposed).tiles() == columns)
    #expect(board.applying(.rotatedClockwise).tiles() == columnsFromBelow)
    #expect(board.applying(.rotatedCounterclockwise).tiles() == Array(columns.reversed()))
    #expect(board.applying(.antitransposed).tiles() == Array(columnsFromBelow.reversed()))
    #expect(board.transposed == board.applying(.transposed))
  }

  @Test(arguments: allShapes) func movingCommutesWithTurning(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 77, shape: shape)
    for round in 0..<200 {
      let board = try Board(exponents: positions.matrix(largest: round % 2 == 0 ? 4 : 17).flatMap { $0 }, shape: shape)
      for symmetry in shape.symmetries {
        let turned = board.applying(symmetry, in: shape)
        for move in Move.allCases {
          let straight = board.afterstate(of: move, in: shape)
          let around = turned.afterstate(of: shape.move(move, under: symmetry), in: shape)
          #expect(straight?.reward == around?.reward)
          #expect(straight?.afterstate.applying(symmetry, in: shape) == around?.afterstate)
        }
      }
    }
  }

  /// The canonical board is a member of its class, the same for all members, and different for other classes.
  @Test(arguments: allShapes) func canonicalNamesTheClass(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 78, shape: shape)
    var classes: [Board: Set<ReferenceBoard>] = [:]
    for round in 0..<300 {
      let matrix = positions.matrix(largest: [1, 2, 17][round % 3])
      let reference = ReferenceBoard(matrix.map { $0.map { $0 == 0 ? 0 : 1 << $0 } })
      let images = Set(reference.images)
      let canonical = reference.engineBoard.canonical(in: shape)
      #expect(images.contains(ReferenceBoard(canonical, shape: shape)))
      for image in images {
        #expect(image.engineBoard.canonical(in: shape) == canonical)
        #expect(image.engineAfterstate.canonical(in: shape).bits == canonical.bits)
      }
      #expect(classes[canonical] == nil || classes[canonical] == images)
      classes[canonical] = images
    }
  }
}
