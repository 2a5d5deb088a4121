internal import CTupeloAPI
internal import TupeloEngine

/// The batch as the C functions in `steps.h` take it. Soundness of the unsafe memory: see `GameBatch`.
extension GameBatch {
  /// Whether the functions in C write the observations.
  var isObservedInC: Bool { observation.form == .exponents && rules.shape == .standard }

  /// The struct of the C functions. Its pointers are valid as long as the batch.
  var usualGames: step_games {
    unsafe step_games(
      rows: table.rows.words, columns: table.columns.words, cells: rules.shape.cellMask,
      four_threshold: chance.fourThreshold, maximum_steps: maximumSteps, maximum_illegal: maximumIllegal,
      illegal_reward: illegalReward, illegal_ends: illegal == .terminate ? 1 : 0,
      has_log2_rewards: reward == .log2 ? 1 : 0, boards: boards, random: random, overflow: overflow, scores: scores,
      plies: plies, steps: steps, illegal_streaks: illegalStreaks, ended: ended,
      exponents: isObservedInC ? results.observations : nil,
      afterstate_exponents: rules.shape == .standard ? results.afterstateExponents : nil, rewards: results.rewards,
      terminated: results.terminated, truncated: results.truncated, illegal: results.illegalActions,
      masks: results.masks, largest: results.largestTiles, afterstates: results.afterstates,
      afterstate_overflow: results.afterstateOverflow)
  }

  /// Writes the exponents of the afterstates of games without tiles above 32768.
  func showAfterstates(_ indices: Range<Int>) {
    guard let exponents = unsafe results.afterstateExponents, let afterstates = unsafe results.afterstates else {
      return
    }
    for index in indices {
      let afterstate = unsafe Afterstate(bits: afterstates[index] & nibbles)
      unsafe TileExponents(afterstate).write(to: exponents + index * rules.shape.cellCount, rules.shape)
    }
  }

  /// Writes the observations of games without tiles above 32768.
  func observe(_ indices: Range<Int>) {
    guard let observations = unsafe results.observations else { return }
    for index in indices {
      let board = unsafe Board(bits: boards[index] & nibbles)
      unsafe observation.write(board, to: observations + index * observation.byteCount)
    }
  }
}
