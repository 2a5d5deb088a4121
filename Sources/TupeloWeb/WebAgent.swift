public import TupeloEngine
public import TupeloSearch

/// A player that the server offers: a name, and how it thinks about a board. Any number of threads may ask it at once, so
/// it makes an agent per question.
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
  let think: @Sendable (Board, Rules, Int) -> Thought

  /// - Parameters:
  ///   - think: given a board, its rules and the plies to search (1 to `maximumPlies`, or 1 when that is 0)
  public init(
    name: String, title: String, maximumPlies: Int, think: @Sendable @escaping (Board, Rules, Int) -> Thought
  ) {
    self.name = name
    self.title = title
    self.maximumPlies = maximumPlies
    self.think = think
  }

  /// Expectimax over an evaluator.
  ///
  /// - Parameters:
  ///   - maximumPlies: three plies take at most some tens of milliseconds, each further ply about thirty times as long
  public static func searching(
    _ evaluator: some Evaluator, name: String, title: String, maximumPlies: Int = 3
  ) -> WebAgent {
    WebAgent(name: name, title: title, maximumPlies: maximumPlies) { board, rules, plies in
      var search = Expectimax(evaluator, plies: plies, rules: rules)
      let analysis = search.analyze(board)
      return Thought(move: analysis.best?.move, analysis: analysis)
    }
  }

  /// An agent that only says moves.
  public static func playing(
    name: String, title: String, make: @Sendable @escaping (Rules) -> any Agent
  ) -> WebAgent {
    WebAgent(name: name, title: title, maximumPlies: 0) { board, rules, _ in
      var agent = make(rules)
      return Thought(move: agent.move(on: board), analysis: nil)
    }
  }

  /// Any legal move with equal chance: what there is to watch without a model.
  public static let random = WebAgent.playing(name: "random", title: "Random moves") { rules in
    RandomAgent(shape: rules.shape, seed: .random(in: 0...UInt64.max))
  }
}
