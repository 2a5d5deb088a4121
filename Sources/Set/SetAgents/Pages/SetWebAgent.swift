public import SetEngine

/// A player of Set that a server or a page offers. Any number of threads may use it at once, so it makes an agent for
/// each request.
public struct SetWebAgent: Sendable {
  /// The response to a request about a position.
  public struct Thought: Sendable {
    /// The Set that the agent takes; `nil` when the game is over.
    public let choice: Trio?
    /// The values of all choices; `nil` for an agent without values.
    public let analysis: SetAnalysis?

    public init(choice: Trio?, analysis: SetAnalysis?) {
      self.choice = choice
      self.analysis = analysis
    }
  }

  /// The number by which an agent compares choices, as its key in responses about a position.
  public enum Criterion: String, Sendable {
    /// The expected number of Sets still to come.
    case value
    /// The number of other Sets that stay on the table.
    case tableSets
    /// The number of Sets among all cards not yet taken.
    case setsLeft
    case none
  }

  /// The name in addresses, such as `search`.
  public let name: String
  /// The name for people, such as `Card counting`.
  public let title: String
  /// The agent's criterion. With few cards left, agents of any criterion but `none` may value choices exactly.
  public let criterion: Criterion
  /// Whether the agent uses a trained network.
  public let usesModel: Bool
  /// Whether a request takes more than a few milliseconds.
  package let isSlow: Bool
  package let think: @Sendable (SetPosition) -> Thought

  /// - Parameters:
  ///   - name: the name in addresses, such as `search`
  ///   - title: the name for people, such as `Card counting`
  ///   - criterion: the criterion by which the agent compares choices
  ///   - usesModel: whether the agent uses a trained network
  ///   - isSlow: whether a request takes more than a few milliseconds, as with rollouts
  ///   - think: computes the response for a position of a game with the standard rules
  public init(
    name: String, title: String, criterion: Criterion, usesModel: Bool = false, isSlow: Bool = false,
    think: @Sendable @escaping (SetPosition) -> Thought
  ) {
    self.name = name
    self.title = title
    self.criterion = criterion
    self.usesModel = usesModel
    self.isSlow = isSlow
    self.think = think
  }
}
