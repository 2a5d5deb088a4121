internal import TupeloEngine

/// Picks moves by reward plus value (1-ply), for a few interleaved boards.
///
/// The class is not generic, so its fields have fixed offsets. It is an object, so copies of an agent share `values`
/// and the record of its places. It allocates memory itself, because checks for exclusive access to an object's
/// variables take 8% of the time of play.
///
/// Soundness of the unsafe memory: it holds `boards` elements, initialized at first, and `next` is below that. It is
/// private to this object and freed with it. Not Sendable: each thread has its own.
@safe
final class GreedyChoice {
  private struct Expected {
    var board: Board
    var successors: Successors
  }

  /// The number of boards that it remembers.
  let boards: Int
  private let table: MoveTable
  private let values: any MoveValues
  private let expected: UnsafeMutablePointer<Expected>
  /// The place of the next board.
  private let next: UnsafeMutablePointer<Int>

  init(by values: any MoveValues, rules: Rules) {
    boards = values.boards
    precondition(boards >= 1, "an evaluator keeps at least one board")
    table = MoveTable(rules.shape)
    self.values = values
    unsafe expected = .allocate(capacity: boards)
    // No move is legal on the empty board, so it can stand for a board that was never expected.
    let nothing = Expected(board: .empty, successors: table.successors(of: .empty))
    unsafe expected.initialize(repeating: nothing, count: boards)
    unsafe next = .allocate(capacity: 1)
    unsafe next.initialize(to: 0)
  }

  deinit {
    unsafe expected.deallocate()
    unsafe next.deallocate()
  }

  func expect(_ board: Board) {
    prepare(board)
  }

  /// The move with the largest sum; if several are equal, the first of them; `nil` when no move is legal.
  func move(on board: Board) -> Move? {
    let place = place(of: board) ?? prepare(board)
    let successors = unsafe expected[place].successors
    guard !successors.legal.isEmpty else { return nil }
    return successors.legal.best(by: SIMD4<Float>(successors.rewards) + values.values(of: successors, place: place))
  }

  private func place(of board: Board) -> Int? {
    for place in 0..<boards where unsafe expected[place].board == board { return place }
    return nil
  }

  @discardableResult
  private func prepare(_ board: Board) -> Int {
    let place = unsafe next.pointee
    let successors = table.successors(of: board)
    values.prepare(successors, place: place)
    unsafe expected[place] = Expected(board: board, successors: successors)
    unsafe next.pointee = place + 1 == boards ? 0 : place + 1
    return place
  }
}
