import Testing
import TupeloEngine

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() throws {
    var game = Game(seed: 1)
    while let move = game.legalMoves.moves.first {
      game.play(move)
    }
    print(game.score, game.plies, game.board.largestTile)
    let board = try Board(hex: "0111000000000000")
    if let outcome = board.afterstate(of: .right) {
      let appeared = ChanceModel(.standard).outcomes(of: outcome.afterstate)
      print(outcome.reward, outcome.afterstate.hex(), Array(appeared).count)
    }
    // What the README says is printed.
    #expect("\(game.score) \(game.plies) \(game.board.largestTile)" == "4040 330 256")
    let outcome = try #require(board.afterstate(of: .right))
    #expect(outcome.reward == 4 && outcome.afterstate.hex() == "0012000000000000")
    #expect(Array(ChanceModel(.standard).outcomes(of: outcome.afterstate)).count == 28)
  }
}
