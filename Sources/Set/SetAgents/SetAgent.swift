public import SetEngine
internal import TupeloBase

/// A player of Set: it chooses a Set in a position. An agent may own buffers, so each thread has its own agent.
public protocol SetAgent: SendableMetatype {
  /// Prepares a game. The random numbers of an agent depend only on the game's seed and number.
  mutating func beginGame(seed: UInt64, number: UInt64)

  /// The Set that the agent takes; `nil` when the game is over.
  mutating func choice(in position: SetPosition) -> Trio?

  /// Gives the agent a condition that ends its search of a choice.
  ///
  /// Once the condition holds, `choice(in:)` returns within milliseconds, and its result has no meaning: the caller
  /// drops it. Until then the condition changes no choice. An agent that never takes longer than milliseconds can use
  /// the default implementation.
  ///
  /// - Parameter isOver: called at intervals during a search; once it is true, it must remain true
  mutating func stop(when isOver: @escaping @Sendable () -> Bool)
}

extension SetAgent {
  public mutating func beginGame(seed: UInt64, number: UInt64) {}

  public mutating func stop(when isOver: @escaping @Sendable () -> Bool) {}
}

/// An agent that can also value every choice.
public protocol AnalyzingSetAgent: SetAgent {
  /// Values every Set on the table. The best choice of the analysis is the Set that the agent would take.
  mutating func analyze(_ position: SetPosition) -> SetAnalysis
}

extension RandomStream {
  /// The random stream of an agent in a game. It differs from the stream that deals the game's cards.
  static func agentStream(seed: UInt64, number: UInt64) -> RandomStream {
    RandomStream(seed: ~seed, stream: number)
  }
}

#if !hasFeature(Embedded)
/// Holds any agent, for code that chooses the player at run time. It costs one indirect call per choice.
public struct AnySetAgent: SetAgent {
  private var agent: any SetAgent

  public init(_ agent: some SetAgent) { self.agent = agent }

  public mutating func beginGame(seed: UInt64, number: UInt64) { agent.beginGame(seed: seed, number: number) }

  public mutating func stop(when isOver: @escaping @Sendable () -> Bool) { agent.stop(when: isOver) }

  public mutating func choice(in position: SetPosition) -> Trio? { agent.choice(in: position) }

  /// The values of all choices; `nil` for an agent that does not value choices, such as `RandomSetPlayer`.
  public mutating func analyze(_ position: SetPosition) -> SetAnalysis? {
    guard var analyzing = agent as? any AnalyzingSetAgent else { return nil }
    defer { agent = analyzing }
    return analyzing.analyze(position)
  }
}
#endif
