import TestSupport
import Testing
import TupeloEngine

/// The references themselves, compared with results that a person can work out on paper.
@Suite struct ReferenceTests {
  @Test func movesAsWrittenDown() throws {
    let board = ReferenceBoard([[0, 2, 2, 2], [0, 2, 2, 4], [2, 2, 2, 2], [4, 0, 0, 4]])
    let right = try #require(board.moved(.right))
    #expect(right.board.tiles == [[0, 0, 2, 4], [0, 0, 4, 4], [0, 0, 4, 4], [0, 0, 0, 8]])
    #expect(right.reward == 4 + 4 + 8 + 8)
    let up = try #require(board.moved(.up))
    #expect(up.board.tiles == [[2, 4, 4, 2], [4, 2, 2, 4], [0, 0, 0, 2], [0, 0, 0, 4]])
    #expect(up.reward == 8)
    #expect(ReferenceBoard([[2, 4], [4, 2]]).legalMoves == [])
    #expect(ReferenceBoard([[2, 0], [0, 0]]).legalMoves == [.right, .down])
    #expect(ReferenceBoard([[2, 2, 0, 0, 2, 4, 4, 4]]).moved(.left)?.board.tiles == [[4, 2, 8, 4, 0, 0, 0, 0]])
  }

  @Test func tellsWhoMergedWithWhom() {
    let slide = ReferenceBoard([[0, 2, 2, 2]]).slide(.right)
    #expect(
      slide.landings == [
        .init(cell: 2, tile: 2, origin: 1, absorbed: nil), .init(cell: 3, tile: 4, origin: 2, absorbed: 3),
      ])
    #expect(ReferenceBoard([[0, 2]]).slide(.right).landings == [.init(cell: 1, tile: 2, origin: 1, absorbed: nil)])
  }

  @Test func spawnsEverywhereEmpty() {
    let spawns = ReferenceBoard([[2, 0], [0, 4]]).spawns(fourProbability: 0.1)
    #expect(spawns.map(\.cell) == [1, 1, 4, 4] && spawns.map(\.tile) == [2, 4, 2, 4])
    #expect(spawns.map(\.probability) == [0.45, 0.05, 0.45, 0.05])
    #expect(spawns[3].board.tiles == [[2, 0], [4, 4]])
    #expect(ReferenceBoard([[2, 0], [0, 4]]).spawns(fourProbability: 0).map(\.tile) == [2, 2])
    #expect(ReferenceBoard([[2, 0], [0, 4]]).spawns(fourProbability: 1).map(\.tile) == [4, 4])
  }

  /// The layout that the engine's documentation states, written out by hand.
  @Test func convertsAsDocumented() throws {
    let board = ReferenceBoard([[2, 4, 0], [32768, 65536, 131_072]])
    #expect(board.engineBoard == Board(bits: 0xfff_0021, overflow: 0b10_01_00_00_00_00_00))
    let shape = try BoardShape(rows: 2, columns: 3)
    #expect(ReferenceBoard(board.engineBoard, shape: shape) == board)
    #expect(ReferenceBoard(board.engineAfterstate, shape: shape) == board)
    #expect(ReferenceBoard(shape: shape).tiles == [[0, 0, 0], [0, 0, 0]])
  }

  /// Critical values are compared with a table of the distribution: 0.999 quantiles.
  @Test(arguments: [(1, 10.828), (2, 13.816), (3, 16.266), (5, 20.515), (10, 29.588), (15, 37.697), (31, 61.098)])
  func criticalValuesAreThoseOfTheTable(_ degrees: Int, _ quantile: Double) {
    let value = ChiSquare.criticalValue(degreesOfFreedom: degrees)
    #expect(value >= quantile && value < quantile * 1.031)
  }

  @Test func chiSquareTellsFairFromLoaded() {
    let fair = ChiSquare(observed: [165, 170, 168, 162, 171, 164], probabilities: Array(repeating: 1 / 6.0, count: 6))
    #expect(fair.isPlausible && fair.degreesOfFreedom == 5 && abs(fair.statistic - 0.38) < 1e-9)
    #expect(!ChiSquare(observed: [600, 400], probabilities: [0.5, 0.5]).isPlausible)
    #expect(!ChiSquare(observed: [999, 1], probabilities: [1, 0]).isPlausible)
    #expect(ChiSquare(observed: [1000, 0], probabilities: [1, 0]).isPlausible)
  }
}
