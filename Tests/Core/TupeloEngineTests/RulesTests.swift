import TestSupport
import Testing
import TupeloEngine

@Suite struct RulesTests {
  @Test func standardIsTheOriginalGame() {
    #expect(Rules.standard.shape == .standard && Rules.standard.shape.rows == 4 && Rules.standard.shape.columns == 4)
    #expect(Rules.standard.fourProbability == 0.1 && Rules.standard.startTiles == 2)
  }

  /// A start board has the number of tiles that the rules name, and only tiles that may appear.
  @Test(arguments: [(1, 0.0), (2, 0.1), (2, 0.5), (3, 0.5), (3, 0.1), (2, 0), (15, 1)])
  func startBoardsHaveTheTilesTheRulesSay(_ tiles: Int, _ four: Double) throws {
    let rules = try Rules(fourProbability: four, startTiles: tiles)
    var random = RandomStream(seed: 8)
    for _ in 0..<500 {
      let found = ReferenceBoard(rules.startBoard(using: &random)).tiles.joined().filter { $0 > 0 }
      #expect(found.count == tiles)
      #expect(found.allSatisfy { four == 0 ? $0 == 2 : four == 1 ? $0 == 4 : $0 == 2 || $0 == 4 })
    }
  }

  /// Start boards appear as often as the reference says, by chi-square.
  @Test(arguments: [(2, 2, 2, 0.1), (2, 2, 3, 0.5), (2, 3, 2, 0.5), (3, 2, 3, 0)])
  func startBoardsAreAsLikelyAsTheReferenceSays(_ rows: Int, _ columns: Int, _ tiles: Int, _ four: Double) throws {
    let rules = try Rules(
      shape: BoardShape(rows: rows, columns: columns), fourProbability: four, startTiles: tiles)
    var expected: [ReferenceBoard: Double] = [ReferenceBoard(shape: rules.shape): 1]
    for _ in 0..<tiles {
      var next: [ReferenceBoard: Double] = [:]
      for (board, probability) in expected {
        for spawn in board.spawns(fourProbability: four) {
          next[spawn.board, default: 0] += probability * spawn.probability
        }
      }
      expected = next
    }
    var random = RandomStream(seed: 17)
    var counts: [ReferenceBoard: Int] = [:]
    for _ in 0..<50_000 {
      counts[ReferenceBoard(rules.startBoard(using: &random), shape: rules.shape), default: 0] += 1
    }
    #expect(Set(counts.keys).isSubset(of: Set(expected.keys)))
    let boards = Array(expected.keys)
    let test = ChiSquare(
      observed: boards.map { counts[$0, default: 0] }, probabilities: boards.map { expected[$0, default: 0] })
    #expect(test.isPlausible, "\(test)")
  }

  @Test(arguments: [(1, 4), (4, 1), (5, 4), (4, 5), (0, 0), (-2, 3)])
  func refusesOtherShapes(_ rows: Int, _ columns: Int) {
    let error = #expect(throws: RulesError.self) { try BoardShape(rows: rows, columns: columns) }
    #expect(error == .shapeOutOfRange(rows: rows, columns: columns))
    #expect(
      error?.description == "a board of \(rows)x\(columns) is not supported: rows and columns go from 2 to 4")
  }

  @Test(arguments: [(1.5, "1.5"), (-0.1, "-0.1"), (.infinity, "inf"), (.nan, "nan")])
  func refusesOtherProbabilities(_ probability: Double, _ text: String) {
    let error = #expect(throws: RulesError.self) { try Rules(fourProbability: probability) }
    #expect(error?.description == "the probability of a 4 is \(text): it must lie in 0...1 (0.1 is standard)")
  }

  @Test(arguments: [(4, 4, 0), (4, 4, 16), (4, 4, -1), (2, 2, 4), (2, 3, 6)])
  func refusesOtherStarts(_ rows: Int, _ columns: Int, _ tiles: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let error = #expect(throws: RulesError.self) { try Rules(shape: shape, startTiles: tiles) }
    #expect(error == .startTilesOutOfRange(tiles, cells: rows * columns))
    #expect(
      error?.description == "\(tiles) start tiles on \(rows * columns) cells: give 1 to \(rows * columns - 1)")
  }
}
