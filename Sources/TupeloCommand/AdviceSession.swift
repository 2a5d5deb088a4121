internal import TupeloEngine

/// A game that is played elsewhere, as far as it has been told. Knows nothing of terminals, nor of who gives the
/// advice.
struct AdviceSession {
  struct Position: Equatable {
    var board: Board
    /// Tiles to be told before the next move: one after a move, those of the start on an empty board.
    var missing: Int
    /// The move after which a tile is missing.
    var move: Move?
    /// Points and moves since the board was set.
    var score = 0
    var moves = 0
  }

  let rules: Rules
  private(set) var position: Position
  private var past: [Position] = []
  private let table: MoveTable

  /// - Parameter board: `nil` for a game that begins
  init(rules: Rules, board: Board?) {
    self.rules = rules
    table = MoveTable(rules.shape)
    position = Self.start(board ?? .empty, rules)
  }

  private static func start(_ board: Board, _ rules: Rules) -> Position {
    Position(board: board, missing: board == .empty ? rules.startTiles : 0)
  }

  /// The board after a move and before its tile; `nil` for a move that is illegal.
  func afterstate(of move: Move) -> MoveOutcome? {
    position.missing == 0 ? table.afterstate(of: move, on: position.board) : nil
  }

  /// All of a line happens, or nothing.
  ///
  /// - Parameters:
  ///   - move: what was played; `nil` for the best move, when a tile is told, or for none while tiles are missing
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

  /// Takes the last line back.
  mutating func undo() throws(AdviceError) {
    guard let last = past.popLast() else { throw .nothingToUndo }
    position = last
  }

  private mutating func go(to next: Position) {
    past.append(position)
    position = next
  }
}
