public import TupeloEngine

/// Boards of games, by kind, from which a probe plays on.
public struct ProbeBoards: Hashable, Sendable {
  /// How the boards were made.
  public struct Header: Hashable, Sendable {
    public let rules: Rules
    /// The exponent of the largest tile of all boards.
    public let largest: Int
    /// The agent that played the games, such as `expectimax(plies: 2)`.
    public let agent: String
    /// The identity of the model that the agent used; see `TrainedModel.identity`.
    public let model: String?
    /// The seed of the games.
    public let seed: UInt64

    public init(rules: Rules, largest: Int, agent: String, model: String?, seed: UInt64) {
      self.rules = rules
      self.largest = largest
      self.agent = agent
      self.model = model
      self.seed = seed
    }
  }

  /// A board, and the number of its game.
  public struct Entry: Hashable, Sendable {
    public let board: Board
    public let game: Int
  }

  public let header: Header
  /// The boards of each group, in the order of `ProbeGroup.all`.
  public internal(set) var entries: [[Entry]]

  public var groups: [ProbeGroup] { ProbeGroup.all(largest: header.largest) }

  init(_ header: Header) {
    self.header = header
    entries = ProbeGroup.all(largest: header.largest).map { _ in [] }
  }
}
