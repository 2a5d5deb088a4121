internal import CTupeloAPI
internal import TupeloEngine

/// A batch of games whose settings and pointers were checked: a copy of the caller's struct, so that no other thread
/// can change it during the call.
///
/// Soundness of the unsafe memory: every pointer is not NULL or optional, aligned, and leads to as many values as the
/// header asks for. Indices are below `count`. The bytes in that memory are checked where they are read, because the
/// caller may write anything there, also from another thread during the call.
@safe
struct GameBatch: @unchecked Sendable {
  let count: Int
  let rules: Rules
  let table: MoveTable
  let chance: ChanceModel
  let nibbles: UInt64
  let reward: Reward
  let illegal: Illegal
  let autoreset: Autoreset
  let illegalReward: Float
  /// `Int64.max` for no limit.
  let maximumSteps: Int64
  /// `Int64.max` for no limit.
  let maximumIllegal: Int64
  let observation: Observation
  let threads: Int

  let boards: UnsafeMutablePointer<UInt64>
  let overflow: UnsafeMutablePointer<UInt32>
  let random: UnsafeMutablePointer<UInt64>
  let scores: UnsafeMutablePointer<Int64>
  let plies: UnsafeMutablePointer<Int64>
  let steps: UnsafeMutablePointer<Int64>
  let illegalStreaks: UnsafeMutablePointer<Int64>?
  let ended: UnsafeMutablePointer<UInt8>
  let results: GameResults
  let finals: FinalResults

  enum Reward: Int32 { case score, log2 }
  enum Illegal: Int32 { case ignore, terminate, raise }
  enum Autoreset: Int32 { case nextStep, sameStep, disabled }

  /// Checks the caller's struct.
  ///
  /// - Throws: `Fault` that names the field.
  init(_ pointer: UnsafePointer<tupelo_games>?) throws(Fault) {
    let games = try unsafe Memory.array(pointer, 1, "games").pointee
    try Memory.check(size: games.size, MemoryLayout<tupelo_games>.size, "games")
    count = try Memory.count(games.count, "games.count")
    let shape = try BoardShape(rows: games.rows, columns: games.columns)
    do {
      rules = try Rules(shape: shape, fourProbability: games.four_probability, startTiles: Int(games.start_tiles))
    } catch {
      throw .invalid("\(error)")
    }
    table = MoveTable(shape)
    chance = ChanceModel(rules)
    nibbles = shape.nibbles
    reward = try Self.choice(games.reward, "games.reward")
    illegal = try Self.choice(games.illegal, "games.illegal")
    autoreset = try Self.choice(games.autoreset, "games.autoreset")
    guard games.illegal_reward.isFinite, abs(games.illegal_reward) <= 1e30 else {
      throw .invalid("games.illegal_reward is \(games.illegal_reward): give a number between -1e30 and 1e30")
    }
    illegalReward = Float(games.illegal_reward)
    guard games.maximum_steps >= 0 else {
      throw .invalid("games.maximum_steps is \(games.maximum_steps): give 1 or more, or 0 for no limit")
    }
    maximumSteps = games.maximum_steps == 0 ? .max : games.maximum_steps
    guard games.maximum_illegal >= 0 else {
      throw .invalid("games.maximum_illegal is \(games.maximum_illegal): give 1 or more, or 0 for no limit")
    }
    maximumIllegal = games.maximum_illegal == 0 ? .max : games.maximum_illegal
    observation = Observation(form: try Self.choice(games.observation, "games.observation"), shape: shape)
    threads = try Memory.number(games.threads, in: 1...64, "games.threads")

    unsafe boards = try Memory.array(games.boards, count, "games.boards")
    unsafe overflow = try Memory.array(games.overflow, count, "games.overflow")
    unsafe random = try Memory.array(games.random, count, "games.random")
    unsafe scores = try Memory.array(games.scores, count, "games.scores")
    unsafe plies = try Memory.array(games.plies, count, "games.plies")
    unsafe steps = try Memory.array(games.steps, count, "games.steps")
    unsafe illegalStreaks =
      try games.maximum_illegal == 0
      ? Memory.optional(games.illegal_streaks, "games.illegal_streaks")
      : Memory.array(games.illegal_streaks, count, "games.illegal_streaks")
    unsafe ended = try Memory.array(games.ended, count, "games.ended")
    if observation.form != .none {
      _ = try unsafe Memory.array(games.observations, count, "games.observations")
    }
    results = try GameResults(games)
    finals = try FinalResults(games)
  }

  private static func choice<C: RawRepresentable & CaseIterable>(_ value: Int32, _ name: String) throws(Fault) -> C
  where C.RawValue == Int32 {
    guard let choice = C(rawValue: value) else {
      throw .invalid("\(name) is \(value): give 0 to \(C.allCases.count - 1)")
    }
    return choice
  }
}

extension GameBatch.Reward: CaseIterable {}
extension GameBatch.Illegal: CaseIterable {}
extension GameBatch.Autoreset: CaseIterable {}

/// The memory for the results of a step; `nil` for results that the caller does not want.
///
/// Soundness of the unsafe memory: see `GameBatch`.
@safe
struct GameResults: @unchecked Sendable {
  let observations: UnsafeMutablePointer<UInt8>?
  let rewards: UnsafeMutablePointer<Float>?
  let terminated: UnsafeMutablePointer<UInt8>?
  let truncated: UnsafeMutablePointer<UInt8>?
  let masks: UnsafeMutablePointer<Int8>?
  let largestTiles: UnsafeMutablePointer<Int32>?
  let afterstates: UnsafeMutablePointer<UInt64>?
  let afterstateOverflow: UnsafeMutablePointer<UInt32>?
  let afterstateExponents: UnsafeMutablePointer<UInt8>?
  let illegalActions: UnsafeMutablePointer<UInt8>?

  init(_ games: tupelo_games) throws(Fault) {
    unsafe observations = games.observations
    unsafe rewards = try Memory.optional(games.rewards, "games.rewards")
    unsafe terminated = games.terminated
    unsafe truncated = games.truncated
    unsafe masks = games.action_masks
    unsafe largestTiles = try Memory.optional(games.largest_tiles, "games.largest_tiles")
    unsafe afterstates = try Memory.optional(games.afterstates, "games.afterstates")
    unsafe afterstateOverflow = try Memory.optional(games.afterstate_overflow, "games.afterstate_overflow")
    unsafe afterstateExponents = games.afterstate_exponents
    if unsafe games.afterstate_exponents != nil {
      _ = try unsafe Memory.array(games.afterstates, Int(games.count), "games.afterstates")
    }
    unsafe illegalActions = games.illegal_actions
  }
}

/// The memory for the ends of games that begin again in the same step; `nil` for results that the caller does not want.
///
/// Soundness of the unsafe memory: see `GameBatch`.
@safe
struct FinalResults: @unchecked Sendable {
  let observations: UnsafeMutablePointer<UInt8>?
  let boards: UnsafeMutablePointer<UInt64>?
  let overflow: UnsafeMutablePointer<UInt32>?
  let scores: UnsafeMutablePointer<Int64>?
  let plies: UnsafeMutablePointer<Int64>?
  let largestTiles: UnsafeMutablePointer<Int32>?
  let masks: UnsafeMutablePointer<Int8>?

  init(_ games: tupelo_games) throws(Fault) {
    unsafe observations = games.final_observations
    unsafe boards = try Memory.optional(games.final_boards, "games.final_boards")
    unsafe overflow = try Memory.optional(games.final_overflow, "games.final_overflow")
    unsafe scores = try Memory.optional(games.final_scores, "games.final_scores")
    unsafe plies = try Memory.optional(games.final_plies, "games.final_plies")
    unsafe largestTiles = try Memory.optional(games.final_largest_tiles, "games.final_largest_tiles")
    unsafe masks = games.final_action_masks
  }
}
