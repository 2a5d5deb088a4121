internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork

/// For all arguments, a function returns with a status.
@Suite struct HostileTests {
  @Test(.slow) func randomBytesInStatesAndSettingsEndInAStatus() {
    var random = TestRandom(state: 2048)
    var counts: [Int32: Int] = [:]
    for _ in 0..<15_000 {
      let shape = try? BoardShape(rows: Int(random.next() % 3) + 2, columns: Int(random.next() % 3) + 2)
      let memory = GameMemory(
        Int(random.next() % 6), shape: shape ?? .standard, autoreset: Int(random.next() % 3),
        observation: Int(random.next() % 4))
      _ = memory.reset(seeds: (0..<6).map { _ in random.next() })
      // Half of the calls have valid states, so that their moves are played.
      let spoils = random.next() % 2 == 0
      if spoils { spoil(memory, &random) }
      let actions = (0..<6).map { _ in
        Int64(truncatingIfNeeded: random.next() % 16 == 0 ? random.next() : random.next() % 4)
      }
      for _ in 0..<8 { counts[tupelo_games_step(&memory.games, actions), default: 0] += 1 }
      let steps = Int64(random.next() % 50)
      counts[tupelo_games_random_steps(&memory.games, steps, random.next(), nil, nil), default: 0] += 1
      counts[tupelo_games_observe(&memory.games), default: 0] += 1
      counts[tupelo_games_reset(&memory.games, nil, nil), default: 0] += 1
    }
    let allowed = [TUPELO_OK, TUPELO_INVALID_ARGUMENT, TUPELO_ILLEGAL_MOVE, TUPELO_GAME_OVER].map { Int32($0) }
    #expect(Set(counts.keys) == Set(allowed))
    #expect(counts[0, default: 0] > 20_000)
    #expect(counts[Int32(TUPELO_INVALID_ARGUMENT), default: 0] > 20_000)
  }

  private func spoil(_ memory: GameMemory, _ random: inout TestRandom) {
    for index in 0..<memory.count {
      if random.next() % 2 == 0 { memory.games.boards![index] = random.next() & random.next() }
      if random.next() % 4 == 0 { memory.games.overflow![index] = UInt32(truncatingIfNeeded: random.next()) }
      if random.next() % 8 == 0 { for word in 0..<4 { memory.games.random![4 * index + word] = 0 } }
      if random.next() % 4 == 0 { memory.games.ended![index] = UInt8(truncatingIfNeeded: random.next() % 3) }
      memory.games.scores![index] = Int64(truncatingIfNeeded: random.next())
      memory.games.plies![index] = Int64(truncatingIfNeeded: random.next())
      memory.games.steps![index] = .max
    }
    switch random.next() % 12 {
    case 0: memory.games.rows = Int32(truncatingIfNeeded: random.next())
    case 1: memory.games.four_probability = Double(bitPattern: random.next())
    case 2: memory.games.start_tiles = Int32(truncatingIfNeeded: random.next())
    case 3: memory.games.illegal_reward = Double(bitPattern: random.next())
    case 4: memory.games.illegal = Int32(truncatingIfNeeded: random.next() % 4)
    case 5: memory.games.reward = Int32(truncatingIfNeeded: random.next() % 3)
    case 6: memory.games.maximum_steps = Int64(truncatingIfNeeded: random.next())
    default: break
    }
  }

  /// Boards that pass the checks are played without a fault, even if they are full of the largest tiles.
  /// Another thread writes boards that are not boards while a model values them. Only checked copies are used: a
  /// tile outside of 2x3 would be looked up outside of the tables.
  @Test(.slow) func boardsThatChangeDuringACallAreCheckedWhereTheyAreUsed() throws {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "2x3 shared 01 12 014"))
    let path = TemporaryFile.path("small.safetensors")
    defer { TemporaryFile.remove(path) }
    try network.save(to: path)
    var model: Int64 = 0
    #expect(tupelo_model_load(path, &model) == 0)
    defer { #expect(tupelo_release(model) == 0) }
    let count = 64
    let boards = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    boards.initialize(repeating: 0x21, count: count)
    defer { boards.deallocate() }
    let place = UInt(bitPattern: boards)
    let isOver = Locked(false)
    let spoiler = Background {
      let boards = UnsafeMutablePointer<UInt64>(bitPattern: place)!
      while !isOver.withLock({ $0 }) {
        for index in 0..<count { boards[index] = 0xffff_ffff_ffff_ffff }
        for index in 0..<count { boards[index] = 0x21 }
      }
    }
    var values = [Float](repeating: 0, count: 4 * count)
    var statuses: Set<Int32> = []
    for _ in 0..<20_000 {
      statuses.insert(tupelo_model_move_values(model, Int64(count), boards, nil, &values, nil))
    }
    isOver.withLock { $0 = true }
    spoiler.wait()
    #expect(statuses.isSubset(of: [0, Int32(TUPELO_INVALID_ARGUMENT)]))
  }

  @Test func everySoundBoardCanBePlayed() throws {
    var random = TestRandom(state: 5)
    let memory = GameMemory(64)
    for _ in 0..<40 {
      #expect(memory.reset(seeds: (0..<64).map { _ in random.next() }) == TUPELO_OK)
      for index in 0..<64 {
        memory.set(try Board(exponents: (0..<16).map { _ in Int(random.next() % 6) + 12 }), index)
      }
      #expect(tupelo_games_random_steps(&memory.games, 30, 1, nil, nil) == TUPELO_OK)
    }
  }

  @Test func settingsOutOfRangeAreNamed() {
    func text(_ change: (inout tupelo_games) -> Void) -> String {
      let memory = GameMemory(1)
      #expect(memory.reset(seeds: [1]) == TUPELO_OK)
      var games = memory.games
      change(&games)
      #expect(tupelo_games_step(&games, [0]) == TUPELO_INVALID_ARGUMENT)
      return lastError
    }
    #expect(text { $0.size = 8 }.hasPrefix("games.size is 8 and this library has "))
    #expect(text { $0.count = -1 } == "games.count is -1: give 0 to 4294967296")
    #expect(text { $0.rows = 5 } == "a board of 5x4 is not supported: rows and columns go from 2 to 4")
    #expect(text { $0.four_probability = .nan }.hasPrefix("the probability of a 4 is nan"))
    #expect(text { $0.start_tiles = 16 } == "16 start tiles on 16 cells: give 1 to 15")
    #expect(text { $0.reward = 2 } == "games.reward is 2: give 0 to 1")
    #expect(text { $0.illegal = -1 } == "games.illegal is -1: give 0 to 2")
    #expect(text { $0.autoreset = 3 } == "games.autoreset is 3: give 0 to 2")
    #expect(text { $0.observation = 4 } == "games.observation is 4: give 0 to 3")
    #expect(text { $0.illegal_reward = .infinity }.hasPrefix("games.illegal_reward is inf"))
    #expect(text { $0.maximum_steps = -1 }.hasPrefix("games.maximum_steps is -1"))
    #expect(text { $0.threads = 0 } == "games.threads is 0: give 1 to 64")
    #expect(text { $0.boards = nil } == "games.boards is NULL: give memory for 1 values")
    #expect(text { $0.ended = nil } == "games.ended is NULL: give memory for 1 values")
    #expect(text { $0.observations = nil } == "games.observations is NULL: give memory for 1 values")
    #expect(
      text { $0.boards = .init(bitPattern: 12) } == "games.boards is not aligned: its address must be a multiple of 8")
  }

  @Test func statesThatAreNotGamesAreNamed() throws {
    func text(_ change: (GameMemory) -> Void) throws -> String {
      let memory = GameMemory(3, shape: try BoardShape(rows: 3, columns: 3))
      #expect(memory.reset(seeds: [1, 2, 3]) == TUPELO_OK)
      change(memory)
      let state = memory.state
      #expect(memory.step([0, 0, 0]) == TUPELO_INVALID_ARGUMENT)
      #expect(memory.state == state)
      return lastError
    }
    #expect(try text { $0.games.boards![2] = 0x1000 } == "boards[2] is not a board: it has tiles outside of 3x3")
    #expect(try text { $0.games.overflow![1] = 1 << 30 }.hasPrefix("boards[1] is not a board: its overflow"))
    #expect(try text { $0.games.ended![1] = 2 } == "ended[1] is 2: give 0 or 1")
    #expect(
      try text { memory in for word in 0..<4 { memory.games.random![8 + word] = 0 } }
        == "random[2] is not a random stream: its four words are zero")
    let memory = GameMemory(2)
    #expect(memory.reset(seeds: [1, 2]) == TUPELO_OK)
    #expect(memory.step([0, 4]) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "actions[1] is 4: give 0 (up), 1 (right), 2 (down) or 3 (left)")
    #expect(tupelo_games_step(&memory.games, nil) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_games_step(nil, [0]) == TUPELO_INVALID_ARGUMENT)
    #expect(memory.reset(seeds: [1, 2], mask: [0, 5]) == TUPELO_INVALID_ARGUMENT)
  }

  @Test func boardsThatAreNotBoardsAreNamed() {
    var (random, boards) = ([UInt64](repeating: 0, count: 4), [UInt64](repeating: 0, count: 4))
    var legal = [UInt8](repeating: 0, count: 8)
    #expect(tupelo_legal(2, 2, 2, [0x11, 0x100], nil, &legal) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "boards[1] is not a board: it has tiles outside of 2x2")
    #expect(tupelo_legal(4, 4, 1, [0xe], [1], &legal) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_legal(4, 4, 1, [0xf], [3], &legal) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_legal(4, 4, 1, [0xf], [2], &legal) == TUPELO_OK)
    #expect(tupelo_legal(4, 4, -1, nil, nil, nil) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_legal(4, 4, 0, nil, nil, nil) == TUPELO_OK)
    #expect(tupelo_spawn(4, 4, 2, 1, [0], nil, &random, &boards) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_spawn(4, 4, 0.1, 1, [0], nil, &random, &boards) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "random is not a random stream: its four words are zero")
  }
}
