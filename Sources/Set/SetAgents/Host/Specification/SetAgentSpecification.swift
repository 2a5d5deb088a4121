/// An agent of Set as text, for the command line and game records.
///
/// `SetAgentSpecification(text:)` reads what `description` writes:
///
///     random
///     random(exact: never)
///     counting
///     greedy(evaluator: heuristic)
///     rollouts(count: 20, policy: counting)
///     search(milliseconds: 50)
public struct SetAgentSpecification: Hashable, Sendable {
  public var player: Player
  /// From when on the agent plays exactly.
  public var exact: ExactPlay
  /// The evaluator of the player. Only some players use one.
  public var evaluator: EvaluatorChoice

  /// How choices are made.
  public enum Player: Hashable, Sendable {
    case random
    /// The Set that leaves the largest number of other Sets on the table.
    case mostLeft
    /// The Set that leaves the largest number of Sets among all cards not yet taken.
    case counting
    case greedy
    /// The Set with the best mean, from equally many rollouts for each choice.
    case rollouts(Limits, policy: RolloutPlayer.Policy)
    /// Rollouts by the greedy policy, with the evaluator's values as a prior, for the promising choices only.
    case search(Limits, SearchSettings)
  }

  /// The limits of one choice: at least one of them.
  public struct Limits: Hashable, Sendable {
    /// Rollouts for each choice, 1...1,000,000.
    public var count: Int?
    public var milliseconds: Int?

    public init(count: Int? = nil, milliseconds: Int? = nil) {
      self.count = count
      self.milliseconds = milliseconds
    }
  }

  public struct SearchSettings: Hashable, Sendable {
    /// The number of choices after which a rollout ends with the evaluator's value; `nil` for rollouts to the end.
    public var depth: Int?
    /// The weight of the evaluator's value, as a number of rollouts; `nil` for `RolloutSettings.standardPrior`.
    public var prior: Int?

    public init(depth: Int? = nil, prior: Int? = nil) {
      self.depth = depth
      self.prior = prior
    }
  }

  public enum EvaluatorChoice: String, CaseIterable, Hashable, Sendable {
    /// The model if there is one, otherwise the hand-written heuristic. This choice is not written in the text.
    case automatic
    case model
    case heuristic
  }

  /// From when on an agent plays exactly.
  public enum ExactPlay: Hashable, Sendable {
    /// The agent plays by its own rule to the end.
    case never
    /// With at most this number of cards in the deck: 0, 3, 6 or 9.
    case from(cards: Int)

    /// Once the deck is empty.
    public static let emptyDeck = ExactPlay.from(cards: 0)
  }

  public init(_ player: Player, exact: ExactPlay = .emptyDeck, evaluator: EvaluatorChoice = .automatic) {
    self.player = player
    self.exact = exact
    self.evaluator = evaluator
  }

  /// Whether the player uses an evaluator.
  public var usesEvaluator: Bool {
    switch player {
    case .greedy, .search, .rollouts(_, policy: .greedy): true
    default: false
    }
  }

  /// Whether the player values every choice; false if it only picks one.
  public var valuesChoices: Bool {
    switch player {
    case .random, .mostLeft, .counting: false
    case .greedy, .rollouts, .search: true
    }
  }
}
