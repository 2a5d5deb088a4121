internal import TupeloEngine
internal import TupeloSearch

/// What `/analyze` says. A number that an agent does not have is left out.
struct AnalysisAnswer: Encodable {
  struct Candidate: Encodable {
    let move: String
    let legal: Bool
    /// Score points.
    let reward: Int?
    /// Reward plus the expected score to come, in score points.
    let value: Double?
    /// `value` minus the best one's.
    let difference: Double?
  }

  let board: String
  let agent: String
  /// Plies searched; 0 of an agent that does not search.
  let plies: Int
  /// Afterstates valued.
  let nodes: Int?
  /// What the agent plays; left out when the game is over.
  let best: String?
  let over: Bool
  /// By move number: up, right, down, left.
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

/// What `/api/review` says.
struct ReviewAnswer: Encodable {
  struct Judgement: Encodable {
    /// The letter of the best move; left out when there is none or the agent has no values.
    let best: String?
    /// What the move played is short of it, in score points, 0 or less; left out for an illegal move.
    let difference: Double?

    init(_ move: Move, _ analysis: MoveAnalysis?) {
      best = analysis?.best.map { String($0.move.letter) }
      difference = analysis?[move]?.difference
    }
  }

  let agent: String
  let plies: Int
  /// One for each position, in their order.
  let moves: [Judgement]
}

/// What `/api/replay` says.
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
