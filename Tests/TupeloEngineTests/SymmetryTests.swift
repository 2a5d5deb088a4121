import TestSupport
import Testing
import TupeloEngine

@Suite struct SymmetryTests {
  private static func shape(_ rows: Int, _ columns: Int) throws -> BoardShape {
    try BoardShape(rows: rows, columns: columns)
  }

  @Test(arguments: MoveTests.shapes) func groupLaws(_ rows: Int, _ columns: Int) throws {
    let shape = try Self.shape(rows, columns)
    let group = shape.symmetries
    #expect(group.count == (rows == columns ? 8 : 4))
    // All cells different: an element is what it does to this board.
    let board = try Board(exponents: Array(1...shape.cellCount), shape: shape)
    let images = Set(group.map { board.applying($0, in: shape) })
    #expect(images.count == group.count && images.contains(board))
    for first in group {
      #expect(group.contains { board.applying(first, in: shape).applying($0, in: shape) == board })
      for second in group {
        #expect(images.contains(board.applying(first, in: shape).applying(second, in: shape)))
      }
    }
  }

  /// Turning the matrix by hand.
  @Test func namesMeanWhatTheySay() throws {
    let board = try Board(hex: "123456789abcdefg")
    let rows = board.numbers()
    #expect(board.applying(.flippedHorizontally).numbers() == rows.map { $0.reversed() })
    #expect(board.applying(.flippedVertically).numbers() == rows.reversed())
    #expect(board.applying(.transposed).numbers() == (0..<4).map { column in rows.map { $0[column] } })
    #expect(
      board.applying(.rotatedClockwise).numbers() == (0..<4).map { column in rows.reversed().map { $0[column] } })
    #expect(
      board.applying(.rotatedCounterclockwise).numbers()
        == (0..<4).reversed().map { column in rows.map { $0[column] } })
    #expect(board.transposed == board.applying(.transposed))
  }

  @Test(arguments: MoveTests.shapes) func movingCommutesWithTurning(_ rows: Int, _ columns: Int) throws {
    let shape = try Self.shape(rows, columns)
    var positions = RandomPositions(seed: 77, shape: shape)
    for round in 0..<200 {
      let board = try Board(exponents: positions.matrix(largest: round % 2 == 0 ? 4 : 17).flatMap { $0 }, shape: shape)
      for symmetry in shape.symmetries {
        let turned = board.applying(symmetry, in: shape)
        #expect(turned.canonical(in: shape) == board.canonical(in: shape))
        for move in Move.allCases {
          let straight = board.afterstate(of: move, in: shape)
          let around = turned.afterstate(of: shape.move(move, under: symmetry), in: shape)
          #expect(straight?.reward == around?.reward)
          #expect(straight?.afterstate.applying(symmetry, in: shape) == around?.afterstate)
        }
      }
    }
  }
}
