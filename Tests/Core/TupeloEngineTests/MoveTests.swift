import TestSupport
import Testing
import TupeloEngine

/// Moves against the reference.
@Suite struct MoveTests {
  /// Compares every function that plays a move, or part of one, with the reference.
  static func check(_ board: Board, table: MoveTable) {
    let shape = table.shape
    let reference = ReferenceBoard(board, shape: shape)
    let (successors, legal) = (table.successors(of: board), table.legalMoves(on: board))
    for move in Move.allCases {
      let expected = reference.moved(move)
        .map { MoveOutcome(afterstate: $0.board.engineAfterstate, reward: $0.reward) }
      checkOne(move, on: board, table: table, successors: successors, legal: legal, expected: expected)
    }
    if board.legalMoves(in: shape) != legal || board.isTerminal(in: shape) != reference.legalMoves.isEmpty {
      Issue.record("\(board.hex(in: shape)) has other legal moves in long form")
    }
  }

  private static func checkOne(
    _ move: Move, on board: Board, table: MoveTable, successors: Successors, legal: MoveSet, expected: MoveOutcome?
  ) {
    var isRight =
      table.afterstate(of: move, on: board) == expected && legal.contains(move) == (expected != nil)
      && successors.legal.contains(move) == (expected != nil)
    if let expected {
      isRight =
        isRight && successors.afterstate(of: move) == expected.afterstate
        && successors.reward(of: move) == expected.reward
    }
    if !isRight {
      let found = table.afterstate(of: move, on: board)
      Issue.record(
        """
        \(board.hex(in: table.shape)) \(move): expected \(String(describing: expected)), found \
        \(String(describing: found)), successors \(successors)
        """)
    }
  }

  /// A grid with a line of exponents on the given cells and nothing else.
  private static func grid<Grid: TileGrid>(_ exponents: [Int], on cells: [Int]) -> Grid {
    var (bits, overflow) = (UInt64(0), UInt32(0))
    for (exponent, cell) in zip(exponents, cells) {
      bits |= UInt64(min(exponent, 15)) << UInt64(4 * cell)
      overflow |= UInt32(max(exponent - 15, 0)) << UInt32(2 * cell)
    }
    return Grid(bits: bits, overflow: overflow)
  }

  /// Puts a line of exponents in every row (or column), or in one, of an empty board, plays all four moves, and
  /// compares with the line slid by the reference; across itself a lone line only walks to the wall.
  private static func checkLine(_ exponents: [Int], table: MoveTable, isRow: Bool, in place: Int? = nil) {
    let lines = isRow ? table.shape.rows : table.shape.columns
    func digits(_ slid: ReferenceBoard) -> [Int] { slid.tiles[0].map { $0 == 0 ? 0 : $0.trailingZeroBitCount } }
    func cells(_ line: Int) -> [Int] { exponents.indices.map { isRow ? line * 4 + $0 : $0 * 4 + line } }
    let reference = ReferenceBoard([exponents.map { $0 == 0 ? 0 : 1 << $0 }])
    let slid = [Move.left, .right].map { move in
      reference.moved(move).map { (tiles: digits($0.board), reward: $0.reward) }
    }
    let isEmpty = exponents.allSatisfy { $0 == 0 }
    for line in 0..<lines where place == nil || place == line {
      let board: Board = grid(exponents, on: cells(line))
      let (successors, legal) = (table.successors(of: board), table.legalMoves(on: board))
      for (move, slid) in zip(isRow ? [Move.left, .right] : [.up, .down], slid) {
        let expected = slid.map { MoveOutcome(afterstate: grid($0.tiles, on: cells(line)), reward: $0.reward) }
        checkOne(move, on: board, table: table, successors: successors, legal: legal, expected: expected)
      }
      for (move, wall) in zip(isRow ? [Move.up, .down] : [.left, .right], [0, lines - 1]) {
        let moved = MoveOutcome(afterstate: grid(exponents, on: cells(wall)), reward: 0)
        let expected = isEmpty || line == wall ? nil : moved
        checkOne(move, on: board, table: table, successors: successors, legal: legal, expected: expected)
      }
    }
  }

  /// All 65,536 lines of four tiles up to 32768, each in one row or one column, by all four moves. The 32768s merge to
  /// 65536.
  @Test(arguments: [true, false]) func everyLineOfTheTable(_ isRow: Bool) {
    let table = MoveTable()
    for line in 0..<65_536 {
      let exponents = (0..<4).map { line >> (4 * $0) & 15 }
      Self.checkLine(exponents, table: table, isRow: isRow, in: line * 7 / 5 % 4)
    }
  }

  /// All lines of two, three and four tiles up to 131072 that the tables do not hold, in rows and columns of boards of
  /// that width.
  @Test(.slow, arguments: [2, 3, 4]) func everyLineBeyondTheTable(_ length: Int) throws {
    let table = MoveTable(try BoardShape(rows: length, columns: length))
    var lines = [[Int]()]
    for _ in 0..<length { lines = lines.flatMap { line in (0...17).map { line + [$0] } } }
    for (index, line) in lines.enumerated() where length < 4 || line.contains(where: { $0 > 15 }) {
      // The long ones, 39,440 of them, each in one row and one column.
      let place = length < 4 ? nil : index * 7 / 5 % 4
      Self.checkLine(line, table: table, isRow: true, in: place)
      Self.checkLine(line, table: table, isRow: false, in: place)
    }
  }

  /// Boards from crowded with twos to full of giants.
  @Test(arguments: allShapes) func randomBoards(_ rows: Int, _ columns: Int) throws {
    let table = MoveTable(try BoardShape(rows: rows, columns: columns))
    var positions = RandomPositions(seed: UInt64(rows * 10 + columns), shape: table.shape)
    for round in 0..<3000 {
      let largest = [1, 2, 3, 6, 15, 17][round % 6]
      var matrix = positions.matrix(largest: largest)
      if round % 5 == 0 { matrix = matrix.map { $0.map { max($0, 1) } } }
      if round % 7 == 0 { matrix = matrix.map { $0.map { $0 == 0 ? 0 : 17 - $0 % 3 } } }
      Self.check(ReferenceBoard(matrix.map { $0.map { $0 == 0 ? 0 : 1 << $0 } }).engineBoard, table: table)
    }
  }

  /// The cases that the descriptions of the game name.
  @Test(
    arguments: [
      ([0, 2, 2, 2], Move.right, [0, 0, 2, 4], 4), ([2, 2, 2, 0], .left, [4, 2, 0, 0], 4),
      ([0, 2, 2, 4], .right, [0, 0, 4, 4], 4), ([2, 2, 4, 0], .left, [4, 4, 0, 0], 4),
      ([2, 2, 2, 2], .left, [4, 4, 0, 0], 8), ([2, 2, 2, 2], .right, [0, 0, 4, 4], 8),
      ([4, 2, 2, 0], .left, [4, 4, 0, 0], 4), ([2, 2, 4, 8], .left, [4, 4, 8, 0], 4),
      ([2, 0, 0, 2], .right, [0, 0, 0, 4], 4), ([2, 0, 2, 0], .left, [4, 0, 0, 0], 4),
      ([0, 0, 0, 2], .left, [2, 0, 0, 0], 0), ([2, 0, 4, 0], .right, [0, 0, 2, 4], 0),
      ([1024, 1024, 0, 0], .left, [2048, 0, 0, 0], 2048),
    ] as [([Int], Move, [Int], Int)])
  func namedCases(_ row: [Int], _ move: Move, _ expected: [Int], _ reward: Int) throws {
    let board = ReferenceBoard([row] + Array(repeating: [0, 0, 0, 0], count: 3)).engineBoard
    let outcome = try #require(board.afterstate(of: move))
    #expect(outcome.afterstate.tiles()[0] == expected)
    #expect(outcome.reward == reward)
  }

  /// A row can move left when a tile has a gap to its left, or equals its neighbour.
  @Test(
    arguments: [
      ([0, 2, 0, 0], true), ([2, 0, 0, 2], true), ([2, 2, 0, 0], true), ([2, 4, 8, 8], true), ([0, 0, 0, 2], true),
      ([2, 0, 4, 0], true), ([2, 0, 0, 0], false), ([2, 4, 0, 0], false), ([2, 4, 2, 4], false), ([0, 0, 0, 0], false),
      ([2, 4, 8, 16], false),
    ] as [([Int], Bool)])
  func canMoveLeft(_ row: [Int], _ canMove: Bool) {
    let board = ReferenceBoard([row] + Array(repeating: [0, 0, 0, 0], count: 3)).engineBoard
    #expect(board.legalMoves().contains(.left) == canMove)
    #expect((board.afterstate(of: .left) != nil) == canMove)
    // The other three walls follow the same rule.
    for symmetry in Symmetry.allCases {
      let turned = board.applying(symmetry)
      #expect(turned.legalMoves().contains(BoardShape.standard.move(.left, under: symmetry)) == canMove)
    }
  }

  @Test func gameIsOverWhenNothingMoves() throws {
    #expect(try Board(hex: "1212212112122121").isTerminal())
    #expect(try Board(hex: "1212212112122121").legalMoves().isEmpty)
    #expect(try Board(hex: "1222212112122121").legalMoves().moves == [.up, .right, .down, .left])
    #expect(try Board(hex: "1000000000000000").legalMoves().moves == [.right, .down])
    #expect(try Board(hex: "1233212112342143").legalMoves().moves == [.right, .left])
    #expect(Board.empty.isTerminal())
  }

  /// The slides of whole boards that `RandomPlayout` and `Successors` are made of.
  @Test func slidesAreBothDirectionsAtOnce() {
    let table = MoveTable()
    var positions = RandomPositions(seed: 5)
    for _ in 0..<500 {
      let reference = ReferenceBoard(positions.matrix(largest: 12).map { $0.map { $0 == 0 ? 0 : 1 << $0 } })
      let bits = reference.engineBoard.bits
      for (slide, board) in [
        (table.slideRows(bits), reference), (table.slideColumns(transposed: bits), reference),
      ] {
        let (left, right) = (board.slide(.left), board.moved(.right)?.board ?? board)
        #expect(slide.toStart == (board.moved(.left)?.board ?? board).engineBoard.bits)
        #expect(slide.toEnd == right.engineBoard.bits)
        #expect(Int(slide.reward) == left.reward && slide.isExact)
      }
    }
  }

  /// A table answers for every 64-bit board and never reads past its memory: tiles outside its shape do not matter
  /// inside it.
  @Test(arguments: allShapes) func tablesCannotBeReadPast(_ rows: Int, _ columns: Int) throws {
    let table = MoveTable(try BoardShape(rows: rows, columns: columns))
    var random = RandomStream(seed: 71)
    for round in 0..<3000 {
      let board = Board(bits: round == 0 ? .max : random.next())
      let reference = ReferenceBoard(board, shape: table.shape)
      let successors = table.successors(of: board)
      for move in Move.allCases {
        let expected = reference.moved(move)?.board ?? reference
        if let outcome = table.afterstate(of: move, on: board) {
          #expect(ReferenceBoard(outcome.afterstate, shape: table.shape) == expected)
        }
        if successors.legal.contains(move) {
          #expect(ReferenceBoard(successors.afterstate(of: move), shape: table.shape) == expected)
        }
      }
      #expect(table.legalMoves(on: board).moves.filter(reference.legalMoves.contains) == reference.legalMoves)
    }
  }
}

@Suite struct MoveSetTests {
  /// All sixteen sets of moves, written out by hand.
  @Test func countAndChoose() {
    for mask in 0..<16 as Range<UInt8> {
      let set = MoveSet(mask: mask)
      let members = Move.allCases.filter { mask >> UInt8($0.rawValue) & 1 == 1 }
      #expect(set.moves == members && set.count == members.count && set.isEmpty == members.isEmpty)
      for move in Move.allCases { #expect(set.contains(move) == members.contains(move)) }
      for (rank, move) in members.enumerated() { #expect(set.move(ofRank: rank) == move) }
      if let first = members.first { #expect(Move(lowestOf: mask) == first) }
    }
    #expect(MoveSet(mask: 0xf3).mask == 3)
  }

  /// The numbers and letters of moves, which files and other programs use.
  @Test func numbersAndLettersAreFixed() {
    #expect(Move.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(Move.allCases.map { "\($0)" } == ["up", "right", "down", "left"])
    #expect(Move.allCases.map(\.letter) == ["u", "r", "d", "l"])
    #expect(Move.allCases.map(\.isHorizontal) == [false, true, false, true])
    for move in Move.allCases { #expect(Move(letter: move.letter) == move) }
    for letter in "ULDRx0 " { #expect(Move(letter: letter) == nil) }
  }
}
