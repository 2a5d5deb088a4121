internal import TupeloTraining

/// Someone who enters an evaluation, of any game.
struct Entrant: Sendable {
  /// The agent's specification.
  let agent: String
  /// The title of the player and its model.
  let title: String
  /// A note about the player that is used because none was named; `nil` when one was named.
  let note: String?
  let rules: GameRules
  let model: TrainedModel?
  /// Makes a player; each thread has its own.
  let makePlayer: @Sendable () -> any GamePlayer
}
