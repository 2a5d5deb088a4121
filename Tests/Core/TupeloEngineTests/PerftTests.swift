import TestSupport
import Testing
import TupeloEngine

@Suite struct PerftTests {
  /// Boards with the number of paths at depths 0, 1, 2, ..., with both tiles and with twos alone, counted by a separate
  /// program of fifty lines of Python. Engine and reference must both find them.
  private static let counted: [(Int, Int, String, [Int], [Int])] = [
    (4, 4, "1000000000000001", [1, 112, 11_536, 1_124_032], [1, 56, 2968, 146_816]),
    (4, 4, "0012003410200012", [1, 64, 3884, 235_138], [1, 32, 981, 30_648]),
    (4, 4, "1234432112344320", [1, 4, 12, 192, 4008], [1, 2, 4, 35, 321]),
    (4, 4, "gf00gf0000000001", [1, 96, 8216], [1, 48, 2116]),
    (2, 4, "10000002", [1, 48, 1616, 54_392], [1, 24, 404, 7296, 113_528]),
    (3, 3, "100000001", [1, 56, 2672, 117_088], [1, 28, 736, 16_752]),
    (3, 3, "101010201", [1, 40, 1328, 46_020], [1, 20, 336, 5968, 97_400]),
    (2, 3, "100001", [1, 32, 840, 17_712, 328_272], [1, 16, 242, 2504, 27_088]),
    (3, 2, "100001", [1, 32, 840, 17_712, 328_272], [1, 16, 242, 2504, 27_088]),
    (2, 2, "1010", [1, 16, 196, 1792, 11_248, 57_200, 258_720], [1, 8, 40, 140, 640]),
  ]

  @Test(arguments: counted)
  func golden(_ rows: Int, _ columns: Int, _ hex: String, _ both: [Int], _ twos: [Int]) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let board = try Board(hex: hex, shape: shape)
    for (four, counts) in [(0.1, both), (0, twos)] {
      let rules = try Rules(shape: shape, fourProbability: four)
      for (depth, count) in counts.enumerated() { #expect(perft(board, depth: depth, rules: rules) == count) }
    }
  }

  @Test(.slow, arguments: counted)
  func goldenOfTheReference(_ rows: Int, _ columns: Int, _ hex: String, _ both: [Int], _ twos: [Int]) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let reference = ReferenceBoard(try Board(hex: hex, shape: shape), shape: shape)
    for (four, counts) in [(0.1, both), (0, twos)] {
      for (depth, count) in counts.enumerated() {
        #expect(reference.perft(depth: depth, fourProbability: four) == count)
      }
    }
  }

  @Test func isOneAtDepthZeroAndNoneAfterTheEnd() throws {
    #expect(perft(try Board(hex: "1212212112122121"), depth: 0) == 1)
    #expect(perft(try Board(hex: "1212212112122121"), depth: 1) == 0)
  }
}
