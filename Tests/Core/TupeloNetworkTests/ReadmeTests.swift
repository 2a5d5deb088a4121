import Testing
import TupeloEngine
import TupeloNetwork

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() throws {
    let network = try NTupleNetwork(.named("4x5"))
    network[pattern: 0, standardIndex: 0x00012] = 8
    let board = try Board(hex: "1200000000000000")
    let moves = Move.allCases.compactMap { board.afterstate(of: $0) }
    print(moves.map { network.value(of: $0.afterstate) })
    #expect(moves.count == 2)
    // Exponents 2 and 1 from a corner on: once to the right of the move down, on one of the eight symmetric boards.
    #expect(moves.map { network.value(of: $0.afterstate) }.contains(8))
  }
}
