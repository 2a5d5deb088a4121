internal import TupeloLearning

extension RunConfiguration {
  /// A run that is resumed: its configuration before, and the number of games that have been played.
  public struct Past: Hashable, Sendable {
    public var configuration: RunConfiguration
    public var games: Int

    public init(_ configuration: RunConfiguration, games: Int) {
      self.configuration = configuration
      self.games = games
    }
  }
}

/// A run before and after it resumes. A setting no longer has an effect when the games that it affects have been
/// played: see `ConfigurationKey.spent`.
struct Resumption {
  let before: RunConfiguration
  let now: RunConfiguration
  /// The number of games that have been played.
  let games: Int

  /// Whether a number of games has been played, for both the old and the new value of the number. If the old number has
  /// not been played yet, a change has an effect.
  func isOver(_ count: (RunConfiguration) -> Int) -> Bool { count(before) <= games && count(now) <= games }

  /// The change of the step size that is in force.
  var changeInForce: StepSizeSchedule.Change? { now.schedule.changes.last { $0.games <= games } }

  /// Whether the schedule of the step size was changed, with no effect from here on.
  var isScheduleOver: Bool {
    isOver { $0.schedule.changes.last?.games ?? 0 } && now.schedule.changes != before.schedule.changes
      && now.phase(after: games).alpha == before.phase(after: games).alpha
  }
}
