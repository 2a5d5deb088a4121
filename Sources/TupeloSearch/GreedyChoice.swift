internal import TupeloEngine

/// Moves by reward plus value alone (1-ply), on a few boards in turn.
///
/// Not generic, so that its fields have fixed places; the evaluator is called twice per move.
struct GreedyChoice {
  /// How many boards it remembers.
  let boards: Int
  private let table: MoveTable
  private let values: any MoveValues
  private var expected: [(board: Board, successors: Successors)]
  /// Where the next one goes.
  private var next = 0

  init(by evaluator: some Evaluator, rules: Rules) {
    boards = evaluator.boardsAtOnce
    table = MoveTable(rules.shape)
    values = evaluator.moveValues(boards: boards)
    // Nothing moves on the empty board, so it is as good as any that was not expected.
    expected = Array(repeating: (.empty, table.successors(of: .empty)), count: boards)
  }

  mutating func expect(_ board: Board) {
    let successors = table.successors(of: board)
    values.prepare(successors, place: next)
    expected[next] = (board, successors)
    next = next + 1 == boards ? 0 : next + 1
  }

  /// The move with the largest sum, the first of equals; `nil` when none is legal.
  mutating func move(on board: Board) -> Move? {
    let place = place(of: board)
    let successors = expected[place].successors
    guard !successors.legal.isEmpty else { return nil }
    let values = values.values(of: successors, place: place)
    var best = (move: successors.legal.mask.trailingZeroBitCount, sum: -Float.infinity)
    for move in 0..<4 {
      let sum = Float(successors.rewards[move]) + values[move]
      let isBetter = sum > best.sum && successors.legal.mask >> UInt8(move) & 1 == 1
      best = isBetter ? (move, sum) : best
    }
    return Move(rawValue: best.move)
  }

  private mutating func place(of board: Board) -> Int {
    for place in 0..<boards where expected[place].board == board { return place }
    let place = next
    expect(board)
    return place
  }
}
