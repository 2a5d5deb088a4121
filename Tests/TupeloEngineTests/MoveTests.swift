import TestSupport
import Testing
import TupeloEngine

/// Moves against the reference.
@Suite struct MoveTests {
  private static func check(_ board: Board, shape: BoardShape) {
    let reference = ReferenceBoard(board, shape: shape)
    let table = MoveTable(shape)
    let successors = table.successors(of: board)
    for move in Move.allCases {
      let expected = reference.moved(move)
      let outcome = table.afterstate(of: move, on: board)
      let isSame =
        outcome?.reward == expected?.reward
        && outcome?.afterstate.numbers(in: shape) == expected?.board.tiles
        && successors.legal.contains(move) == (expected != nil)
        && table.legalMoves(on: board).contains(move) == (expected != nil)
        && (outcome == nil || successors.afterstate(of: move) == outcome?.afterstate)
        && (outcome == nil || successors.reward(of: move) == outcome?.reward)
      if !isSame { Issue.record("\(board.hex(in: shape)) \(move): \(String(describing: outcome))") }
    }
  }

  /// Every row of four tiles up to 32768, in every row and every column.
  @Test func allRows() {
    for row in 0..<65536 as Range<UInt64> {
      let line = row % 4
      let across = Board(bits: row << (16 * line))
      let along = Board(bits: across.bits).transposed
      Self.check(across, shape: .standard)
      Self.check(along, shape: .standard)
    }
  }

  static let shapes = (2...4).flatMap { rows in (2...4).map { (rows, $0) } }

  @Test(arguments: shapes) func randomBoards(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: UInt64(rows * 10 + columns), shape: shape)
    for round in 0..<2000 {
      let largest = [3, 6, 15, 17][round % 4]
      Self.check(try Board(exponents: positions.matrix(largest: largest).flatMap { $0 }, shape: shape), shape: shape)
    }
  }

  /// The cases that the descriptions of the game name.
  @Test(arguments: [
    ([0, 2, 2, 2], Move.right, [0, 0, 2, 4], 4), ([2, 2, 2, 0], .left, [4, 2, 0, 0], 4),
    ([0, 2, 2, 4], .right, [0, 0, 4, 4], 4), ([2, 2, 4, 0], .left, [4, 4, 0, 0], 4),
    ([2, 2, 2, 2], .left, [4, 4, 0, 0], 8), ([4, 2, 2, 0], .left, [4, 4, 0, 0], 4),
    ([2, 0, 0, 2], .right, [0, 0, 0, 4], 4), ([0, 0, 0, 2], .left, [2, 0, 0, 0], 0),
    ([16384, 16384, 32768, 0], .left, [32768, 32768, 0, 0], 32768),
    ([32768, 32768, 2, 0], .left, [65536, 2, 0, 0], 65536), ([65536, 65536, 0, 0], .right, [0, 0, 0, 131072], 131072),
    ([32768, 65536, 0, 0], .right, [0, 0, 32768, 65536], 0),
  ])
  func namedCases(_ row: [Int], _ move: Move, _ expected: [Int], _ reward: Int) throws {
    let board = try Board(numbers: (row + Array(repeating: 0, count: 12)).map(String.init).joined(separator: " "))
    let outcome = try #require(board.afterstate(of: move))
    #expect(outcome.afterstate.numbers()[0] == expected)
    #expect(outcome.reward == reward)
  }

  @Test func legalityIsChange() throws {
    #expect(try Board(hex: "1212212112122121").legalMoves().isEmpty)
    #expect(try Board(hex: "1212212112122121").isTerminal())
    #expect(try Board(hex: "1000000000000000").legalMoves().moves == [.right, .down])
    #expect(try Board(hex: "1222212112122121").legalMoves().moves.contains(.left))
    // A full board of different giants that look alike in four bits.
    #expect(try Board(hex: "fgfggfgffgfggfgf").isTerminal())
    #expect(try !Board(hex: "fgfggfgffgfggfgg").isTerminal())
  }

  @Test func giantsSurviveAWholeGame() throws {
    var game = Game(board: try Board(hex: "gf00000000000000"), random: RandomStream(seed: 4))
    var reference = ReferenceBoard(game.board, shape: .standard)
    var agent = RandomStream(seed: 5)
    while !game.isOver {
      let moves = game.legalMoves.moves
      let move = moves[agent.next(below: moves.count)]
      let played = game.play(move)
      let turn = try #require(played)
      let expected = try #require(reference.moved(move))
      #expect(turn.reward == expected.reward && turn.afterstate.numbers() == expected.board.tiles)
      reference = ReferenceBoard(game.board, shape: .standard)
    }
    #expect(game.board.largestTile >= 65536 && game.plies > 20)
  }

  /// The two lists of moves in the set's tables, written out.
  @Test func moveSetsCountAndChoose() {
    for mask in 0..<16 as Range<UInt8> {
      let set = MoveSet(mask: mask)
      let members = Move.allCases.filter { mask >> UInt8($0.rawValue) & 1 == 1 }
      #expect(set.moves == members && set.count == members.count)
      for (rank, move) in members.enumerated() { #expect(set.move(ofRank: rank) == move) }
    }
  }
}
