internal import PlainText
internal import TupeloLearning
internal import TupeloModels

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

extension ConfigurationDraft {
  /// Settings given at a resume that can have no effect any more: the games that they decide about have been played.
  /// They are no errors, because a script may give all its settings again.
  ///
  /// - Precondition: the draft is resolved, without problems.
  func warnings(resuming past: RunConfiguration.Past) -> [ConfigurationError.Problem] {
    spent(after: past.games, of: past.configuration).filter { isOverridden($0.path) }
      .map { problem($0.path, .contradiction(.spent(games: past.games, why: $0.why))) }
  }

  /// All keys whose value decides nothing after so many games, whoever has set them.
  private func spent(after games: Int, of before: RunConfiguration) -> [(path: String, why: String)] {
    let now = configuration
    /// Whether a number of games is over, both as it was and as it is now. A number that was not yet over ends
    /// something when it changes.
    func isOver(_ count: (RunConfiguration) -> Int) -> Bool { count(before) <= games && count(now) <= games }
    var found: [(String, String)] = [("learner.initial_value", "the weights have learned since: start a new run")]
    if let change = now.schedule.changes.last(where: { $0.games <= games }) {
      let since = change.games == 0 ? "the start" : CountText.text(change.games, "game")
      found.append(
        ("learner.alpha", "learner.alpha_schedule says \(change.alpha) since \(since): change learner.alpha_schedule"))
    }
    if isOver(\.schedule.warmUpGames) { found.append(("learner.warm_up_games", "the warm-up is over")) }
    if now.schedule.warmUpGames <= games { found.append(("learner.warm_up_alpha", "the warm-up is over")) }
    if isOver({ $0.schedule.changes.last?.games ?? 0 }), now.schedule.changes != before.schedule.changes,
      now.phase(after: games).alpha == before.phase(after: games).alpha
    {
      found.append(("learner.alpha_schedule", "its last change is in force already"))
    }
    if isOver(\.training.soloGames) { found.append(("training.solo_games", "they have been played")) }
    if isOver(\.stages.afterGames), now.fillsStages == before.fillsStages {
      found.append(("stages.after_games", "the later stages have weights of their own already"))
    }
    return found
  }
}
