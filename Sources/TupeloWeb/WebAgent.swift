public import TupeloEngine
public import TupeloSearch

/// A player that the server offers: a name, and how it thinks about a board. Any number of threads may ask it at once,
/// so it makes an agent per question.
public struct WebAgent: Sendable {
  /// What it thinks of a board.
  public struct Thought: Sendable {
    /// What it plays; `nil` when no move is legal.
    public let move: Move?
    /// What it thinks of all moves; `nil` for an agent that has no values.
    public let analysis: MoveAnalysis?

    public init(move: Move?, analysis: MoveAnalysis?) {
      self.move = move
      self.analysis = analysis
    }
  }

  /// A word for addresses, such as `network`.
  public let name: String
  /// A few words for people, such as `4x6 network`.
  public let title: String
  /// The most plies it may be asked for; 0 when it does not search.
  public let maximumPlies: Int
  /// False when it only says moves.
  public let valuesMoves: Bool
  /// True when it plays by a trained network.
  public let usesModel: Bool
  /// True when every thought takes long, such as whole games played to the end.
  let isSlow: Bool
  let think: @Sendable (Board, Rules, Int) -> Thought

  /// - Parameters:
  ///   - think: given a board, its rules and the plies to search (1 to `maximumPlies`, or 1 when that is 0)
  public init(
    name: String, title: String, maximumPlies: Int, valuesMoves: Bool = false, usesModel: Bool = false,
    isSlow: Bool = false, think: @Sendable @escaping (Board, Rules, Int) -> Thought
  ) {
    self.name = name
    self.title = title
    self.maximumPlies = maximumPlies
    self.valuesMoves = valuesMoves
    self.usesModel = usesModel
    self.isSlow = isSlow
    self.think = think
  }
}
