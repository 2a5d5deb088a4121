internal import CTupeloAPI
internal import TupeloEngine

/// The memory of a batch of games, as a C program would allocate it.
final class GameMemory {
  var games = tupelo_games()
  let count: Int
  let shape: BoardShape

  init(
    _ count: Int, shape: BoardShape = .standard, autoreset: Int = TUPELO_AUTORESET_NEXT_STEP,
    observation: Int = TUPELO_OBSERVATION_EXPONENTS
  ) {
    (self.count, self.shape) = (count, shape)
    games.size = UInt64(MemoryLayout<tupelo_games>.size)
    games.count = Int64(count)
    (games.rows, games.columns) = (Int32(shape.rows), Int32(shape.columns))
    (games.four_probability, games.start_tiles, games.threads) = (0.1, 2, 1)
    (games.autoreset, games.observation) = (Int32(autoreset), Int32(observation))
    games.boards = Self.memory(count)
    games.overflow = Self.memory(count)
    games.random = Self.memory(4 * count)
    games.scores = Self.memory(count)
    games.plies = Self.memory(count)
    games.steps = Self.memory(count)
    games.illegal_streaks = Self.memory(count)
    games.ended = Self.memory(count)
    games.observations = Self.memory(count * 18 * 16)
    games.rewards = Self.memory(count)
    games.terminated = Self.memory(count)
    games.truncated = Self.memory(count)
    games.action_masks = Self.memory(4 * count)
    games.largest_tiles = Self.memory(count)
    games.afterstates = Self.memory(count)
    games.afterstate_overflow = Self.memory(count)
    games.afterstate_exponents = Self.memory(count * 16)
    games.illegal_actions = Self.memory(count)
    games.final_observations = Self.memory(count * 18 * 16)
    games.final_boards = Self.memory(count)
    games.final_overflow = Self.memory(count)
    games.final_scores = Self.memory(count)
    games.final_plies = Self.memory(count)
    games.final_largest_tiles = Self.memory(count)
    games.final_action_masks = Self.memory(4 * count)
  }

  private static func memory<T>(_ count: Int) -> UnsafeMutablePointer<T> {
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<T>.stride, alignment: MemoryLayout<T>.alignment)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 1) * MemoryLayout<T>.stride)
    return bytes.bindMemory(to: T.self, capacity: count)
  }

  deinit {
    let addresses: [UnsafeMutableRawPointer?] = [
      .init(games.boards), .init(games.overflow), .init(games.random), .init(games.scores), .init(games.plies),
      .init(games.steps), .init(games.illegal_streaks), .init(games.ended), .init(games.observations),
      .init(games.rewards),
      .init(games.terminated), .init(games.truncated), .init(games.action_masks), .init(games.largest_tiles),
      .init(games.afterstates), .init(games.afterstate_overflow), .init(games.afterstate_exponents),
      .init(games.illegal_actions),
      .init(games.final_observations), .init(games.final_boards), .init(games.final_overflow),
      .init(games.final_scores), .init(games.final_plies), .init(games.final_largest_tiles),
      .init(games.final_action_masks),
    ]
    for address in addresses { address?.deallocate() }
  }

  func reset(seeds: [UInt64]?, mask: [UInt8]? = nil) -> Int {
    switch (seeds, mask) {
    case (let seeds?, let mask?): Int(tupelo_games_reset(&games, seeds, mask))
    case (let seeds?, nil): Int(tupelo_games_reset(&games, seeds, nil))
    case (nil, let mask?): Int(tupelo_games_reset(&games, nil, mask))
    case (nil, nil): Int(tupelo_games_reset(&games, nil, nil))
    }
  }

  func step(_ actions: [Int64]) -> Int { Int(tupelo_games_step(&games, actions)) }

  func board(_ index: Int) -> Board { Board(bits: games.boards![index], overflow: games.overflow![index]) }

  func set(_ board: Board, _ index: Int) {
    games.boards![index] = board.bits
    games.overflow![index] = board.overflow
  }

  func mask(_ index: Int) -> [Int] { (0..<4).map { Int(games.action_masks![4 * index + $0]) } }

  /// The results of the last step of a game, with the observation.
  func results(_ index: Int) -> [UInt64] {
    let (games, cells) = (games, shape.cellCount)
    let flags = [games.terminated![index], games.truncated![index], games.illegal_actions![index]]
    return (0..<cells).map { UInt64(games.observations![index * cells + $0]) } + flags.map(UInt64.init)
      + mask(index).map(UInt64.init) + [
        UInt64(games.rewards![index].bitPattern), UInt64(games.largest_tiles![index]), games.afterstates![index],
        UInt64(games.afterstate_overflow![index]),
      ] + (0..<cells).map { UInt64(games.afterstate_exponents![index * cells + $0]) }
  }

  /// The state of all games, with which tests check that nothing has changed.
  var state: [UInt64] {
    var words: [UInt64] = []
    for index in 0..<count {
      words.append(games.boards![index])
      words.append(UInt64(games.overflow![index]))
      for word in 0..<4 { words.append(games.random![4 * index + word]) }
      for numbers in [games.scores!, games.plies!, games.steps!, games.illegal_streaks!] {
        words.append(UInt64(bitPattern: numbers[index]))
      }
      words.append(UInt64(games.ended![index]))
    }
    return words
  }
}

/// The text of this thread's last error.
var lastError: String { tupelo_last_error().map { String(cString: $0) } ?? "no text" }

/// Calls a function that writes a text, with a buffer that is large enough.
func text(_ call: (UnsafeMutablePointer<CChar>?, UInt64, UnsafeMutablePointer<UInt64>) -> Int32) -> String {
  var length: UInt64 = 0
  guard call(nil, 0, &length) == Int32(TUPELO_TOO_SMALL) else { return lastError }
  var buffer = [CChar](repeating: 1, count: Int(length) + 1)
  guard call(&buffer, UInt64(buffer.count), &length) == 0 else { return lastError }
  return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
