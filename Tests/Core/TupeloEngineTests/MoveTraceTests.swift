import TestSupport
import Testing
import TupeloEngine

@Suite struct MoveTraceTests {
  /// Follows every tile of random games by hand and by the reference.
  @Test func tellsTheWholeMove() throws {
    for rules in try allRules() {
      for number in 0..<3 as Range<UInt64> {
        let played = RandomGame(rules: rules, number: number)
        try Self.follow(played, shape: rules.shape)
      }
    }
    let giants = Game(board: try Board(hex: "gfggffgghgfeeef0"), random: RandomStream(seed: 8))
    try Self.follow(RandomGame(giants, choices: RandomStream(seed: 9)), shape: .standard)
  }

  private static func follow(_ played: RandomGame, shape: BoardShape) throws {
    var identified = IdentifiedBoard(played.boards[0], shape: shape)
    // A view would hold the identity of the tile on each cell.
    var shown = Dictionary(uniqueKeysWithValues: identified.tiles.map { ($0.cell, $0.id) })
    var everSeen = Set(shown.values)
    #expect(everSeen.count == identified.tiles.count)
    for (index, turn) in played.turns.enumerated() {
      let reference = ReferenceBoard(played.boards[index], shape: shape).slide(turn.move)
      let step = identified.play(turn.move, appeared: turn.appeared)
      let trace = try #require(step)
      #expect(trace.move == turn.move && trace.reward == turn.reward)

      // The trace has one survivor per tile of the afterstate, in the order of their cells, each with the identity it
      // had.
      let expected = reference.landings.map { landing in
        MoveTrace.Slide.Facts(
          id: shown[landing.origin], from: landing.origin, to: landing.cell,
          absorbed: landing.absorbed.flatMap { shown[$0] }, tile: landing.tile)
      }
      #expect(trace.slides.map(\.facts) == expected)

      // The trace names the tiles that disappear.
      let gone = reference.landings.filter { $0.absorbed != nil }
      #expect(trace.absorbed.count == gone.count)
      for landing in gone {
        #expect(
          trace.absorbed.contains {
            $0.id == shown[landing.absorbed ?? -1] && $0.from == landing.absorbed && $0.to == landing.cell
              && $0.into == shown[landing.origin]
          })
        // The tile that arrives, from farther away, survives.
        let absorbed = try #require(landing.absorbed)
        #expect(distance(landing.origin, landing.cell) > distance(absorbed, landing.cell))
      }

      // The new tile has a number that was never used before.
      #expect(trace.appeared.cell == turn.appeared.cell && trace.appeared.exponent == turn.appeared.exponent)
      #expect(everSeen.insert(trace.appeared.id).inserted)

      // Following the trace by hand gives the board.
      var next: [Int: Int] = [trace.appeared.cell: trace.appeared.id]
      var tiles = [trace.appeared.cell: 1 << trace.appeared.exponent]
      for slide in trace.slides {
        #expect(next[slide.to] == nil && shown[slide.from] == slide.id)
        next[slide.to] = slide.id
        tiles[slide.to] = 1 << slide.exponent
      }
      let drawn = ReferenceBoard(played.boards[index + 1], shape: shape)
      #expect(identified.board == played.boards[index + 1])
      for cell in shape.cells { #expect(tiles[cell, default: 0] == drawn.tiles[cell / 4][cell % 4]) }
      #expect(identified.tiles.map(\.cell) == next.keys.sorted())
      #expect(identified.tiles.allSatisfy { next[$0.cell] == $0.id && tiles[$0.cell] == 1 << $0.exponent })
      #expect(Set(next.values).count == next.count)
      shown = next
    }
  }

  private static func distance(_ a: Int, _ b: Int) -> Int { abs(a / 4 - b / 4) + abs(a % 4 - b % 4) }

  /// `_ 2 2 2` to the right, tile by tile.
  @Test func theArrivingTileLivesOn() throws {
    var board = IdentifiedBoard(try Board(hex: "0111000000000000"))
    #expect(board.tiles.map(\.id) == [1, 2, 3])
    let played = board.play(.right, appeared: ChanceOutcome(cell: 0, exponent: 2, probability: 1))
    let trace = try #require(played)
    #expect(trace.slides.map(\.id) == [1, 2] && trace.slides.map(\.to) == [2, 3])
    #expect(trace.slides.map(\.absorbed) == [nil, 3] && trace.slides.map(\.exponent) == [1, 2])
    #expect(trace.absorbed.map(\.id) == [3] && trace.absorbed.map(\.into) == [2])
    #expect(trace.absorbed.map(\.from) == [3] && trace.absorbed.map(\.to) == [3])
    #expect(trace.appeared.id == 4 && trace.appeared.exponent == 2 && trace.appeared.cell == 0 && trace.reward == 4)
    #expect(board.tiles.map(\.id) == [4, 1, 2] && board.board.hex() == "2012000000000000")
  }

  @Test func impossibleMovesChangeNothing() throws {
    let shape = try BoardShape(rows: 2, columns: 3)
    var board = IdentifiedBoard(try Board(hex: "100000", shape: shape), shape: shape)
    let before = board
    #expect(board.play(.left, appeared: ChanceOutcome(cell: 5, exponent: 1, probability: 1)) == nil)
    // These cells are taken, or outside the shape.
    for cell in [2, 3, 7, 8, 15, 16, -1, .max] {
      #expect(board.play(.right, appeared: ChanceOutcome(cell: cell, exponent: 1, probability: 1)) == nil)
    }
    for exponent in [0, 3, 16, -1, .max] {
      #expect(board.play(.right, appeared: ChanceOutcome(cell: 6, exponent: exponent, probability: 1)) == nil)
    }
    #expect(board == before)
    #expect(board.play(.right, appeared: ChanceOutcome(cell: 6, exponent: 1, probability: 1)) != nil)
  }
}

extension MoveTrace.Slide {
  struct Facts: Equatable {
    var id: Int?
    var from: Int
    var to: Int
    var absorbed: Int?
    var tile: Int
  }

  var facts: Facts { Facts(id: id, from: from, to: to, absorbed: absorbed, tile: 1 << exponent) }
}
