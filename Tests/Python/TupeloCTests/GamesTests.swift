internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloEngine

@Suite struct GamesTests {
  static let shapes = [(4, 4), (2, 2), (2, 3), (3, 2), (3, 4), (4, 3), (3, 3)]

  @Test func theFirstLegalGameOfSeedOneIsTheGoldenOne() {
    let memory = GameMemory(1, autoreset: TUPELO_AUTORESET_DISABLED)
    #expect(memory.reset(seeds: [1]) == TUPELO_OK)
    while memory.games.ended![0] == 0 {
      #expect(memory.step([Int64(memory.mask(0).firstIndex(of: 1)!)]) == TUPELO_OK)
    }
    #expect(memory.games.scores![0] == 4040)
    #expect(memory.games.largest_tiles![0] == 256)
    #expect(memory.games.plies![0] == 330)
    #expect(memory.mask(0) == [1, 1, 1, 1])
  }

  /// Each game of a batch is `Game(seed:)`, and its rewards, masks and afterstates are those of the plain rules.
  @Test(arguments: shapes)
  func aBatchEqualsSingleGames(rows: Int, columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let rules = try Rules(shape: shape, fourProbability: 0.3, startTiles: 3)
    let memory = GameMemory(20, shape: shape, autoreset: TUPELO_AUTORESET_DISABLED)
    (memory.games.four_probability, memory.games.start_tiles) = (0.3, 3)
    #expect(memory.reset(seeds: (0..<20).map { UInt64($0) + 7 }) == TUPELO_OK)
    var games = (0..<20).map { Game(rules: rules, seed: UInt64($0) + 7) }
    var random = TestRandom(state: 3)
    for _ in 0..<60 where (0..<20).contains(where: { memory.games.ended![$0] == 0 }) {
      // Games that have ended start again, each with its stream.
      let mask = (0..<20).map { memory.games.ended![$0] }
      if mask.contains(1) {
        #expect(memory.reset(seeds: nil, mask: mask) == TUPELO_OK)
        for index in 0..<20 where mask[index] == 1 {
          var stream = games[index].random
          let board = rules.startBoard(using: &stream)
          games[index] = Game(rules: rules, board: board, random: stream)
        }
      }
      let actions = games.map { _ in Int64(random.next() % 4) }
      let before = games.map(\.board)
      #expect(memory.step(actions) == TUPELO_OK)
      for index in 0..<20 {
        let reference = ReferenceBoard(before[index], shape: shape)
        let moved = reference.moved(Move(rawValue: Int(actions[index]))!)
        games[index].play(Move(rawValue: Int(actions[index]))!)
        #expect(memory.board(index) == games[index].board)
        #expect(memory.games.scores![index] == Int64(games[index].score))
        #expect(memory.games.plies![index] == Int64(games[index].plies))
        #expect(memory.games.rewards![index] == Float(moved?.reward ?? 0))
        #expect(memory.games.illegal_actions![index] == (moved == nil ? 1 : 0))
        #expect(memory.games.afterstates![index] == (moved?.board.engineBoard ?? before[index]).bits)
        let legal = ReferenceBoard(games[index].board, shape: shape).legalMoves
        #expect(memory.mask(index) == (0..<4).map { legal.isEmpty || legal.map(\.rawValue).contains($0) ? 1 : 0 })
        #expect(memory.games.terminated![index] == (legal.isEmpty ? 1 : 0))
        #expect(memory.games.largest_tiles![index] == Int32(games[index].board.largestTile))
      }
    }
  }

  /// Batches of one game are stepped by other code than large batches.
  @Test(arguments: [TUPELO_AUTORESET_NEXT_STEP, TUPELO_AUTORESET_SAME_STEP, TUPELO_AUTORESET_DISABLED], shapes)
  func aLargeBatchEqualsBatchesOfOne(autoreset: Int, shape: (rows: Int, columns: Int)) throws {
    let shape = try BoardShape(rows: shape.rows, columns: shape.columns)
    let count = 70
    for reward in [TUPELO_REWARD_SCORE, TUPELO_REWARD_LOG2] {
      for illegal in [TUPELO_ILLEGAL_IGNORE, TUPELO_ILLEGAL_TERMINATE] {
        let many = GameMemory(count, shape: shape, autoreset: autoreset)
        let each = (0..<count).map { _ in GameMemory(1, shape: shape, autoreset: autoreset) }
        for memory in [many] + each {
          (memory.games.reward, memory.games.illegal) = (Int32(reward), Int32(illegal))
          (memory.games.illegal_reward, memory.games.maximum_steps) = (-2.5, 12)
        }
        #expect(many.reset(seeds: (0..<count).map { UInt64($0) }) == TUPELO_OK)
        for index in 0..<count { #expect(each[index].reset(seeds: [UInt64(index)]) == TUPELO_OK) }
        var random = TestRandom(state: 5)
        for round in 0..<25 {
          if round == 3 {
            let tiles = try Board(exponents: (0..<shape.cellCount).map { 17 - $0 / 2 }, shape: shape)
            for memory in [(many, 69), (each[69], 0)] { memory.0.set(tiles, memory.1) }
          }
          if autoreset == TUPELO_AUTORESET_DISABLED {
            let over = (0..<count).map { many.games.ended![$0] }
            if over.contains(1) { #expect(many.reset(seeds: nil, mask: over) == TUPELO_OK) }
            for index in 0..<count where over[index] == 1 { #expect(each[index].reset(seeds: nil) == TUPELO_OK) }
          }
          let actions = (0..<count).map { _ in Int64(random.next() % 4) }
          #expect(many.step(actions) == TUPELO_OK)
          for index in 0..<count { #expect(each[index].step([actions[index]]) == TUPELO_OK) }
          #expect(many.state == each.flatMap(\.state))
          #expect((0..<count).allSatisfy { many.results($0) == each[$0].results(0) })
        }
      }
    }
  }

  @Test func observationsShowEachTileInThreeForms() throws {
    for form in [TUPELO_OBSERVATION_EXPONENTS, TUPELO_OBSERVATION_ONE_HOT, TUPELO_OBSERVATION_PLANES] {
      for (rows, columns) in Self.shapes {
        let shape = try BoardShape(rows: rows, columns: columns)
        let memory = GameMemory(3, shape: shape, observation: form)
        #expect(memory.reset(seeds: [1, 2, 3]) == TUPELO_OK)
        let exponents = (0..<shape.cellCount).map { $0 == 1 ? 17 : $0 == 2 ? 16 : $0 % 16 }
        memory.set(try Board(exponents: exponents, shape: shape), 1)
        #expect(tupelo_games_observe(&memory.games) == TUPELO_OK)
        let cells = shape.cellCount
        for index in 0..<3 {
          for (place, cell) in shape.cells.enumerated() {
            let exponent = memory.board(index).exponent(at: cell)
            let bytes = memory.games.observations!
            switch form {
            case TUPELO_OBSERVATION_EXPONENTS: #expect(bytes[index * cells + place] == UInt8(exponent))
            default:
              for level in 0..<18 {
                let byte =
                  form == TUPELO_OBSERVATION_ONE_HOT
                  ? (index * cells + place) * 18 + level : (index * 18 + level) * cells + place
                #expect(bytes[byte] == (level == exponent ? 1 : 0))
              }
            }
          }
        }
      }
    }
  }

  @Test func theLogarithmicRewardAddsTheExponentsOfMergedTiles() throws {
    let memory = GameMemory(50)
    memory.games.reward = Int32(TUPELO_REWARD_LOG2)
    #expect(memory.reset(seeds: (0..<50).map { UInt64($0) }) == TUPELO_OK)
    var random = TestRandom(state: 1)
    for round in 0..<60 {
      for index in 0..<50 where round % 20 == 19 {
        // The boards are from late games, with the largest tiles.
        let exponents = (0..<16).map { _ in Int(random.next() % 4) + 14 }
        memory.set(try Board(exponents: exponents), index)
      }
      let before = (0..<50).map { ReferenceBoard(memory.board($0)) }
      let isNew = (0..<50).map { memory.games.ended![$0] == 1 }
      let actions = before.map { Int64($0.legalMoves.randomElement(using: &random)?.rawValue ?? 0) }
      #expect(memory.step(actions) == TUPELO_OK)
      for index in 0..<50 {
        let landings = before[index].slide(Move(rawValue: Int(actions[index]))!).landings
        let sum = landings.filter { $0.absorbed != nil }.reduce(0) { $0 + $1.tile.trailingZeroBitCount }
        #expect(memory.games.rewards![index] == (isNew[index] ? 0 : Float(sum)))
      }
    }
  }

  @Test func theLargestTilesMerge() throws {
    let memory = GameMemory(2, autoreset: TUPELO_AUTORESET_DISABLED)
    #expect(memory.reset(seeds: [1, 2]) == TUPELO_OK)
    memory.set(try Board(hex: "ff00000000000000"), 0)
    memory.set(try Board(hex: "gg00000000000000"), 1)
    #expect(memory.step([3, 3]) == TUPELO_OK)
    #expect(memory.games.largest_tiles![0] == 65_536)
    #expect(memory.games.largest_tiles![1] == 131_072)
    #expect(memory.games.rewards![1] == 131_072)
    #expect(memory.games.afterstate_overflow![1] == 2)
  }

  @Test func randomStepsAreStepsOfDrawnActions() throws {
    for mode in [TUPELO_AUTORESET_NEXT_STEP, TUPELO_AUTORESET_SAME_STEP] {
      let (memory, twin) = (GameMemory(5, autoreset: mode), GameMemory(5, autoreset: mode))
      #expect(memory.reset(seeds: [1, 2, 3, 4, 5]) == TUPELO_OK && twin.reset(seeds: [1, 2, 3, 4, 5]) == TUPELO_OK)
      var (moves, episodes) = (Int64(0), Int64(0))
      #expect(tupelo_games_random_steps(&memory.games, 700, 9, &moves, &episodes) == TUPELO_OK)
      var streams = (0..<5).map { RandomStream(seed: 9, stream: UInt64($0)) }
      var (twinMoves, twinEpisodes) = (0, 0)
      for _ in 0..<700 {
        let actions = (0..<5).map { index -> Int64 in
          let legal = MoveTable().legalMoves(on: twin.board(index))
          guard !legal.isEmpty else { return 0 }
          return Int64(legal.move(ofRank: streams[index].next(below: legal.count)).rawValue)
        }
        let ended = (0..<5).map { twin.games.ended![$0] }
        #expect(twin.step(actions) == TUPELO_OK)
        for index in 0..<5 where ended[index] == 0 {
          twinMoves += 1
          twinEpisodes += Int(twin.games.terminated![index])
        }
      }
      #expect(memory.state == twin.state)
      #expect((Int(moves), Int(episodes)) == (twinMoves, twinEpisodes))
    }
  }

  @Test func threadsChangeNothing() {
    let (one, four) = (GameMemory(5000), GameMemory(5000))
    four.games.threads = 4
    let seeds = (0..<5000).map { UInt64($0) }
    #expect(one.reset(seeds: seeds) == TUPELO_OK && four.reset(seeds: seeds) == TUPELO_OK)
    for _ in 0..<3 {
      #expect(tupelo_games_random_steps(&one.games, 40, 5, nil, nil) == TUPELO_OK)
      #expect(tupelo_games_random_steps(&four.games, 40, 5, nil, nil) == TUPELO_OK)
      let actions = (0..<5000).map { Int64($0 & 3) }
      #expect(one.step(actions) == TUPELO_OK && four.step(actions) == TUPELO_OK)
    }
    #expect(one.state == four.state)
  }

  @Test func noGamesAreNoMistake() {
    let memory = GameMemory(0)
    #expect(memory.reset(seeds: []) == TUPELO_OK && memory.step([]) == TUPELO_OK)
    #expect(tupelo_games_observe(&memory.games) == TUPELO_OK)
  }
}
