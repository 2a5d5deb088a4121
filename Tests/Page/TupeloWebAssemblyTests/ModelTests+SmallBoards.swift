import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloSearch
import TupeloWebAssembly

/// Boards smaller than 4x4 in the engine of the page, compared with the reference and with the program.
extension ModelTests {
  private static let shapes = [(3, 4), (3, 3)]

  /// The exponents of a reference board as an answer has them: walls outside the board.
  private static func cells(_ board: ReferenceBoard) -> [Int] {
    var cells = Array(repeating: 255, count: 16)
    for (row, tiles) in board.tiles.enumerated() {
      for (column, tile) in tiles.enumerated() { cells[row * 4 + column] = tile == 0 ? 0 : tile.trailingZeroBitCount }
    }
    return cells
  }

  @Test(arguments: shapes)
  func smallBoardsSlideAsTheReference(rows: Int, columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 34, shape: shape)
    for number in 0..<600 {
      let matrix = positions.matrix(largest: [2, 4, 11, 17][number % 4])
      let board = ReferenceBoard(matrix.map { $0.map { $0 == 0 ? 0 : 1 << $0 } })
      Page.setBoard(rows: matrix)
      #expect(legal() == board.legalMoves.reduce(0) { $0 | 1 << Int32($1.rawValue) }, "\(matrix)")
      for move in Move.allCases {
        Page.setBoard(rows: matrix)
        let count = Int(slide(Int32(move.rawValue)))
        guard let (after, reward) = board.moved(move) else {
          #expect(count == 0, "\(matrix) \(move)")
          continue
        }
        #expect(Page.board == Self.cells(after) && Page.reward == reward, "\(matrix) \(move)")
        let landings = board.slide(move).landings.map {
          [$0.origin, $0.cell, $0.absorbed ?? 255, $0.tile.trailingZeroBitCount]
        }
        #expect(Set(Page.slides(count)) == Set(landings), "\(matrix) \(move)")
      }
    }
  }

  /// New tiles and boards to start on are those of the program for these numbers, and lie inside the shape.
  @Test(arguments: shapes)
  func tilesAppearInsideSmallBoards(rows: Int, columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 35, shape: shape)
    var drawn: Set<Int> = []
    for number in 0..<400 as Range<UInt32> {
      let rules = try Rules(shape: shape, fourProbability: 0.5, startTiles: 3)
      let matrix = positions.matrix(largest: 3)
      let empty = ReferenceBoard(matrix).emptyCells
      Page.setBoard(rows: matrix)
      let tile = Int(draw(0.5, number, 7))
      var random = RandomStream(seed: 7 << 32 | UInt64(number))
      guard !empty.isEmpty else {
        #expect(tile == -1)
        continue
      }
      let expected = ChanceModel(rules).sample(of: try Afterstate(matrix: matrix, shape: shape), using: &random)
      #expect(tile == expected.cell + 16 * expected.exponent && empty.contains(tile % 16))
      drawn.insert(tile % 16)

      Page.setBoard(rows: matrix.map { $0.map { _ in 0 } })
      #expect(start(0.5, 3, number, 7) == 0)
      random = RandomStream(seed: 7 << 32 | UInt64(number))
      #expect(Page.board == Self.cells(ReferenceBoard(rules.startBoard(using: &random), shape: shape)))
    }
    #expect(drawn == Set(shape.cells), "a tile may appear on each cell")
  }

  /// The heuristic values small boards, to the bit as in the program, whether a network is loaded or not.
  @Test(arguments: shapes)
  func valuesOfSmallBoardsAreThePrograms(rows: Int, columns: Int) throws {
    let network = try Self.network()
    try Self.load(network, as: "f32")
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 36, shape: shape)
    var whole = RandomPositions(seed: 37)
    for number in 0..<40 {
      let plies = number % 3 + 1
      let four = number < 20 ? 0.1 : 0.5
      let rules = try Rules(shape: shape, fourProbability: four)
      let matrix = positions.matrix(largest: number % 10 == 9 ? 17 : 9)
      let board = try Board(exponents: matrix.flatMap { $0 }, shape: shape)
      Page.setBoard(rows: matrix)
      let mask = analyze(Int32(plies), 0, four)
      var search = Expectimax(HeuristicEvaluator(shape: shape), plies: plies, rules: rules)
      let expected = search.analyze(board)
      #expect(mask == expected.candidates.reduce(0) { $0 | 1 << Int32($1.move.rawValue) })
      let naive = NaiveExpectimax(HeuristicEvaluator(shape: shape), rules: rules)
      for one in expected.candidates {
        let said = Page.candidate(one.move.rawValue)
        #expect(said.reward == one.reward && said.value == one.value && said.difference == one.difference)
        guard plies < 3, let value = naive.value(of: one.move, on: board, plies: plies) else { continue }
        #expect(abs(said.value - value) < 0.1)
      }
      // A 4x4 board in between is valued by the network.
      let exponents = whole.matrix(largest: 9).flatMap { $0 }
      Page.setBoard(exponents)
      _ = analyze(1, 0, four)
      var wholeSearch = Expectimax(network, plies: 1, rules: try Rules(fourProbability: four))
      for one in wholeSearch.analyze(try Board(exponents: exponents)).candidates {
        #expect(Page.candidate(one.move.rawValue).value == one.value)
      }
    }
    #expect(openModel(0) == 1, "no file is empty")
    Page.setBoard(rows: Array(repeating: Array(repeating: 1, count: columns), count: rows))
    #expect(analyze(1, 0, 0.1) == 15)
    Page.setBoard(Array(repeating: 1, count: 16))
    #expect(analyze(1, 0, 0.1) == -1, "4x4 needs a network")
  }

  /// Walls and tiles in any places stop nothing, and the answer has the same walls.
  @Test func impossibleWallsStopNothing() {
    var random = RandomPositions(seed: 38)
    for _ in 0..<300 {
      let cells = (0..<16).map { _ in random.number(below: 2) == 0 ? 255 : random.number(below: 256) }
      Page.setBoard(cells)
      for move in 0..<4 as Range<Int32> { _ = slide(move) }
      _ = (legal(), draw(0.1, 1, 2), start(0.1, 3, 1, 2), analyze(2, 0, 0.1))
      #expect(zip(cells, Page.board).allSatisfy { ($0 == 255) == ($1 == 255) })
    }
  }
}
