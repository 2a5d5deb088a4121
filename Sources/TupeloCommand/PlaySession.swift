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
  /// The games before this one, which undo comes back to.
  private var earlier: [PlaySession] = []
  /// Where the record of this game has been saved.
  var recordPath: String?

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

  /// False before the first move of the first game.
  mutating func undo() -> Bool {
    if turns.isEmpty, let last = earlier.popLast() {
      let rest = earlier
      self = last
      earlier = rest
      return true
    }
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

  /// Whether a move has been made.
  var hasMoves: Bool { !turns.isEmpty }

  mutating func restart() {
    var next = PlaySession(rules: rules, seed: seed &+ 1)
    next.earlier = earlier + [self]
    self = next
  }
}
