public import TupeloEngine

/// Holds any agent, for code that chooses the player at run time. It costs one indirect call per move.
///
/// Exactly one of the two stored agents is set. `move` changes it in place, because an agent that is taken out and put
/// back would be copied to new memory at each move. `analyze` copies it.
public struct AnyAgent: InterleavingAgent {
  private var single: (any Agent)?
  private var interleaving: (any InterleavingAgent)?

  public init(_ agent: some Agent) {
    interleaving = agent as? any InterleavingAgent
    single = interleaving == nil ? agent : nil
  }

  /// The agent inside, if it suits interleaved games. A loop over many moves calls it without the indirection.
  package var wrappedInterleavingAgent: (any InterleavingAgent)? { interleaving }

  /// The 1-ply agent of an evaluator. It interleaves games if the evaluator supports that.
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

  public mutating func stop(on cancellation: SearchCancellation) {
    interleaving?.stop(on: cancellation)
    single?.stop(on: cancellation)
  }

  public mutating func move(on board: Board) -> Move? {
    interleaving != nil ? interleaving?.move(on: board) : single?.move(on: board)
  }

  public var gamesAtOnce: Int { interleaving?.gamesAtOnce ?? 1 }

  public mutating func expect(_ board: Board) { interleaving?.expect(board) }

  /// The values of all moves; `nil` for an agent that does not value moves, such as `RandomAgent`.
  public mutating func analyze(_ board: Board) -> MoveAnalysis? {
    if let interleaving {
      // Moves of this agent depend only on the board, so an analysis does not change its state.
      guard var analyzing = interleaving as? any AnalyzingAgent else { return nil }
      return analyzing.analyze(board)
    }
    guard var analyzing = single as? any AnalyzingAgent else { return nil }
    defer { single = analyzing }
    return analyzing.analyze(board)
  }
}
