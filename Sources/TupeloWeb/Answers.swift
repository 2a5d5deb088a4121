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

/// The JSON answer of `/api/review`.
struct ReviewAnswer: Encodable {
  struct Judgement: Encodable {
    /// The letter of the best move; left out when the agent has no values.
    let best: String?
    /// The value of the played move minus that of the best one, in score points, 0 or less; left out when the agent
    /// has no values.
    let difference: Double?

    init(_ move: Move, _ analysis: MoveAnalysis?) {
      best = analysis?.best.map { String($0.move.letter) }
      difference = analysis?[move]?.difference
    }
  }

  let agent: String
  let plies: Int
  /// One judgement for each position, in their order.
  let moves: [Judgement]
}

/// The JSON answer of `/api/replay`.
struct ReplayAnswer: Encodable {
  let agent: String
  let fourProbability: Double
  let steps: Int
  let score: Int
  /// The last board.
  let board: String
  let over: Bool
  /// All boards, one more than there are steps.
  let boards: [String]
  let scores: [Int]

  init(_ record: GameRecord) throws(GameRecordError) {
    let shape = record.header.rules.shape
    guard shape == .standard else { throw .badHeader("a board of \(shape): this page shows 4x4") }
    let positions = try record.replay()
    agent = record.header.agent
    fourProbability = record.header.rules.fourProbability
    steps = record.steps.count
    boards = positions.map { $0.board.hex() }
    scores = positions.map(\.score)
    score = scores.last ?? 0
    board = boards.last ?? record.header.start.hex()
    over = positions.last?.board.isTerminal() ?? false
  }
}
