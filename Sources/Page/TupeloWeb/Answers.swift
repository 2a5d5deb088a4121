internal import TupeloEngine
internal import TupeloSearch

/// The JSON answer of `/analyze`. Numbers that an agent does not have are left out.
struct AnalysisAnswer: Encodable {
  struct Candidate: Encodable {
    let move: String
    let legal: Bool
    /// The reward, in score points.
    let reward: Int?
    /// Reward plus the expected score to come, in score points.
    let value: Double?
    /// `value` minus the value of the best move, in score points.
    let difference: Double?
  }

  let board: String
  let agent: String
  /// The plies searched; 0 for an agent that does not search.
  let plies: Int
  /// The number of afterstates valued.
  let nodes: Int?
  /// The move that the agent plays; left out when the game is over.
  let best: String?
  let over: Bool
  /// The moves by number: up, right, down, left.
  let moves: [Candidate]

  init(_ question: Question, _ thought: WebAgent.Thought) {
    board = question.board.hex()
    agent = question.agent.name
    plies = thought.analysis?.plies ?? 0
    nodes = thought.analysis?.nodes
    best = thought.move.map { "\($0)" }
    over = question.board.isTerminal()
    moves = Move.allCases.map { move in
      let outcome = question.board.afterstate(of: move)
      let candidate = thought.analysis?[move]
      return Candidate(
        move: "\(move)", legal: outcome != nil, reward: outcome?.reward, value: candidate?.value,
        difference: candidate?.difference)
    }
  }
}
