internal import TestSupport
internal import Testing
internal import TupeloEngine

/// Whole games on all shapes, compared with a program in Python that has the rules and the random streams from their
/// descriptions: `python3 Tests/Python/TupeloPythonTests/reference.py` prints the file. The environments in Python play
/// the same games, in test_golden.py.
@Suite struct GoldenGamesTests {
  /// A line of the file: the settings of a game, and its end.
  private struct Line {
    let rules: Rules
    let seed: UInt64
    let player: Substring
    /// Score, moves, and the exponents of all merged tiles added up.
    let end: [Int]
    let board: String

    init?(_ text: Substring) throws {
      let words = text.split(separator: " ")
      let numbers = words.map { Int($0) ?? 0 }
      guard words.count == 10, let four = Double(words[2]), let seed = UInt64(words[4]) else { return nil }
      rules = try Rules(
        shape: BoardShape(rows: numbers[0], columns: numbers[1]), fourProbability: four, startTiles: numbers[3])
      (self.seed, player, end, board) = (seed, words[5], Array(numbers[6...8]), String(words[9]))
    }

    func move(_ legal: MoveSet, plies: Int) -> Move? {
      let moves = Move.allCases.filter(legal.contains)
      switch player {
      case "first": return moves.first
      case "last": return moves.last
      default: return moves.min { ($0.rawValue - plies) & 3 < ($1.rawValue - plies) & 3 }
      }
    }
  }

  @Test func theEnginePlaysTheGamesOfThePlainProgram() throws {
    let lines = try Repository.text(of: "Tests/Fixtures/golden-games.txt").split(separator: "\n")
    #expect(lines.count == 324)
    for text in lines {
      let line = try #require(try Line(text), "\(text)")
      var game = Game(rules: line.rules, seed: line.seed)
      var exponents = 0
      while let move = line.move(game.legalMoves, plies: game.plies) {
        let landings = ReferenceBoard(game.board, shape: line.rules.shape).slide(move).landings
        exponents += landings.filter { $0.absorbed != nil }.reduce(0) { $0 + $1.tile.trailingZeroBitCount }
        game.play(move)
      }
      #expect([game.score, game.plies, exponents] == line.end, "\(text)")
      #expect(game.board.hex(in: line.rules.shape) == line.board, "\(text)")
    }
  }
}
