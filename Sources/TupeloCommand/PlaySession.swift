internal import TupeloEngine

/// A person's game with its history, for undo and redo.
struct PlaySession {
  private(set) var game: Game
  private let rules: Rules
  private let seed: UInt64
  private let start: Board
  private var turns: [Game.Turn] = []
  /// The games before each turn, for undo.
  private var past: [Game] = []
  /// The undone turns and the games after them, the most recently undone last.
  private var undone: [(turn: Game.Turn, after: Game)] = []
  private var undos = 0

  init(rules: Rules, seed: UInt64) {
    self.rules = rules
    self.seed = seed
    game = Game(rules: rules, seed: seed)
    start = game.board
  }

  /// The record of the present game. Undone moves are noted beside the player's name, as the web page does.
  var record: GameRecord {
    let agent = undos == 0 ? "person" : "person, \(undos) undone"
    var record = GameRecord(.init(rules: rules, start: start, agent: agent))
    for turn in turns { record.append(turn) }
    return record
  }

  /// Plays a move; false when it is illegal.
  mutating func play(_ move: Move) -> Bool {
    let before = game
    guard let turn = game.play(move) else { return false }
    past.append(before)
    turns.append(turn)
    undone = []
    return true
  }

  /// Undoes the last move; false when there is none.
  mutating func undo() -> Bool {
    guard let before = past.popLast(), let turn = turns.popLast() else { return false }
    undone.append((turn, game))
    game = before
    undos += 1
    return true
  }

  /// Plays the last undone move again, with the same tile; false when there is none.
  mutating func redo() -> Bool {
    guard let (turn, after) = undone.popLast() else { return false }
    past.append(game)
    turns.append(turn)
    game = after
    return true
  }

  mutating func restart() {
    self = PlaySession(rules: rules, seed: seed &+ 1)
  }
}
