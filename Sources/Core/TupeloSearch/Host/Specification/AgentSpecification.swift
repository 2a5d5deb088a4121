/// An agent as text, for the command line, configurations and game records.
///
/// `AgentSpecification(text:)` reads what `description` writes:
///
///     random
///     greedy
///     expectimax(plies: 3)
///     expectimax(milliseconds: 10)
///     minimax(plies: 2, evaluator: heuristic)
///     montecarlo(rollouts: 50, policy: greedy)
public struct AgentSpecification: Hashable, Sendable {
  public var player: Player
  /// The evaluator of the player. `random`, and Monte Carlo with random rollouts, do not use it.
  public var evaluator: EvaluatorChoice

  /// How moves are chosen.
  public enum Player: Hashable, Sendable {
    case random
    case greedy
    case expectimax(ExpectimaxSettings)
    /// Minimax with 1...8 plies.
    case minimax(plies: Int)
    /// Monte Carlo with 1...1,000,000 rollouts for each legal move.
    case monteCarlo(rollouts: Int, policy: RolloutPolicy)
  }

  public enum RolloutPolicy: String, CaseIterable, Hashable, Sendable {
    case random
    case greedy
  }

  public enum EvaluatorChoice: String, CaseIterable, Hashable, Sendable {
    /// The model if there is one, otherwise the hand-written heuristic. This choice is not written in the text.
    case automatic
    case model
    case heuristic
  }

  /// The settings of expectimax: at least one of plies, milliseconds and nodes.
  public struct ExpectimaxSettings: Hashable, Sendable {
    /// The depth, 1...8; with a limit on time or nodes, the largest depth.
    public var plies: Int?
    /// The time for one move.
    public var milliseconds: Int?
    /// The number of afterstates to value for one move.
    public var nodes: Int?
    /// The largest number of empty cells for one extra ply.
    public var extend: Int?
    /// The cut-off probability; boards below it are valued greedily. With a limit on time or nodes, this is
    /// the smallest cut-off.
    public var cutoff: Double?
    /// Memory of the transposition table in MiB; 0 for none.
    public var table: Int?
    /// The number of threads for the moves of the root.
    public var threads: Int?

    public init(plies: Int? = nil, milliseconds: Int? = nil, nodes: Int? = nil) {
      self.plies = plies
      self.milliseconds = milliseconds
      self.nodes = nodes
    }

    /// Whether a move needs no search.
    var isGreedy: Bool {
      let used = used
      return used.plies == 1 && used.extend == nil
    }

    /// The settings as search limits, each in its range.
    public var limits: SearchLimits {
      let used = used
      return SearchLimits(
        plies: used.plies ?? SearchLimits.maximumPlies, extensionEmptyCells: used.extend,
        time: used.milliseconds.map { .milliseconds($0) }, nodes: used.nodes, minimumProbability: used.cutoff ?? 0)
    }
  }

  public init(_ player: Player, evaluator: EvaluatorChoice = .automatic) {
    self.player = player
    self.evaluator = evaluator
  }

  /// The allowed depths of an agent, in plies.
  public static let pliesRange = 1...SearchLimits.maximumFixedPlies

  /// Expectimax to a fixed depth, the agent of the option `--plies`.
  public static func expectimax(plies: Int) -> AgentSpecification {
    AgentSpecification(.expectimax(ExpectimaxSettings(plies: plies)))
  }

  /// Whether the player uses an evaluator.
  public var usesEvaluator: Bool {
    switch player {
    case .random, .monteCarlo(_, policy: .random): false
    default: true
    }
  }

  /// Whether the player values every move; false if it only picks one.
  public var valuesMoves: Bool { player != .random }
}
