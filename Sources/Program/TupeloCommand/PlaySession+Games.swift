internal import TupeloEngine

extension Game: SessionGame {
  static func begin(rules: Rules, seed: UInt64) -> Game { Game(rules: rules, seed: seed) }

  func record(of turns: [Turn], rules: Rules, by player: String) -> GameRecord {
    var record = GameRecord(.init(rules: rules, start: board, agent: player))
    for turn in turns { record.append(turn) }
    return record
  }
}
