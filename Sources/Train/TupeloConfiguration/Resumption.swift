internal import TupeloBase
internal import TupeloLearning

extension RunConfiguration {
  /// A run that is resumed: its configuration before, and the number of games that have been played.
  public struct Past: Hashable, Sendable {
    public var configuration: RunConfiguration
    public var games: Int

    public init(_ configuration: RunConfiguration, games: Int) {
      (self.configuration, self.games) = (configuration, games)
    }
  }

  /// Keys that no longer have an effect in a resumed run, because the games that they affect have been played. They are
  /// not errors, because a script may give all its settings again.
  func spent(after past: Past) -> [ConfigurationError.Problem] {
    let (before, games) = (past.configuration, past.games)
    // If the old number of games has not been played yet, a change has an effect.
    func isOver(_ count: (RunConfiguration) -> Int) -> Bool { count(before) <= games && count(self) <= games }
    var found: [ConfigurationError.Problem] = []
    func add(_ key: ConfigurationKey, if isSpent: Bool = true, _ why: @autoclosure () -> String) {
      found.add(key, if: isSpent, "has no effect any more after \(CountText.text(games, "game")): \(why())")
    }
    if let change = schedule.changes.last(where: { $0.games <= games }) {
      let since = change.games == 0 ? "the start" : CountText.text(change.games, "game")
      add(.alpha, "learner.alpha_schedule says \(change.alpha) since \(since): change learner.alpha_schedule")
    }
    add(.warmUpGames, if: isOver(\.schedule.warmUpGames), "the warm-up is over")
    add(.warmUpAlpha, if: schedule.warmUpGames <= games, "the warm-up is over")
    let isScheduleOver =
      isOver { $0.schedule.changes.last?.games ?? 0 } && schedule.changes != before.schedule.changes
      && phase(after: games).alpha == before.phase(after: games).alpha
    add(.alphaSchedule, if: isScheduleOver, "its last change is in force already")
    add(.initialValue, "the weights have learned since: start a new run")
    add(
      .afterGames, if: isOver(\.stages.afterGames) && fillsStages == before.fillsStages,
      "the later stages have weights of their own already")
    add(.soloGames, if: isOver(\.training.soloGames), "they have been played")
    return found
  }
}
