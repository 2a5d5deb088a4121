public import TupeloEngine

/// The exact values, in score points, of all positions that games under some rules can reach.
///
/// Positions count up to symmetry. They are the boards with the player to move that any sequence of moves and tiles
/// leads to, with the start boards and the final boards. A lookup is a binary search in one layer. Any number of
/// threads may look up values at once.
public final class ExactSolution: Sendable {
  public let rules: Rules
  /// The number of boards, up to symmetry.
  public let positionCount: Int
  let code: StateCode
  /// The boards by half the sum of their tiles.
  let layers: [SolvedLayer]
  private let moves: MoveTable
  private let chance: ChanceModel

  init(rules: Rules, layers: [SolvedLayer]) {
    self.rules = rules
    self.layers = layers
    code = StateCode(rules.shape)
    moves = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    positionCount = layers.reduce(0) { $0 + $1.codes.count }
  }

  /// The expected score of a whole game under score-maximising play, in score points.
  public var startValue: Double { value(ofStart: rules) }

  /// The expected score if all start tiles are 2, in score points; `nil` if a 2 never appears.
  public var startValueFromTwos: Double? {
    rules.fourProbability < 1 ? value(ofStart: rules.startingFromTwos) : nil
  }

  private func value(ofStart rules: Rules) -> Double {
    StartDistribution(rules, upToSymmetry: code).boards.reduce(0) {
      $0 + $1.probability * (value(of: Board(bits: code.position(of: $1.code))) ?? .nan)
    }
  }

  /// The expected score still to come on a board before its move, in score points; `nil` for a board that no game
  /// reaches.
  public func value(of board: Board) -> Double? {
    guard code.covers(board) else { return nil }
    let layer = board.tileSum / 2
    guard layers.indices.contains(layer) else { return nil }
    return layers[layer].value(of: code.canonicalCode(of: board.bits))
  }

  /// The expected value of the board after an afterstate's chance outcome, in score points; `nil` for an unreachable
  /// afterstate.
  public func expectation(of afterstate: Afterstate) -> Double? {
    guard code.covers(afterstate) else { return nil }
    var sum: Double?
    for outcome in chance.outcomes(of: afterstate) {
      guard let value = value(of: afterstate.board(after: outcome)) else { return nil }
      sum = (sum ?? 0) + outcome.probability * value
    }
    return sum
  }

  /// A legal move and its value.
  public struct MoveValue: Hashable, Sendable {
    public let move: Move
    /// Score points gained by the move itself.
    public let reward: Int
    /// Reward plus the expected score to come under score-maximising play, in score points.
    public let value: Double
  }

  /// The values of a board's legal moves, ordered by move number; empty when the game is over. `nil` for a board that
  /// no game reaches.
  public func analyze(_ board: Board) -> [MoveValue]? {
    guard value(of: board) != nil else { return nil }
    let successors = moves.successors(of: board)
    return successors.legal.moves.map { move in
      let reward = successors.reward(of: move)
      let expected = expectation(of: successors.afterstate(of: move)) ?? .nan
      return MoveValue(move: move, reward: reward, value: Double(reward) + expected)
    }
  }

  /// The best move under score-maximising play; if several are equal, the first of them; `nil` if no move is legal or
  /// no game reaches the board.
  public func move(on board: Board) -> Move? {
    var best: MoveValue?
    for candidate in analyze(board) ?? [] where candidate.value > best?.value ?? -1 { best = candidate }
    return best?.move
  }
}

/// An evaluator with exact instead of learned values. 1-ply search with it plays optimally, except for moves whose
/// values agree to the 24 bits of a float.
extension ExactSolution: Evaluator {
  /// The expected score after an afterstate; NaN for an afterstate that no game reaches.
  public func value(of afterstate: Afterstate) -> Float {
    Float(expectation(of: afterstate) ?? .nan)
  }
}

/// The boards of one layer, sorted, and their values.
struct SolvedLayer: Sendable {
  let codes: [UInt32]
  let values: [Double]

  /// The value of a code; `nil` when the layer does not have it.
  func value(of wanted: UInt32) -> Double? {
    var (low, high) = (0, codes.count)
    while low < high {
      let middle = low + (high - low) / 2
      if codes[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < codes.count && codes[low] == wanted ? values[low] : nil
  }
}

extension Rules {
  /// Rules with the same start, except that all tiles are 2.
  var startingFromTwos: Rules {
    do {
      return try Rules(shape: shape, fourProbability: 0, startTiles: startTiles)
    } catch {
      preconditionFailure("rules with other odds: \(error)")
    }
  }
}
