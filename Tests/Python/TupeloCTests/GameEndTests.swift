internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloEngine

@Suite struct GameEndTests {
  /// A board whose game ends after a move to the right, where a 2 appears. Left changes nothing.
  static let last = "2121121221212120"

  private func memory(_ mode: Int) throws -> GameMemory {
    let memory = GameMemory(2, autoreset: mode)
    memory.games.four_probability = 0
    #expect(memory.reset(seeds: [1, 2]) == TUPELO_OK)
    memory.set(try Board(hex: Self.last), 0)
    #expect(tupelo_games_observe(&memory.games) == TUPELO_OK)
    return memory
  }

  /// Games with one board and one action: up is illegal, and each third action moves.
  @Test(arguments: [1, 9]) func illegalMovesInARowTruncate(count: Int) throws {
    let memory = GameMemory(count, autoreset: TUPELO_AUTORESET_DISABLED)
    memory.games.maximum_illegal = 3
    memory.games.four_probability = 0
    #expect(memory.reset(seeds: (0..<UInt64(count)).map { $0 }) == TUPELO_OK)
    func put() throws {
      for index in 0..<count { memory.set(try Board(hex: "1200000000000000"), index) }
    }
    var streaks: [Int64] = []
    for action in [0, 0, 1, 0, 0, 0] as [Int64] {
      try put()
      #expect(memory.step([Int64](repeating: action, count: count)) == TUPELO_OK)
      streaks.append(memory.games.illegal_streaks![count - 1])
    }
    #expect(streaks == [1, 2, 0, 1, 2, 3])
    for index in 0..<count {
      #expect(memory.games.truncated![index] == 1 && memory.games.terminated![index] == 0)
      #expect(memory.games.ended![index] == 1 && memory.games.steps![index] == 6 && memory.games.plies![index] == 1)
    }
    #expect(memory.reset(seeds: nil) == TUPELO_OK && memory.games.illegal_streaks![0] == 0)
    memory.games.maximum_illegal = -1
    #expect(memory.step([Int64](repeating: 0, count: count)) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "games.maximum_illegal is -1: give 1 or more, or 0 for no limit")
    (memory.games.maximum_illegal, memory.games.illegal_streaks) = (2, nil)
    #expect(memory.step([Int64](repeating: 0, count: count)) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError.hasPrefix("games.illegal_streaks is NULL"))
  }

  @Test func nextStepBeginsANewGameAndIgnoresTheAction() throws {
    let memory = try memory(TUPELO_AUTORESET_NEXT_STEP)
    #expect(memory.mask(0) == [1, 1, 1, 0])
    #expect(memory.step([1, 0]) == TUPELO_OK)
    let stream = try #require(RandomStream(state: (0..<4).map { memory.games.random![$0] }))
    #expect(memory.games.terminated![0] == 1 && memory.games.ended![0] == 1)
    #expect(memory.mask(0) == [1, 1, 1, 1])
    #expect(memory.step([99, 3]) == TUPELO_OK)
    var expected = stream
    let rules = try Rules(fourProbability: 0)
    #expect(memory.board(0) == rules.startBoard(using: &expected))
    #expect(memory.games.rewards![0] == 0 && memory.games.terminated![0] == 0 && memory.games.ended![0] == 0)
    #expect(memory.games.scores![0] == 0 && memory.games.plies![0] == 0)
    #expect(memory.games.plies![1] >= 1)
  }

  @Test func sameStepShowsTheEndBesideTheNewGame() throws {
    let (memory, plain) = (try memory(TUPELO_AUTORESET_SAME_STEP), try memory(TUPELO_AUTORESET_DISABLED))
    memory.games.final_scores![1] = -7
    #expect(memory.step([1, 0]) == TUPELO_OK && plain.step([1, 0]) == TUPELO_OK)
    #expect(memory.games.terminated![0] == 1 && memory.games.ended![0] == 0)
    #expect(Board(bits: memory.games.final_boards![0]) == plain.board(0))
    #expect(memory.games.final_scores![0] == plain.games.scores![0])
    #expect(memory.games.final_plies![0] == 1 && memory.games.plies![0] == 0)
    #expect(memory.games.final_largest_tiles![0] == 4)
    #expect((0..<4).allSatisfy { memory.games.final_action_masks![$0] == 1 })
    #expect((0..<16).allSatisfy { memory.games.final_observations![$0] == plain.games.observations![$0] })
    #expect(memory.games.afterstates![0] == plain.games.afterstates![0])
    #expect(plain.reset(seeds: nil, mask: [1, 0]) == TUPELO_OK)
    #expect(memory.state == plain.state)
    // The other game continues, and its final values are not changed.
    #expect(memory.games.final_scores![1] == -7)
  }

  @Test func withoutAutoresetAnEndedGameRefusesAndNothingMoves() throws {
    let memory = try memory(TUPELO_AUTORESET_DISABLED)
    #expect(memory.step([1, 0]) == TUPELO_OK)
    let state = memory.state
    #expect(memory.step([1, 0]) == TUPELO_GAME_OVER)
    #expect(lastError == "game 0 has ended: reset it before the next step")
    #expect(memory.state == state)
    #expect(memory.reset(seeds: nil, mask: [1, 0]) == TUPELO_OK)
    #expect(memory.step([0, 1]) == TUPELO_OK)
    #expect(tupelo_games_random_steps(&memory.games, 1, 1, nil, nil) == TUPELO_INVALID_ARGUMENT)
  }

  @Test func illegalActionsAreIgnoredEndedOrRefused() throws {
    for illegal in [TUPELO_ILLEGAL_IGNORE, TUPELO_ILLEGAL_TERMINATE, TUPELO_ILLEGAL_RAISE] {
      let memory = try memory(TUPELO_AUTORESET_NEXT_STEP)
      (memory.games.illegal, memory.games.illegal_reward) = (Int32(illegal), -2.5)
      let state = memory.state
      let board = memory.board(0)
      // Left changes nothing on the first board.
      let status = memory.step([3, 1])
      guard illegal != TUPELO_ILLEGAL_RAISE else {
        #expect(status == TUPELO_ILLEGAL_MOVE)
        #expect(lastError == "actions[0] is 3 (left), which changes nothing on the board")
        #expect(memory.state == state)
        continue
      }
      #expect(status == TUPELO_OK)
      #expect(memory.board(0) == board && memory.games.rewards![0] == -2.5 && memory.games.illegal_actions![0] == 1)
      #expect(memory.games.steps![0] == 1 && memory.games.plies![0] == 0)
      #expect(memory.games.terminated![0] == (illegal == TUPELO_ILLEGAL_TERMINATE ? 1 : 0))
      #expect(memory.games.ended![0] == memory.games.terminated![0])
      #expect(memory.mask(0) == [1, 1, 1, 0])
    }
  }

  @Test func maximumStepsTruncate() {
    let memory = GameMemory(1)
    memory.games.maximum_steps = 3
    #expect(memory.reset(seeds: [5]) == TUPELO_OK)
    for step in 1...3 {
      #expect(memory.step([Int64(memory.mask(0).firstIndex(of: 1)!)]) == TUPELO_OK)
      #expect(memory.games.truncated![0] == (step == 3 ? 1 : 0) && memory.games.terminated![0] == 0)
    }
    #expect(memory.step([0]) == TUPELO_OK)
    #expect(memory.games.steps![0] == 0 && memory.games.truncated![0] == 0)
  }
}
