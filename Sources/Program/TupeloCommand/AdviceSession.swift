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
  }

  let rules: Rules
  private(set) var position: Position
  private var past: [Position] = []
  private let table: MoveTable

  /// - Parameter board: the present board; `nil` for a new game
  init(rules: Rules, board: Board?) {
    self.rules = rules
    table = MoveTable(rules.shape)
    position = Self.start(board ?? .empty, rules)
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
        score: next.score + outcome.reward, moves: next.moves + 1)
    } else if move != nil {
      throw .tilesMissing(next.missing, after: next.move)
    }
    for tile in tiles {
      guard next.missing > 0 else { throw .tooManyTiles }
      guard next.board.exponent(at: tile.cell) == 0 else {
        throw .taken(cell: tile.cell, tile: next.board.tile(at: tile.cell), after: next.move)
      }
      next.board = next.board.replacing(cell: tile.cell, with: tile.exponent)
      next.missing -= 1
    }
    if next.missing == 0 { next.move = nil }
    go(to: next)
  }

  mutating func set(_ text: String) throws(AdviceError) {
    let board: Board
    do {
      board = try Board(text: text, shape: rules.shape)
    } catch {
      throw .badBoard(error)
    }
    go(to: Self.start(board, rules))
  }

  mutating func restart() { go(to: Self.start(.empty, rules)) }

  /// Undoes the last line.
  mutating func undo() throws(AdviceError) {
    guard let last = past.popLast() else { throw .nothingToUndo }
    position = last
  }

  private mutating func go(to next: Position) {
    past.append(position)
    position = next
  }
}
