import TestSupport
import Testing
import TupeloEngine

/// Play past 32768, where four bits no longer identify a tile.
@Suite struct GiantTileTests {
  @Test(
    arguments: [
      ([32768, 32768, 0, 0], Move.left, [65536, 0, 0, 0], 65536),
      ([32768, 32768, 32768, 0], .right, [0, 0, 32768, 65536], 65536),
      ([32768, 32768, 32768, 32768], .left, [65536, 65536, 0, 0], 131_072),
      ([65536, 65536, 0, 0], .right, [0, 0, 0, 131_072], 131_072),
      ([65536, 0, 0, 65536], .left, [131_072, 0, 0, 0], 131_072),
      ([65536, 32768, 32768, 2], .left, [65536, 65536, 2, 0], 65536),
      ([16384, 16384, 32768, 0], .left, [32768, 32768, 0, 0], 32768),
      ([16384, 16384, 16384, 16384], .left, [32768, 32768, 0, 0], 65536),
      ([32768, 65536, 0, 0], .right, [0, 0, 32768, 65536], 0), ([0, 65536, 32768, 0], .left, [65536, 32768, 0, 0], 0),
      ([65536, 131_072, 2, 2], .left, [65536, 131_072, 4, 0], 4), ([2, 2, 65536, 0], .left, [4, 65536, 0, 0], 4),
      ([0, 131_072, 131_072, 0], .left, [131_072, 131_072, 0, 0], 0),
    ] as [([Int], Move, [Int], Int)])
  func namedCases(_ row: [Int], _ move: Move, _ expected: [Int], _ reward: Int) throws {
    let empty = [0, 0, 0, 0]
    let board = ReferenceBoard([row, empty, empty, empty]).engineBoard
    let outcome = try #require(board.afterstate(of: move))
    #expect(ReferenceBoard(outcome.afterstate).tiles == [expected, empty, empty, empty])
    #expect(outcome.reward == reward)
    // A column has the outcome of a row.
    let turned = ReferenceBoard([row, empty, empty, empty]).transposed.engineBoard
    let around = try #require(turned.afterstate(of: move == .left ? .up : .down))
    #expect(ReferenceBoard(around.afterstate).transposed.tiles[0] == expected)
    #expect(around.reward == reward)
  }

  /// Neighbours that share a nibble are not equal; equal ones are.
  @Test(
    arguments: [
      ("fg00000000000000", [Move.right, .down]), ("gh00000000000000", [.right, .down]), ("fghf", []), ("fggf", []),
      ("fgff", [.up, .right, .down, .left]), ("ggfh", [.right, .left]), ("fhfg", [.up, .down]), ("hhhh", []),
      ("hgfh", []), ("fgfggfgffgfggfgf", []), ("fgfggfgfhhhhggff", [.right, .left]),
      ("fgfggfgffgfggfgg", [.up, .right, .down, .left]), ("hhhhhhhhhhhhhhhh", []),
    ] as [(String, [Move])])
  func legalMoves(_ hex: String, _ moves: [Move]) throws {
    let shape = hex.count == 4 ? try BoardShape(rows: 2, columns: 2) : .standard
    let board = try Board(hex: hex, shape: shape)
    #expect(board.legalMoves(in: shape).moves == moves)
    #expect(ReferenceBoard(board, shape: shape).legalMoves == moves)
    #expect(board.isTerminal(in: shape) == moves.isEmpty)
  }

  @Test func everyFormKeepsThem() throws {
    let tiles = [[131_072, 65536, 32768, 16384], [0, 2, 4, 8], [65536, 0, 131_072, 32768], [1024, 512, 0, 65536]]
    let board = ReferenceBoard(tiles).engineBoard
    #expect(board.hex() == "hgfe0123g0hfa90g")
    #expect(try Board(hex: "hgfe0123g0hfa90g") == board)
    #expect(board.tiles() == tiles)
    #expect(try Board(numbers: "\(tiles)") == board)
    #expect(board.largestTile == 131_072 && board.largestExponent == 17)
    #expect(board.tileSum == tiles.joined().reduce(0, +))
    #expect(ReferenceBoard(board.transposed).tiles == ReferenceBoard(tiles).transposed.tiles)
    #expect(board.transposed.transposed == board)
    #expect(
      board.drawing() == """
        +------+------+------+------+
        |131072| 65536| 32768| 16384|
        |      |     2|     4|     8|
        | 65536|      |131072| 32768|
        |  1024|   512|      | 65536|
        +------+------+------+------+
        """)
    let images = Set(Symmetry.allCases.map { ReferenceBoard(board.applying($0)) })
    #expect(images == Set(ReferenceBoard(tiles).images) && images.count == 8)
    #expect(Set(Symmetry.allCases.map { board.applying($0).canonical() }).count == 1)
    // A tile that appears leaves the others alone.
    let after = board.occupiedMask.nonzeroBitCount
    let appeared = Afterstate(bits: board.bits, overflow: board.overflow)
      .board(after: ChanceOutcome(cell: 4, exponent: 2, probability: 1))
    var expected = tiles
    expected[1][0] = 4
    #expect(ReferenceBoard(appeared).tiles == expected && appeared.occupiedMask.nonzeroBitCount == after + 1)
  }

  /// Games that start with giants about to meet follow the rules to their end.
  @Test(arguments: ["gg00000000000000", "gf0f000000000000", "hgf0ed00c00b0000", "ffff000000000000"])
  func gamesGoOnByTheReference(_ hex: String) throws {
    for number in 0..<5 as Range<UInt64> {
      let start = Game(board: try Board(hex: hex), random: RandomStream(seed: 4, stream: number))
      let played = RandomGame(start, choices: RandomStream(seed: 5, stream: number))
      var (reference, score) = (ReferenceBoard(start.board), 0)
      for (turn, board) in zip(played.turns, played.boards.dropFirst()) {
        let expected = try #require(reference.moved(turn.move))
        #expect(turn.reward == expected.reward && ReferenceBoard(turn.afterstate) == expected.board)
        score += expected.reward
        reference = expected.board
        reference.tiles[turn.appeared.cell / 4][turn.appeared.cell % 4] = 1 << turn.appeared.exponent
        #expect(ReferenceBoard(board) == reference)
      }
      #expect(played.game.score == score && reference.legalMoves.isEmpty && played.game.plies > 10)
    }
  }

  @Test func twoTilesOf65536MakeA131072() throws {
    var game = Game(board: try Board(hex: "gg00000000000000"), random: RandomStream(seed: 1))
    let first = game.play(.left)
    let turn = try #require(first)
    #expect(turn.reward == 131_072 && game.score == 131_072 && game.board.tile(at: 0) == 131_072)
    #expect(game.board.tiles().joined().count { $0 > 0 } == 2 && !game.isOver)
    let second = game.play(.down)
    let next = try #require(second)
    #expect(next.afterstate.tile(at: 12) == 131_072)
  }
}
