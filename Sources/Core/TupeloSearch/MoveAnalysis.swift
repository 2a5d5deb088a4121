public import TupeloEngine

/// An agent's values of all legal moves.
public struct MoveAnalysis: Hashable, Sendable {
  public struct Candidate: Hashable, Sendable {
    public let move: Move
    /// Score points gained by the move itself.
    public let reward: Int
    /// Reward plus the expected score to come, in score points.
    public let value: Double
    /// `value` minus the value of the best candidate: 0 for the best candidate, otherwise negative. A value that is not
    /// a number counts as minus infinity.
    public let difference: Double
  }

  /// The legal moves, ordered by number.
  public let candidates: [Candidate]
  /// The plies searched; 1 is greedy. For a search with a limit on time or nodes, this is the depth of the last
  /// completed step. Only likely boards were searched to this depth. It is 0 for an agent that does not search.
  public let plies: Int
  /// The number of afterstates valued, also in depths that were not completed.
  public let nodes: Int

  /// The best move; if several are equal, the first of them; `nil` when no move is legal.
  public var best: Candidate? { candidates.first { $0.difference == 0 } }

  init(moves: [(move: Move, reward: Int, value: Double)], plies: Int, nodes: Int) {
    let ranks = moves.map { $0.value > -.infinity ? $0.value : -.infinity }
    let best = ranks.max() ?? 0
    candidates = zip(moves, ranks).map { move, rank in
      // The difference of two infinities is not a number.
      let difference = rank == best ? 0 : rank - best
      return Candidate(move: move.move, reward: move.reward, value: move.value, difference: difference)
    }
    self.plies = plies
    self.nodes = nodes
  }

  /// An analysis from reward plus value by move number.
  init(of successors: Successors, sums: SIMD4<Float>, plies: Int, nodes: Int) {
    let moves = successors.legal.moves.map {
      (move: $0, reward: successors.reward(of: $0), value: Double(sums[$0.rawValue]))
    }
    self.init(moves: moves, plies: plies, nodes: nodes)
  }

  public subscript(move: Move) -> Candidate? {
    candidates.first { $0.move == move }
  }
}
