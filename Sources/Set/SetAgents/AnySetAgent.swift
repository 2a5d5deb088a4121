#if !hasFeature(Embedded)
public import SetEngine

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
