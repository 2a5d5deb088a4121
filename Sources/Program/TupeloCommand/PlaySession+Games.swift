internal import SetEngine
internal import TupeloEngine

extension Game: SessionGame {
  static func begin(rules: Rules, seed: UInt64) -> Game { Game(rules: rules, seed: seed) }

  func record(of turns: [Turn], rules: Rules, by player: String) -> GameRecord {
    var record = GameRecord(.init(rules: rules, start: board, agent: player))
    for turn in turns { record.append(turn) }
    return record
  }
}

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
