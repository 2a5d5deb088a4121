public import SetEngine

/// A player of Set that a server or a page offers. Any number of threads may ask it at once, so it makes an agent per
/// question.
public struct SetWebAgent: Sendable {
  /// The answer to a question about a position.
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

  /// What an agent looks at to compare choices: the key of that number in the answers about a position.
  public enum Criterion: String, Sendable {
    /// The Sets that it expects to take.
    case value
    /// How many other Sets stay on the table.
    case tableSets
    /// How many Sets there are among all cards not yet taken.
    case setsLeft
    case none
  }

  /// The name in addresses, such as `search`.
  public let name: String
  /// The name for people, such as `Card counting`.
  public let title: String
  /// What the agent goes by. With few cards left, agents of any criterion but `none` may value choices exactly.
  public let criterion: Criterion
  /// Whether it plays by a trained network.
  public let usesModel: Bool
  /// Whether a question takes more than a few milliseconds.
  package let isSlow: Bool
  package let think: @Sendable (SetPosition) -> Thought

  /// - Parameters:
  ///   - name: the name in addresses, such as `search`
  ///   - title: the name for people, such as `Card counting`
  ///   - criterion: what the agent goes by
  ///   - usesModel: whether the agent plays by a trained network
  ///   - isSlow: whether a question takes more than a few milliseconds, as with rollouts
  ///   - think: answers a question about a position of a game by the standard rules
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
