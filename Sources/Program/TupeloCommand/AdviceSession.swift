internal import TupeloEngine

/// A game that is played elsewhere, as far as the user has reported it. It is independent of terminals and of the
/// adviser.
struct AdviceSession {
  struct Position: Equatable {
    var board: Board
    /// The number of tiles to report before the next move: one after a move, the start tiles on an empty board.
    var missing: Int
    /// The move after which a tile is missing.
    var move: Move?
    /// The score in score points, and below it the moves, since the board was set.
    var score = 0
    var moves = 0
    /// The index of the game in `games`.
    var game = 0
  }

  /// A game, from a new board or from one that was set, as its record tells it.
  private struct Played {
    var start: Board
    var steps: [GameRecord.Step] = []
    var recordPath: String?
  }

  let rules: Rules
  private(set) var position: Position
  private var past: [Position] = []
  private var games: [Played]
  private let isRecorded: Bool
  private let table: MoveTable

  /// - Parameters:
  ///   - board: the present board; `nil` for a new game
  ///   - isRecorded: whether lines that a record cannot tell are refused
  init(rules: Rules, board: Board?, isRecorded: Bool = false) {
    self.rules = rules
    self.isRecorded = isRecorded
    table = MoveTable(rules.shape)
    position = Self.start(board ?? .empty, rules)
    games = [Played(start: position.board)]
  }

  /// The record of the present game; `nil` when it has no move.
  var record: GameRecord? {
    let game = games[position.game]
    guard !game.steps.isEmpty else { return nil }
    return GameRecord(.init(rules: rules, start: game.start, agent: "person"), steps: game.steps)
  }

  /// The path at which the record of the present game has been saved.
  var recordPath: String? {
    get { games[position.game].recordPath }
    set { games[position.game].recordPath = newValue }
  }

  private static func start(_ board: Board, _ rules: Rules) -> Position {
    Position(board: board, missing: board == .empty ? rules.startTiles : 0)
  }

  /// The result of a move before its tile appears; `nil` for an illegal move.
  func afterstate(of move: Move) -> MoveOutcome? {
    position.missing == 0 ? table.afterstate(of: move, on: position.board) : nil
  }

  /// Applies a line completely or not at all.
  ///
  /// - Parameters:
  ///   - move: the played move. `nil` means the best move, when a tile is named; while tiles are missing it means no
  ///     move
  ///   - best: the best move on the board; `nil` when none is legal
  mutating func happen(move: Move?, tiles: [AdviceRequest.NewTile], best: Move?) throws(AdviceError) {
    var next = position
    if next.missing == 0 {
      guard let played = move ?? best else { throw .gameIsOver }
      guard let outcome = afterstate(of: played) else { throw best == nil ? .gameIsOver : .illegal(played) }
      next = Position(
        board: Board(bits: outcome.afterstate.bits, overflow: outcome.afterstate.overflow), missing: 1, move: played,
        score: next.score + outcome.reward, moves: next.moves + 1, game: next.game)
    } else if move != nil {
      throw .tilesMissing(next.missing, after: next.move)
    }
    var steps: [GameRecord.Step] = []
    for tile in tiles {
      guard next.missing > 0 else { throw .tooManyTiles }
      guard !isRecorded || tile.exponent <= 2 else { throw .notRecorded(tile: 1 << tile.exponent) }
      guard next.board.exponent(at: tile.cell) == 0 else {
        throw .taken(cell: tile.cell, tile: next.board.tile(at: tile.cell), after: next.move)
      }
      next.board = next.board.replacing(cell: tile.cell, with: tile.exponent)
      next.missing -= 1
      if let played = next.move, isRecorded {
        steps.append(.init(move: played, cell: tile.cell, exponent: tile.exponent))
      }
    }
    if next.missing == 0 { next.move = nil }
    go(to: next)
    games[next.game].steps += steps
    // A new game starts with all its first tiles.
    if next.moves == 0 { games[next.game].start = next.board }
  }

  mutating func set(_ text: String) throws(AdviceError) {
    let board: Board
    do {
      board = try Board(text: text, shape: rules.shape)
    } catch {
      throw .badBoard(error)
    }
    begin(board)
  }

  mutating func restart() { begin(.empty) }

  private mutating func begin(_ board: Board) {
    var next = Self.start(board, rules)
    next.game = games.count
    games.append(Played(start: board))
    go(to: next)
  }

  /// Undoes the last line.
  mutating func undo() throws(AdviceError) {
    guard let last = past.popLast() else { throw .nothingToUndo }
    position = last
    games.removeSubrange((last.game + 1)...)
    let steps = last.moves - (last.move == nil ? 0 : 1)
    let game = games[last.game]
    games[last.game].steps.removeLast(max(game.steps.count - steps, 0))
  }

  private mutating func go(to next: Position) {
    past.append(position)
    position = next
  }
}
