internal import SetModels
internal import TupeloEngine
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

extension Entrant {
  init(_ contestant: Contestant, rules: Rules) {
    self.init(
      agent: "\(contestant.specification)", title: contestant.title, note: contestant.note, rules: .board(rules),
      model: contestant.model.map { TrainedModel($0) }
    ) { BoardPlayer(contestant.makeAgent(rules: rules), rules: rules) }
  }

  init(_ contestant: SetContestant) {
    self.init(
      agent: "\(contestant.specification)", title: contestant.title, note: contestant.note,
      rules: .set(contestant.rules), model: contestant.model.map { TrainedModel($0) }
    ) { SetPlayer(contestant.makeAgent(), rules: contestant.rules) }
  }
}
