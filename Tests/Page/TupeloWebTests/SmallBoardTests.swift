import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

/// Boards smaller than 4x4 in the page's engine as WebAssembly.
@Suite(.enabled(if: Node.isHere, "\(Node.isMissing)"))
struct SmallBoardTests {
  private struct Reply: Decodable {
    let hex: String
    let shape: String
    let moves: [Candidate]

    struct Candidate: Decodable {
      let legal: Bool
      let reward: Int?
      let value: Double?
      let difference: Double?
    }
  }

  /// WebAssembly finds the values that the program finds, to the bit: JSON has all digits of a number.
  @Test(arguments: [(3, 4), (3, 3)])
  func valuesAreThePrograms(rows: Int, columns: Int) async throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 39, shape: shape)
    let boards = try (0..<300).map {
      try Board(exponents: positions.matrix(largest: [4, 9, 15, 17][$0 % 4]).flatMap { $0 }, shape: shape)
    }
    let output = try await Node.run(
      """
      const engine = makeEngine(ENGINE_MODULE);
      const out = input.split("\\n").map((text, index) => {
        const board = Rules.parse(text, "\(shape)");
        const { moves } = engine.analyze(board, { plies: 1 + index % 3, four: 0.1 });
        return JSON.stringify({ hex: Rules.hex(board), shape: Rules.shapeOf(board), moves });
      });
      console.log(out.join("\\n"));
      """, input: boards.map { $0.hex(in: shape) }.joined(separator: "\n"))
    let replies = try output.split(separator: "\n").map { try JSONDecoder().decode(Reply.self, from: Data($0.utf8)) }
    try #require(replies.count == boards.count)
    let rules = try Rules(shape: shape)
    var searches = (1...3).map { Expectimax(HeuristicEvaluator(shape: shape), plies: $0, rules: rules) }
    for (index, (board, reply)) in zip(boards, replies).enumerated() {
      #expect(reply.hex == board.hex(in: shape) && reply.shape == "\(shape)")
      let expected = searches[index % 3].analyze(board)
      for (move, found) in zip(Move.allCases, reply.moves) {
        let one = expected[move]
        #expect(found.legal == (one != nil) && found.reward == one?.reward)
        #expect(found.value == one?.value && found.difference == one?.difference, "\(reply.hex) \(move)")
      }
    }
  }
}
