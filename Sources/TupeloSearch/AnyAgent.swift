public import TupeloEngine

/// Any agent, for code that decides at run time who plays. Costs one indirect call per move; the search inside knows
/// its evaluator.
///
/// One of the two agents is there. Both are changed in place: taken out and put back, an agent would be copied to new
/// memory at each move.
public struct AnyAgent: InterleavingAgent {
  private var single: (any Agent)?
  private var interleaving: (any InterleavingAgent)?

  public init(_ agent: some Agent) {
    interleaving = agent as? any InterleavingAgent
    single = interleaving == nil ? agent : nil
  }

  /// The agent inside, where it had better play games in turn: a loop over many moves asks it without the detour.
  package var wrappedInterleavingAgent: (any InterleavingAgent)? { interleaving }

  /// The 1-ply player by an evaluator, told of boards ahead if the evaluator likes that.
  public static func greedy(_ evaluator: some Evaluator, rules: Rules = .standard) -> AnyAgent {
    func interleaving<E: InterleavingEvaluator>(_ evaluator: E) -> AnyAgent {
      AnyAgent(Greedy(evaluator, rules: rules))
    }
    guard let evaluator = evaluator as? any InterleavingEvaluator else {
      return AnyAgent(Expectimax(evaluator, plies: 1, rules: rules))
    }
    return interleaving(evaluator)
  }

  public mutating func beginGame(seed: UInt64, number: UInt64) {
    interleaving?.beginGame(seed: seed, number: number)
    single?.beginGame(seed: seed, number: number)
  }

  public mutating func move(on board: Board) -> Move? {
    interleaving != nil ? interleaving?.move(on: board) : single?.move(on: board)
  }

  public var gamesAtOnce: Int { interleaving?.gamesAtOnce ?? 1 }

  public mutating func expect(_ board: Board) { interleaving?.expect(board) }

  /// The values of all moves; `nil` for an agent that has none, such as the random one.
  public mutating func analyze(_ board: Board) -> MoveAnalysis? {
    if let interleaving {
      // Its moves depend on the board alone, so it has nothing to remember of an analysis.
      guard var analyzing = interleaving as? any AnalyzingAgent else { return nil }
      return analyzing.analyze(board)
    }
    guard var analyzing = single as? any AnalyzingAgent else { return nil }
    defer { single = analyzing }
    return analyzing.analyze(board)
  }
}
