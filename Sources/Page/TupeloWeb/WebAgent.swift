public import TupeloEngine
public import TupeloSearch

/// A player that the server offers. Any number of threads may use it at once, so it makes an agent per request.
public struct WebAgent: Sendable {
  /// The answer to a request about a board.
  public struct Thought: Sendable {
    /// The move that the agent plays; `nil` when none is legal.
    public let move: Move?
    /// The values of all moves; `nil` for an agent without values.
    public let analysis: MoveAnalysis?

    public init(move: Move?, analysis: MoveAnalysis?) {
      self.move = move
      self.analysis = analysis
    }
  }

  /// The name in addresses, such as `network`.
  public let name: String
  /// The name for people, such as `4x6 network`.
  public let title: String
  /// The largest number of plies in a request; 0 for an agent that does not search.
  public let maximumPlies: Int
  /// Whether it values moves; false if it only picks one.
  public let valuesMoves: Bool
  /// Whether it plays by a trained network.
  public let usesModel: Bool
  /// Whether every request takes long, as with whole rollout games.
  let isSlow: Bool
  /// The largest number of rollouts in a request; 0 for an agent without rollouts.
  public let maximumRollouts: Int
  /// The longest time in a request, in milliseconds; 0 for an agent that takes no time.
  public let maximumMilliseconds: Int
  /// The evaluators that a request can choose from; empty when there is no choice.
  public internal(set) var evaluators: [EvaluatorName] = []
  var think: @Sendable (Board, Rules, Settings) throws -> Thought

  /// - Parameters:
  ///   - name: the name in addresses, such as `network`
  ///   - title: the name for people, such as `4x6 network`
  ///   - maximumPlies: the largest number of plies in a request; 0 for an agent that does not search
  ///   - valuesMoves: whether the agent values moves; false if it only picks one
  ///   - usesModel: whether the agent plays by a trained network
  ///   - isSlow: whether every request takes long, as with whole rollout games
  ///   - maximumRollouts: the largest number of rollouts in a request; 0 for an agent without rollouts
  ///   - maximumMilliseconds: the longest time in a request; 0 for an agent that takes no time
  ///   - think: answers a request about a board, with its rules and its settings: plies from 1 to `maximumPlies` (1
  ///     when that is 0), and no rollouts or time that the agent does not take
  public init(
    name: String, title: String, maximumPlies: Int, valuesMoves: Bool = false, usesModel: Bool = false,
    isSlow: Bool = false, maximumRollouts: Int = 0, maximumMilliseconds: Int = 0,
    think: @Sendable @escaping (Board, Rules, Settings) throws -> Thought
  ) {
    self.name = name
    self.title = title
    self.maximumPlies = maximumPlies
    self.valuesMoves = valuesMoves
    self.usesModel = usesModel
    self.isSlow = isSlow
    self.maximumRollouts = maximumRollouts
    self.maximumMilliseconds = maximumMilliseconds
    self.think = think
  }
}
