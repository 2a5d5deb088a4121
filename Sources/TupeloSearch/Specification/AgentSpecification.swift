/// An agent as text: what the command line, configurations and game records call it.
///
/// `AgentSpecification(text:)` and `description` are inverse to each other:
///
///     random
///     greedy
///     expectimax(plies: 3, downgrade: 32768)
///     expectimax(milliseconds: 10)
///     minimax(plies: 2, evaluator: heuristic)
///     montecarlo(rollouts: 50, policy: greedy)
public struct AgentSpecification: Hashable, Sendable {
  public var player: Player
  /// What the player asks for values. `random` and Monte Carlo with random rollouts ask nothing.
  public var evaluator: EvaluatorChoice

  /// How moves are chosen.
  public enum Player: Hashable, Sendable {
    case random
    case greedy
    case expectimax(ExpectimaxSettings)
    /// 1...8 plies.
    case minimax(plies: Int)
    /// 1...1,000,000 rollouts for each legal move.
    case monteCarlo(rollouts: Int, policy: RolloutPolicy)
  }

  public enum RolloutPolicy: String, CaseIterable, Hashable, Sendable {
    case random
    case greedy
  }

  public enum EvaluatorChoice: String, CaseIterable, Hashable, Sendable {
    /// The model where there is one, else the hand-written heuristic. Not written.
    case automatic
    case model
    case heuristic
  }

  /// The settings of expectimax: at least one of plies, milliseconds and nodes.
  public struct ExpectimaxSettings: Hashable, Sendable {
    /// 1...8; with a time or nodes the most it goes to.
    public var plies: Int?
    /// The time for one move.
    public var milliseconds: Int?
    /// Afterstates valued for one move.
    public var nodes: Int?
    /// One ply more with at most so many empty cells.
    public var extend: Int?
    /// Boards less probable than this are valued greedily.
    public var cutoff: Double?
    /// The tile from which on boards are lowered.
    public var downgrade: Int?
    /// Memory of the transposition table in MiB; 0 for none.
    public var table: Int?
    /// Threads over the moves of the root.
    public var threads: Int?

    public init(plies: Int? = nil, milliseconds: Int? = nil, nodes: Int? = nil) {
      self.plies = plies
      self.milliseconds = milliseconds
      self.nodes = nodes
    }

    /// Whether a move takes no search.
    var isGreedy: Bool {
      plies == 1 && milliseconds == nil && nodes == nil && extend == nil && downgrade == nil && threads ?? 1 == 1
    }

    /// The settings as the search takes them.
    ///
    /// - Precondition: every setting is in its range, as after parsing.
    public var limits: SearchLimits {
      SearchLimits(
        plies: plies ?? SearchLimits.maximumPlies, extensionEmptyCells: extend,
        time: milliseconds.map { .milliseconds($0) }, nodes: nodes, minimumProbability: cutoff ?? 0)
    }
  }

  public init(_ player: Player, evaluator: EvaluatorChoice = .automatic) {
    self.player = player
    self.evaluator = evaluator
  }

  /// Expectimax to a fixed depth: what `--plies` is short for.
  public static func expectimax(plies: Int) -> AgentSpecification {
    AgentSpecification(.expectimax(ExpectimaxSettings(plies: plies)))
  }

  /// False when the player asks no evaluator.
  public var usesEvaluator: Bool {
    switch player {
    case .random, .monteCarlo(_, policy: .random): false
    default: true
    }
  }

  /// False for a player that only picks a move, without a value for each.
  public var valuesMoves: Bool { player != .random }
}
