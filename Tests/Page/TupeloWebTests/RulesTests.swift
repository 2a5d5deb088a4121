import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

/// The rules of the page, compiled to WebAssembly, compared with those of the program.
@Suite(.enabled(if: Node.isHere, "\(Node.isMissing)"))
struct RulesTests {
  private struct Slide: Decodable, Hashable {
    let from: Int
    let to: Int
    let absorbed: Int?
    let exponent: Int
  }

  private struct Outcome: Decodable {
    let board: String
    let changed: Bool
    let reward: Int
    let slides: [Slide]
  }

  private static func boards(_ count: Int) throws -> [Board] {
    var positions = RandomPositions(seed: 2048)
    return try (0..<count).map { index in
      // Few kinds of tiles make many merges; every kind of tile appears, to 131072.
      let largest = [2, 4, 11, 17][index % 4]
      var matrix = positions.matrix(largest: largest)
      if index % 8 == 7 {
        for row in 0..<4 { for column in 0..<4 { matrix[row][column] = 15 + (row + column + index) % 3 } }
      }
      if index % 16 == 2 { matrix[index / 16 % 4] = [17, 17, 15, 15] }
      return try Board(exponents: matrix.flatMap { $0 })
    }
  }

  @Test(.slow) func slidesEqualTheEngines() async throws {
    let boards = try Self.boards(6000)
    let output = try await Node.run(
      """
      const out = input.split("\\n").map((line) => {
        const board = Rules.parse(line);
        return JSON.stringify({ hex: Rules.hex(board), over: Rules.isOver(board), moves: [0, 1, 2, 3].map((move) => {
          const { board: next, ...rest } = Rules.slide(board, move);
          return { board: Rules.hex(next), ...rest };
        }) });
      });
      console.log(out.join("\\n"));
      """, input: boards.map { $0.hex() }.joined(separator: "\n"))
    struct Reply: Decodable {
      let hex: String
      let over: Bool
      let moves: [Outcome]
    }
    let replies = try output.split(separator: "\n").map { try JSONDecoder().decode(Reply.self, from: Data($0.utf8)) }
    try #require(replies.count == boards.count)
    for (board, reply) in zip(boards, replies) {
      #expect(reply.hex == board.hex())
      #expect(reply.over == board.isTerminal())
      for (move, outcome) in zip(Move.allCases, reply.moves) {
        guard let expected = board.afterstate(of: move) else {
          #expect(!outcome.changed, "\(board.hex()) \(move)")
          continue
        }
        #expect(outcome.changed && outcome.board == expected.afterstate.hex() && outcome.reward == expected.reward)
        #expect(Set(outcome.slides) == Self.slides(of: move, on: board, expected), "\(board.hex()) \(move)")
      }
    }
  }

  /// The engine's trace of every tile, with the cells of absorbed tiles instead of their numbers.
  private static func slides(of move: Move, on board: Board, _ outcome: MoveOutcome) -> Set<Slide> {
    guard let tile = ChanceModel(.standard).outcomes(of: outcome.afterstate).first(where: { _ in true }) else {
      return []
    }
    var identified = IdentifiedBoard(board)
    let cells = Dictionary(uniqueKeysWithValues: identified.tiles.map { ($0.id, $0.cell) })
    guard let trace = identified.play(move, appeared: tile) else { return [] }
    return Set(
      trace.slides.map {
        Slide(from: $0.from, to: $0.to, absorbed: $0.absorbed.flatMap { cells[$0] }, exponent: $0.exponent)
      })
  }

  /// A game that the page plays is valid in the engine: the record that it writes replays to the same board and score.
  @Test func gamesReplayInTheEngine() async throws {
    let output = try await Node.run(
      """
      for (const [four, shape] of [[0.1, "4x4"], [0.5, "3x4"], [0, "4x4"], [0.1, "3x3"]]) {
        const game = new Game({ four, shape });
        while (!game.isOver) {
          const legal = Rules.legalMoves(game.board);
          game.play(legal[Math.floor(Math.random() * legal.length)], "person");
          if (Math.random() < 0.1) { game.undo(); if (Math.random() < 0.5) game.redo(); }
        }
        game.undo(); game.undo(); game.undo();
        const again = Game.restore(JSON.parse(JSON.stringify(game.save())));
        again.redo(); again.redo();
        console.log(JSON.stringify({ text: again.text, shape, board: Rules.hex(again.board), score: again.score,
          agent: again.agent, over: again.isOver, redo: again.canRedo }));
      }
      """, input: "")
    struct Reply: Decodable {
      let text: String
      let shape: String
      let board: String
      let score: Int
      let agent: String
      let over: Bool
      let redo: Bool
    }
    let replies = try output.split(separator: "\n").map { try JSONDecoder().decode(Reply.self, from: Data($0.utf8)) }
    #expect(replies.count == 4)
    for reply in replies {
      let record = try GameRecord(text: reply.text)
      let last = try #require(try record.replay().last)
      let shape = record.header.rules.shape
      #expect(last.board.hex(in: shape) == reply.board && last.score == reply.score && reply.shape == "\(shape)")
      #expect(
        reply.agent.hasPrefix("person, ") && reply.agent.hasSuffix(" undone") && record.header.agent == reply.agent)
      #expect(!reply.over && reply.redo)
      #expect(record.text == reply.text, "the same text as the engine writes")
    }
    #expect(try GameRecord(text: replies[2].text).steps.allSatisfy { $0.exponent == 1 }, "twos only")
  }

  @Test func boardTextsAreReadAlike() async throws {
    let texts = [
      "123456789abcdefg", "0000000000000000", "GHGH000000000000",
      "2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 0 65536 131072",
      "[[0, 2], [4, 8], [0,0,0,0],[0,0,0,0],[0,0,0,0]]", "12", "zzzzzzzzzzzzzzzz", "",
      "2 4 6 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "262144 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "-2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "2.0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "0x2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "2 4",
    ]
    let output = try await Node.run(
      """
      for (const text of JSON.parse(input)) {
        try { console.log(Rules.hex(Rules.parse(text))); } catch { console.log("refused"); }
      }
      """, input: String(decoding: try JSONEncoder().encode(texts), as: UTF8.self))
    let read = output.split(separator: "\n").map(String.init)
    for (text, reply) in zip(texts, read) {
      let expected = (try? Board(text: text))?.hex() ?? "refused"
      #expect(reply == expected, "\(text)")
    }
    #expect(read.count == texts.count)
  }

  /// The dead zone is 20 points; the larger axis decides, the horizontal one when they are equal (Move numbers; null
  /// inside the zone).
  @Test func swipesFollowTheRule() async throws {
    let output = try await Node.run(
      """
      const cases = [[19, 0], [20, 0], [-20, 0], [0, 20], [0, -20], [19, 19], [20, 20], [-20, 20], [20, -20], [20, 21],
        [-21, -22], [30, 29], [0, 0]];
      console.log(cases.map(([x, y]) => String(Input.direction(x, y))).join(" "));
      """, input: "")
    #expect(output == "null 1 3 2 0 null 1 3 1 2 0 1 null\n")
  }

  @Test func axesHaveRoundTicks() async throws {
    let output = try await Node.run(
      """
      console.log([[0, 97000, 4], [0, 0.55, 4], [-3, 3, 4], [0, 0, 4], [5, 5, 3]].map(
        (one) => roundTicks(...one).join(",")).join(" "), compact(1234567), compact(-1200), compact(0.5), \
        percent(0.976));
      """, input: "")
    #expect(output == "0,25000,50000,75000,100000 0,0.2,0.4,0.6 -4,-2,0,2,4 0,1 5,6 1.23M −1.2k 0.5 97.6%\n")
  }
}
