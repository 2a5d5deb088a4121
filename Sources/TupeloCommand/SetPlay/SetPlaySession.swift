internal import SetEngine
internal import TupeloEngine

/// A person's game of Set with its history, for undo and redo.
struct SetPlaySession {
  private(set) var game: SetGame
  private let rules: SetRules
  private let seed: UInt64
  private let start: [Card]
  private var turns: [SetGame.Turn] = []
  /// The games before each turn, for undo.
  private var past: [SetGame] = []
  /// The undone turns and the games after them, the most recently undone last.
  private var undone: [(turn: SetGame.Turn, after: SetGame)] = []
  private var undos = 0
  /// The games before this one, which undo comes back to.
  private var earlier: [SetPlaySession] = []
  /// Where the record of this game has been saved.
  var recordPath: String?

  init(rules: SetRules, seed: UInt64) {
    (self.rules, self.seed) = (rules, seed)
    var random = RandomStream(seed: seed)
    game = SetGame(rules: rules, using: &random)
    start = game.table
  }

  /// The record of the present game. Undone turns are noted beside the player's name.
  var record: SetRecord {
    let agent = undos == 0 ? "person" : "person, \(undos) undone"
    var record = SetRecord(.init(rules: rules, start: start, agent: agent))
    for turn in turns { record.append(turn) }
    return record
  }

  /// Takes a Set; false when the cards are not on the table.
  mutating func take(_ trio: Trio) -> Bool { play { $0.take(trio) } }

  /// Deals three more cards; false when there is a Set on the table, or no card in the deck.
  mutating func dealMore() -> Bool { play { $0.dealMore() } }

  private mutating func play(_ body: (inout SetGame) -> SetGame.Turn?) -> Bool {
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

  /// Plays the last undone turn again, with the same cards; false when there is none.
  mutating func redo() -> Bool {
    guard let (turn, after) = undone.popLast() else { return false }
    past.append(game)
    turns.append(turn)
    game = after
    return true
  }

  var turnCount: Int { turns.count }

  /// Whether a turn has been played.
  var hasTurns: Bool { !turns.isEmpty }

  mutating func restart() {
    var next = SetPlaySession(rules: rules, seed: seed &+ 1)
    next.earlier = earlier + [self]
    self = next
  }
}
