public import TupeloEngine

/// What an agent thinks of all four moves.
///
/// Of a search with tile-downgrading, rewards and values are those of the lowered board.
public struct MoveAnalysis: Hashable, Sendable {
  public struct Candidate: Hashable, Sendable {
    public let move: Move
    /// Score points gained by the move itself.
    public let reward: Int
    /// Reward plus the expected score to come, in score points.
    public let value: Double
    /// `value` minus the best candidate's: 0 for the best, else negative.
    public let difference: Double
  }

  /// The legal moves by their numbers.
  public let candidates: [Candidate]
  /// Plies searched; 1 is greedy. Of a search that deepens, the deepest depth it completed. 0 for an agent that does
  /// not search.
  public let plies: Int
  /// Afterstates valued, in depths that were not completed too.
  public let nodes: Int

  /// The best move, the first of equals; `nil` when none is legal.
  public var best: Candidate? { candidates.first { $0.difference == 0 } }

  init(moves: [(move: Move, reward: Int, value: Double)], plies: Int, nodes: Int) {
    let best = moves.map(\.value).max() ?? 0
    candidates = moves.map {
      Candidate(move: $0.move, reward: $0.reward, value: $0.value, difference: $0.value - best)
    }
    self.plies = plies
    self.nodes = nodes
  }

  /// From reward plus value by move number.
  init(of successors: Successors, sums: SIMD4<Float>, plies: Int, nodes: Int) {
    let moves = successors.legal.moves.map { ($0, successors.reward(of: $0), Double(sums[$0.rawValue])) }
    self.init(moves: moves, plies: plies, nodes: nodes)
  }

  public subscript(move: Move) -> Candidate? {
    candidates.first { $0.move == move }
  }
}
