import TestSupport
import Testing
import TupeloEngine

@Suite struct GameTests {
  /// Whole games by the first legal move, computed by Python from the published generators, the documented seeding and
  /// the rules: the game of a seed is the same on every machine, and changes only with `behaviourVersion`.
  @Test(
    arguments: [
      (Rules.standard, 1, 0, "0000011000000000", "4378246712362124", 4040, 330),
      (.standard, 1, 1, "0010000000100000", "1568361723451234", 3480, 289),
      (.standard, 2026, 5, "0000000020001000", "4527345621451213", 1592, 166),
      (
        try? Rules(shape: BoardShape(rows: 2, columns: 3), fourProbability: 0.5, startTiles: 3), 7, 3, "202001",
        "145213", 152, 18
      ),
      (
        try? Rules(shape: BoardShape(rows: 3, columns: 4), fourProbability: 0), 9, 0, "001000000100", "345623451234",
        776, 103
      ),
    ] as [(Rules?, UInt64, UInt64, String, String, Int, Int)])
  func goldenGames(
    _ rules: Rules?, _ seed: UInt64, _ number: UInt64, _ start: String, _ end: String, _ score: Int, _ plies: Int
  ) throws {
    let rules = try #require(rules)
    #expect(behaviourVersion == 5)
    var game = Game(rules: rules, seed: seed, number: number)
    #expect(game.board.hex(in: rules.shape) == start)
    while let move = game.legalMoves.moves.first { game.play(move) }
    #expect(game.board.hex(in: rules.shape) == end && game.score == score && game.plies == plies && game.isOver)
  }

  @Test func sameSeedAndNumberSameGame() throws {
    for rules in try allRules() {
      let (first, second) = (RandomGame(rules: rules, number: 1), RandomGame(rules: rules, number: 1))
      #expect(first.boards == second.boards && first.turns == second.turns)
      #expect(first.game.random == second.game.random)
      #expect(RandomGame(rules: rules, number: 2).turns != first.turns)
      #expect(RandomGame(rules: rules, seed: 4, number: 1).turns != first.turns)
    }
  }

  /// Every turn is compared with the reference, and so are the counts that a game keeps.
  @Test func turnsFollowTheRules() throws {
    for rules in try allRules() {
      let played = RandomGame(rules: rules, number: 11)
      var (reference, score) = (ReferenceBoard(played.boards[0], shape: rules.shape), 0)
      for (index, turn) in played.turns.enumerated() {
        let expected = try #require(reference.moved(turn.move))
        #expect(ReferenceBoard(turn.afterstate, shape: rules.shape) == expected.board)
        #expect(turn.reward == expected.reward)
        let spawns = expected.board.spawns(fourProbability: rules.fourProbability)
        let spawn = try #require(
          spawns.first { $0.cell == turn.appeared.cell && $0.tile == 1 << turn.appeared.exponent })
        #expect(abs(turn.appeared.probability - spawn.probability) < 1e-15)
        reference = spawn.board
        score += expected.reward
        #expect(ReferenceBoard(played.boards[index + 1], shape: rules.shape) == reference)
        #expect(played.scores[index + 1] == score)
      }
      #expect(played.game.score == score && played.game.plies == played.turns.count)
      #expect(reference.legalMoves.isEmpty && played.game.isOver)
    }
  }

  @Test func illegalMovesChangeNothing() throws {
    var game = Game(board: try Board(hex: "1000000000000000"), random: RandomStream(seed: 1))
    let before = game
    #expect(game.play(.left) == nil && game.play(.up) == nil)
    #expect(game.board == before.board && game.random == before.random && game.plies == 0 && game.score == 0)
    #expect(game.play(.right) != nil)
    #expect(game.plies == 1 && game.random != before.random)
  }

  /// Random playouts are compared with the reference step by step, with a copy of their random stream: the same moves,
  /// tiles and points.
  @Test func playoutsFollowTheReference() throws {
    var starts = try allRules().map { rules in
      var random = RandomStream(seed: 6)
      return (rules, rules.startBoard(using: &random))
    }
    // These games contain giants: the table and the general rules alternate.
    for hex in ["ff00000000000000", "gg00ff00ee00dd00", "eeee0000eeee0000", "hgfe0000ef000000"] {
      starts.append((.standard, try Board(hex: hex)))
    }
    for (rules, start) in starts {
      let playout = RandomPlayout(rules: rules)
      for stream in 0..<5 as Range<UInt64> {
        var (random, twin) = (RandomStream(seed: 2, stream: stream), RandomStream(seed: 2, stream: stream))
        let result = playout.play(start, using: &random)
        var (reference, score, moves) = (ReferenceBoard(start, shape: rules.shape), 0, 0)
        while case let legal = reference.legalMoves, !legal.isEmpty {
          let next = try #require(reference.moved(legal[twin.next(below: legal.count)]))
          let board = ChanceModel(rules).board(after: next.board.engineAfterstate, using: &twin)
          (reference, score, moves) = (ReferenceBoard(board, shape: rules.shape), score + next.reward, moves + 1)
        }
        #expect(ReferenceBoard(result.board, shape: rules.shape) == reference && random == twin)
        #expect(result.score == score && result.moves == moves)
      }
    }
  }

  @Test func playoutsStopAtTheLimit() throws {
    let start = try Board(hex: "1000000000000001")
    var (random, twin) = (RandomStream(seed: 2), RandomStream(seed: 2))
    let none = RandomPlayout().play(start, limit: 0, using: &random)
    #expect(none.board == start && none.score == 0 && none.moves == 0 && random == twin)
    let first = RandomPlayout().play(start, limit: 3, using: &random)
    #expect(first.moves == 3)
    let rest = RandomPlayout().play(first.board, using: &random)
    let whole = RandomPlayout().play(start, using: &twin)
    #expect(whole.board == rest.board && whole.moves == rest.moves + 3 && whole.score == rest.score + first.score)
    #expect(random == twin)
  }

  /// Random play has been measured by many people: about 1,100 points and 118 moves.
  @Test func randomPlayScoresWhatItScoresElsewhere() {
    let (playout, games) = (RandomPlayout(), 4000)
    var random = RandomStream(seed: 3)
    let results = (0..<games).map { _ in playout.play(Rules.standard.startBoard(using: &random), using: &random) }
    let (score, moves) = (results.reduce(0) { $0 + $1.score } / games, results.reduce(0) { $0 + $1.moves } / games)
    #expect((1060...1140).contains(score) && (115...121).contains(moves))
  }
}
