internal import SetEngine
internal import TupeloBase

extension SetGame: SessionGame {
  static func begin(rules: SetRules, seed: UInt64) -> SetGame {
    var random = RandomStream(seed: seed)
    return SetGame(rules: rules, using: &random)
  }

  func record(of turns: [Turn], rules: SetRules, by player: String) -> SetRecord {
    var record = SetRecord(.init(rules: rules, start: table, agent: player))
    for turn in turns { record.append(turn) }
    return record
  }
}
