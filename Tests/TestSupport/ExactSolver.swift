public import TupeloEngine

/// The exact expected score of small boards by recursion over positions, remembered up to symmetry: the truth that learners and
/// searches are held to. Moves and chance come from `ReferenceBoard`'s rules through a table of boards, not from the engine's search.
public final class ExactSolver {
  public let rules: Rules
  private var best: [Board: Double] = [:]

  public init(rules: Rules) { self.rules = rules }

  /// The largest expected score still to come on `board`.
  public func value(of board: Board) -> Double {
    let key = board.canonical(in: rules.shape)
    if let known = best[key] { return known }
    let reference = ReferenceBoard(key, shape: rules.shape)
    var value = 0.0
    for move in Move.allCases {
      guard let next = reference.moved(move) else { continue }
      value = max(value, Double(next.reward) + expectation(after: next.board) { self.value(of: $0) })
    }
    best[key] = value
    return value
  }

  /// The expected score of score-maximising play from the standard start.
  public var startValue: Double {
    start(
      ReferenceBoard(Board.empty, shape: rules.shape), tiles: rules.startTiles, fourProbability: rules.fourProbability)
  }

  /// The same, given that all start tiles are 2.
  public var startValueFromTwos: Double {
    start(ReferenceBoard(Board.empty, shape: rules.shape), tiles: rules.startTiles, fourProbability: 0)
  }

  /// The expected score from the standard start under a policy that depends on the board alone, exactly.
  public func startValue(of policy: @escaping (Board) -> Move?) -> Double {
    var known: [Board: Double] = [:]
    func value(_ board: Board) -> Double {
      if let value = known[board] { return value }
      var value = 0.0
      if let move = policy(board), let next = ReferenceBoard(board, shape: rules.shape).moved(move) {
        value = Double(next.reward) + expectation(after: next.board, value: value(_:))
      }
      known[board] = value
      return value
    }
    func start(_ board: ReferenceBoard, tiles: Int) -> Double {
      if tiles == 0 { return value(engineBoard(board)) }
      return board.spawns(fourProbability: rules.fourProbability)
        .reduce(0) { $0 + $1.probability * start($1.board, tiles: tiles - 1) }
    }
    return start(ReferenceBoard(Board.empty, shape: rules.shape), tiles: rules.startTiles)
  }

  /// Positions remembered so far, up to symmetry.
  public var positions: Int { best.count }

  private func start(_ board: ReferenceBoard, tiles: Int, fourProbability: Double) -> Double {
    if tiles == 0 { return value(of: engineBoard(board)) }
    return board.spawns(fourProbability: fourProbability)
      .reduce(0) { $0 + $1.probability * start($1.board, tiles: tiles - 1, fourProbability: fourProbability) }
  }

  private func expectation(after board: ReferenceBoard, value: (Board) -> Double) -> Double {
    board.spawns(fourProbability: rules.fourProbability)
      .reduce(0) { $0 + $1.probability * value(engineBoard($1.board)) }
  }

  private func engineBoard(_ board: ReferenceBoard) -> Board {
    do {
      return try board.board(shape: rules.shape)
    } catch {
      preconditionFailure("a matrix of tiles is a board: \(error)")
    }
  }
}
