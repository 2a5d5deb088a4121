import TestSupport
import Testing
import TupeloEngine

@Suite struct PerftTests {
  /// Counted by thirty lines of Python written for the purpose, and by the reference.
  @Test(arguments: [
    (4, 4, "1000000000000001", [1, 112, 11_536, 1_124_032]), (4, 4, "1234432112344320", [1, 4, 12, 192, 4008]),
    (2, 2, "1010", [1, 16, 196, 1792, 11_248, 57_200, 258_720]), (2, 3, "100001", [1, 32, 840, 17_712, 328_272]),
  ]) func golden(_ rows: Int, _ columns: Int, _ hex: String, _ counts: [Int]) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let rules = try Rules(shape: shape)
    let board = try Board(hex: hex, shape: shape)
    let reference = ReferenceBoard(board, shape: shape)
    for (depth, count) in counts.enumerated() {
      #expect(perft(board, depth: depth, rules: rules) == count)
      if count < 50_000 { #expect(reference.perft(depth: depth) == count) }
    }
  }

  @Test func variantsWithOneTileHaveFewerPaths() throws {
    let board = try Board(hex: "1000000000000001")
    #expect(
      try perft(board, depth: 2, rules: Rules(fourProbability: 0))
        == ReferenceBoard(board, shape: .standard).perft(depth: 2, fourProbability: 0))
  }
}
