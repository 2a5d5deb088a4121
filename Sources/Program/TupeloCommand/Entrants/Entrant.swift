internal import TupeloTraining

/// Someone who enters an evaluation, of any game.
struct Entrant: Sendable {
  /// The agent's specification.
  let agent: String
  /// Who plays by what.
  let title: String
  /// What plays where none was named; `nil` where it is clear.
  let note: String?
  let rules: GameRules
  let model: TrainedModel?
  /// Makes a player; each thread has its own.
  let makePlayer: @Sendable () -> any GamePlayer
}
