internal import TupeloNetwork

/// A key that was removed.
struct RetiredKey: Sendable {
  let path: String
  /// Why the key is refused if it is set.
  let reason: ConfigurationError.Reason

  /// The key with a path.
  static func named(_ path: String) -> RetiredKey? { table.first { $0.path == path } }

  /// The key with an environment variable.
  static func named(variable: String) -> RetiredKey? {
    table.first { ConfigurationKey.variable(of: $0.path) == variable }
  }

  /// Whether a value of such a key had no effect: 0, or an empty list. Files and checkpoints may still have it, because
  /// runs wrote every key with its value.
  static func isIdle(_ value: ConfigurationValue) -> Bool {
    switch value {
    case .text(let text): Double(text) == 0
    case .list(let items): items.isEmpty
    case .null, .mapping: false
    }
  }

  // The last four are older names of the keys of whole states.
  private static let table =
    keys(["averaging.pull"], .retired)
    + keys(["learner.prune_every_games"], .replaced(by: "learner.zeros to stay"))
    + keys(["learner.visit_bonus", "learner.visit_restarts"], .ended(.countedExploration))
    + keys(
      [
        "states.bits", "states.after_games", "states.optimism", "states.trial_visits", "network.state_bits",
        "learner.states_after_games", "learner.states_optimism", "learner.states_trial_visits",
      ], .ended(.wholeStates))

  private static func keys(_ paths: [String], _ reason: ConfigurationError.Reason) -> [RetiredKey] {
    paths.map { RetiredKey(path: $0, reason: reason) }
  }
}
