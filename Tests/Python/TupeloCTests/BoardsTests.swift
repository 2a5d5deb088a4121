internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloEngine

@Suite struct BoardsTests {
  /// Random boards of a shape, some of them from late games.
  private func boards(_ count: Int, _ shape: BoardShape) throws -> [Board] {
    var random = TestRandom(state: 11)
    return try (0..<count).map { index in
      let most = UInt64(index % 2 == 0 ? 5 : 18)
      return try Board(exponents: (0..<shape.cellCount).map { _ in Int(random.next() % most) }, shape: shape)
    }
  }

  @Test(arguments: GamesTests.shapes)
  func successorsAndLegalMovesAreThoseOfThePlainRules(rows: Int, columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let boards = try boards(300, shape)
    let (bits, overflow) = (boards.map(\.bits), boards.map(\.overflow))
    var afterstates = [UInt64](repeating: 1, count: 1200)
    var afterOverflow = [UInt32](repeating: 1, count: 1200)
    var rewards = [Int32](repeating: 1, count: 1200)
    var (legal, alone) = ([UInt8](repeating: 7, count: 1200), [UInt8](repeating: 7, count: 1200))
    let (r, c) = (Int32(rows), Int32(columns))
    #expect(tupelo_successors(r, c, 300, bits, overflow, &afterstates, &afterOverflow, &rewards, &legal) == TUPELO_OK)
    #expect(tupelo_legal(r, c, 300, bits, overflow, &alone) == TUPELO_OK)
    #expect(legal == alone)
    for (index, board) in boards.enumerated() {
      for move in Move.allCases {
        let moved = ReferenceBoard(board, shape: shape).moved(move)
        let place = 4 * index + move.rawValue
        #expect(legal[place] == (moved == nil ? 0 : 1))
        #expect(rewards[place] == Int32(moved?.reward ?? 0))
        #expect(Board(bits: afterstates[place], overflow: afterOverflow[place]) == moved?.board.engineBoard ?? board)
      }
    }
    // Tiles above 32768 need memory for the part of the exponent above 15.
    let refused = tupelo_successors(r, c, 300, bits, overflow, &afterstates, nil, nil, nil)
    #expect(refused == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "afterstate_overflow is NULL, and a tile is larger than 32768: give memory for it")
  }

  @Test(arguments: GamesTests.shapes)
  func packingAndSymmetriesAreThoseOfMatrices(rows: Int, columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let boards = try boards(100, shape)
    let exponents = boards.flatMap { board in shape.cells.map { UInt8(board.exponent(at: $0)) } }
    var (bits, overflow) = ([UInt64](repeating: 1, count: 100), [UInt32](repeating: 1, count: 100))
    let (r, c) = (Int32(rows), Int32(columns))
    #expect(tupelo_pack(r, c, 100, exponents, &bits, &overflow) == TUPELO_OK)
    #expect(zip(bits, overflow).map { Board(bits: $0, overflow: $1) } == boards)
    var back = [UInt8](repeating: 99, count: exponents.count)
    #expect(tupelo_unpack(r, c, 100, bits, overflow, &back) == TUPELO_OK)
    #expect(back == exponents)
    #expect(tupelo_pack(r, c, 100, exponents, &bits, nil) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_pack(r, c, 1, [UInt8](repeating: 18, count: 16), &bits, &overflow) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "exponents[0] is 18: give 0 to 17")

    let images = rows == columns ? 8 : 4
    var symmetric = [UInt64](repeating: 0, count: 100 * images)
    var symmetricOverflow = [UInt32](repeating: 0, count: 100 * images)
    #expect(tupelo_symmetries(r, c, 100, bits, overflow, &symmetric, &symmetricOverflow) == TUPELO_OK)
    for (index, board) in boards.enumerated() {
      let own = (0..<images).map {
        Board(bits: symmetric[index * images + $0], overflow: symmetricOverflow[index * images + $0])
      }
      #expect(own[0] == board)
      #expect(Set(own) == Set(ReferenceBoard(board, shape: shape).images.map(\.engineBoard)))
    }
  }

  @Test func tilesAppearByTheLawOfTheGame() throws {
    // The board has two empty cells: there are four possible tiles, with probabilities 0.35 and 0.15.
    let board = try Board(hex: "1212212112120120")
    let afterstates = [UInt64](repeating: board.bits, count: 20_000)
    var random = [UInt64](repeating: 0, count: 4)
    #expect(tupelo_random(3, 5, &random) == TUPELO_OK)
    #expect(random == RandomStream(seed: 3, stream: 5).state)
    var boards = [UInt64](repeating: 0, count: 20_000)
    #expect(tupelo_spawn(4, 4, 0.3, 20_000, afterstates, nil, &random, &boards) == TUPELO_OK)
    var stream = RandomStream(seed: 3, stream: 5)
    let chance = ChanceModel(try Rules(fourProbability: 0.3))
    #expect(boards == afterstates.map { chance.board(after: Afterstate(bits: $0), using: &stream).bits })
    #expect(random == stream.state)
    let kinds = [1, 2].flatMap { exponent in
      [12, 15].map { board.replacing(cell: $0, with: exponent).bits }
    }
    let test = ChiSquare(
      observed: kinds.map { kind in boards.count { $0 == kind } }, probabilities: [0.35, 0.35, 0.15, 0.15])
    #expect(test.isPlausible, "\(test)")
    #expect(test.degreesOfFreedom == 3 && kinds.reduce(0) { sum, kind in sum + boards.count { $0 == kind } } == 20_000)
    let full = [try Board(hex: "1212212112122121").bits]
    #expect(tupelo_spawn(4, 4, 0.3, 1, full, nil, &random, &boards) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "afterstates[0] has no empty cell, so no tile can appear")
  }
}
