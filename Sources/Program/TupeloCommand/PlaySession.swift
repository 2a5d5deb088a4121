internal import TupeloEngine

/// The requirements of a session on the game that a person plays.
protocol SessionGame {
  associatedtype Rules
  associatedtype Turn
  associatedtype Record: SessionRecord

  static func begin(rules: Rules, seed: UInt64) -> Self

  /// The record of a game that began like this one and continued with these turns.
  func record(of turns: [Turn], rules: Rules, by player: String) -> Record
}

/// The record of a game, as text.
protocol SessionRecord {
  var text: String { get }
}

/// A person's game with its history, for undo and redo.
struct PlaySession<G: SessionGame> {
  private(set) var game: G
  private let rules: G.Rules
  private let seed: UInt64
  private let start: G
  private var turns: [G.Turn] = []
  /// The games before each turn, for undo.
  private var past: [G] = []
  /// The undone turns and the games after them, the most recently undone last.
  private var undone: [(turn: G.Turn, after: G)] = []
  private var undos = 0
  /// The games before this one, which undo comes back to.
  private var earlier: [PlaySession] = []
  /// The path at which the record of this game has been saved.
  private var recordPath: String?

  init(rules: G.Rules, seed: UInt64) {
    (self.rules, self.seed) = (rules, seed)
    game = G.begin(rules: rules, seed: seed)
    start = game
  }

  /// The record of the present game. Undone turns are noted beside the player's name, as the web page does.
  var record: G.Record {
    start.record(of: turns, rules: rules, by: undos == 0 ? "person" : "person, \(undos) undone")
  }

  /// Saves the record of a game that has turns, each game in a file of its own.
  ///
  /// - Parameter path: the path of the first game's record; `nil` saves nothing
  /// - Returns: where it is; `nil` when there is nothing to save.
  mutating func save(_ path: String?) throws -> String? {
    guard let path, turnCount > 0 else { return nil }
    let file = recordPath ?? RecordFile.freePath(path)
    try RecordFile.write(record.text, to: file)
    recordPath = file
    return file
  }

  /// Plays a turn; false when the rules do not allow it.
  ///
  /// - Parameter body: changes the game and returns what happened, or returns `nil` and changes nothing
  mutating func play(_ body: (inout G) -> G.Turn?) -> Bool {
    let before = game
    guard let turn = body(&game) else { return false }
    past.append(before)
    turns.append(turn)
    undone = []
    return true
  }

  /// False before the first turn of the first game.
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

  /// Plays the last undone turn again, with the same chance outcome; false when there is none.
  mutating func redo() -> Bool {
    guard let (turn, after) = undone.popLast() else { return false }
    past.append(game)
    turns.append(turn)
    game = after
    return true
  }

  var turnCount: Int { turns.count }

  mutating func restart() {
    var next = PlaySession(rules: rules, seed: seed &+ 1)
    next.earlier = earlier + [self]
    self = next
  }
}

extension GameRecord: SessionRecord {}

extension Game: SessionGame {
  static func begin(rules: Rules, seed: UInt64) -> Game { Game(rules: rules, seed: seed) }

  func record(of turns: [Turn], rules: Rules, by player: String) -> GameRecord {
    var record = GameRecord(.init(rules: rules, start: board, agent: player))
    for turn in turns { record.append(turn) }
    return record
  }
}
