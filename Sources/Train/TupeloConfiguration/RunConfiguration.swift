internal import Foundation
internal import TupeloBase
public import TupeloEngine
public import TupeloLearning
public import TupeloModels
public import TupeloNetwork
public import TupeloSelfPlay
internal import TupeloTables

/// All settings of a training run: the input of `tupelo train`, and a part of each checkpoint.
///
/// A value of this type is complete: every setting that a file left out has its default. The meaning and the allowed
/// values of each key are declared once, in `ConfigurationKeys`.
public struct RunConfiguration: Hashable, Sendable {
  /// The run's name, used for its folder: letters, digits and `. _ + -`.
  public var name: String
  /// The seed of every random number in training. With one thread, the same seed gives the same weights bit for bit.
  public var seed: UInt64
  /// The game that is learned. When it changes, the rules become the standard rules of the new game.
  public var game: GameKind = .twentyFortyEight {
    didSet { if gameRules.game != game { gameRules = game.standardRules } }
  }
  /// The game and its rules. Rules name the game, but only `game` has the kinds of models that the program supports.
  public var gameRules: GameRules {
    didSet { if game != gameRules.game { game = gameRules.game } }
  }
  public var network: NetworkSpecification
  /// The dense network over the features of `network`, or of Set. Without hidden layers the model has no dense network.
  public var dense = DenseArchitecture()
  public var stepSize: StepSize
  /// The parts that the program defines which trains the run, and their settings.
  public var own = OwnParts()
  /// The return that states learn toward.
  public var returns: LambdaReturn
  public var schedule = StepSizeSchedule()
  /// The probability of a random legal move in training, in 0...1.
  public var exploration = 0.0
  /// The value of every state before training, in score points: 0, or more so that a new network explores.
  public var initialValue: Float
  /// A model file. A new run starts from its tables, for patterns that both have; `nil` for no such file.
  public var initialModel: String?
  public var stages = Stages()
  public var start = EpisodeStart.fresh
  /// The number of states that are learned together; 1 for learning after every move. See `BatchUpdate` and, for dense
  /// networks, `DenseLearning`.
  public var batch: Int = 1
  public var decay = Decay()
  /// The treatment of weights that are zero in the initial model.
  public var zeros = ZeroWeights.learn
  /// For dense networks: the share of the step size by which each weight shrinks at a step, at least 0.
  public var weightDecay: Float = 0
  /// For dense networks: the number of steps of an embedding row after which its step size has fallen to 71%. Later it
  /// falls as one over the root of the number of steps. 0 for a constant step size. See `Adam`.
  public var rowPatience: Float = 0
  /// For dense networks: the largest norm of a step's gradient; 0 for no limit.
  public var clip = 0.0
  public var averaging = Averaging()
  public var training = Training()
  public var evaluation = Evaluation()
  public var output = Output()

  public init(
    name: String = "run", seed: UInt64 = 1, rules: Rules = .standard,
    network: NetworkSpecification = Self.standardNetwork, stepSize: StepSize = .temporalCoherence(),
    returns: LambdaReturn = .oneStep, initialValue: Float = 0
  ) {
    (self.name, self.seed, gameRules, self.network) = (name, seed, .board(rules), network)
    (self.stepSize, self.returns, self.initialValue) = (stepSize, returns, initialValue)
  }
}

extension RunConfiguration {
  /// The rules of 2048; in a configuration of another game, the standard rules.
  public var rules: Rules {
    get { gameRules.base as? Rules ?? .standard }
    set { if game == .twentyFortyEight { gameRules = .board(newValue) } }
  }

  /// The layout's name for a configuration that sets no network.
  static let standardLayout = "4x6"

  /// The layout 4x6: four 6-tuples, shared over the symmetries of the board.
  public static let standardNetwork: NetworkSpecification = {
    do {
      guard let layout = NamedLayout.named(standardLayout) else { preconditionFailure("no layout \(standardLayout)") }
      return try layout.specification()
    } catch {
      preconditionFailure("the layout \(standardLayout) is not a network: \(error)")
    }
  }()

  /// The step-size rule with its alpha; see `StepSizeRule`.
  public struct StepSize: Sendable, CustomStringConvertible {
    /// The rules, with the names that `learner.step_size` accepts.
    public enum Rule: String, CaseIterable, Sendable {
      /// Temporal coherence: each weight's step is scaled by how much its errors agree.
      case temporalCoherence = "temporal-coherence"
      /// A constant step for all weights: alpha divided by the number of weights that make up a value.
      case constant
      /// For dense networks: each weight's step is scaled by the moments of its gradients. See `Adam`.
      case adam
    }

    public let rule: Rule
    /// The step size that somebody has chosen; `nil` for the default of the rule.
    package let chosenAlpha: Float?
    /// The step size: above 0, at most 1.
    public var alpha: Float { chosenAlpha ?? rule.usualAlpha }

    /// - Parameter alpha: the step size; `nil` for 1
    public static func temporalCoherence(alpha: Float? = nil) -> Self {
      Self(rule: .temporalCoherence, chosenAlpha: alpha)
    }
    /// - Parameter alpha: the step size; `nil` for 0.1
    public static func constant(alpha: Float? = nil) -> Self { Self(rule: .constant, chosenAlpha: alpha) }
    /// - Parameter alpha: the step size; `nil` for 0.0003
    public static func adam(alpha: Float? = nil) -> Self { Self(rule: .adam, chosenAlpha: alpha) }

    package init(rule: Rule, chosenAlpha: Float? = nil) { (self.rule, self.chosenAlpha) = (rule, chosenAlpha) }

    /// Whether the rule keeps sums for each weight.
    package var isCoherent: Bool { rule == .temporalCoherence }

    public var description: String { "\(rule.rawValue), alpha \(alpha)" }
  }

  /// The name of the step-size rule, also of a rule that another program defines.
  package var ruleName: String { own.rule ?? stepSize.rule.rawValue }

  /// Whether play replaces zero weights of a later stage with the weights of the previous stage.
  package var fillsStages: Bool { network.stages.count > 1 && (stages.promotion == .weight || stages.afterGames > 0) }

  /// The treatment of weights that are zero in the initial model.
  public enum ZeroWeights: String, CaseIterable, Sendable {
    /// They learn as all weights do.
    case learn
    /// They stay zero, so that a pruned model stays small.
    case stay
  }

  /// How the stages of a network depend on each other.
  public struct Stages: Hashable, Sendable {
    public enum Promotion: String, CaseIterable, Sendable {
      /// A zero weight of a later stage starts with the weight of the previous stage.
      case weight
      /// Every stage learns from zero.
      case none
    }

    public var promotion = Promotion.weight
    /// The number of games in stage 0 alone, after which each later stage starts as a copy of it.
    public var afterGames = 0
    /// The frozen stages, whose weights do not change.
    public var frozen: [Int] = []
  }

  /// Weight decay: all weights shrink, so weights that updates do not renew become small.
  public struct Decay: Hashable, Sendable {
    /// The share that each weight loses at a time, in 0...0.5; 0 for no decay.
    public var share: Float = 0
    /// The number of games between two decays.
    public var everyGames: Int = 1000
  }

  /// The average of the weights, which is used for play; see `WeightAverage`.
  public struct Averaging: Hashable, Sendable {
    /// The number of games between two merges; 0 for no averaging.
    public var everyGames: Int = 1000
    public var window = AveragingWindow.part(percent: 15)
  }

  /// The length of training, and its threads.
  public struct Training: Hashable, Sendable {
    /// The total number of games; a resumed run counts the games before it stopped.
    public var games: Int = 100_000
    public var threads: Int = 1
    /// The number of replicas of the weights in one process. Each replica learns separately, and they are merged at
    /// intervals; see `ReplicaGroup`.
    public var replicas: Int = 1
    /// The moves of each replica between two merges; games that have begun are finished first.
    public var mergeMoves: Int = 200_000
    /// The number of games that each thread interleaves; 1 for one game after the other. `nil` for the default of
    /// network and learner; see `RunConfiguration.gamesAtOnce`.
    ///
    /// With more than one game, runs of one thread still give equal weights. This also holds for a run that stops after
    /// a multiple of `RunConfiguration.groupGames` games and is resumed.
    public var gamesAtOnce: Int?
    /// The number of games that one thread plays alone at first, so that other threads start with a network that is not
    /// empty.
    public var soloGames: Int = 1000
    /// The number of games per progress line when the output is not a terminal.
    public var reportGames: Int = 1000
    /// The minutes of wall time after which a session saves and stops, even if games are left; 0 for no limit. The
    /// limit does not change the training of the games that are played. `TrainingRun` uses it, and `Trainer` ignores
    /// it.
    public var minutes: Double = 0
  }

  /// The evaluation games, played with the finished network and without learning.
  public struct Evaluation: Hashable, Sendable {
    /// The number of games after training; 0 for none.
    public var games: Int = 1000
    /// The number of training games between two interim evaluations; 0 for only one evaluation at the end.
    public var everyGames: Int = 0
    /// The number of games of each interim evaluation.
    public var interimGames: Int = 200
    /// The average score of an interim evaluation at which training stops, in score points; 0 for no target.
    public var target = 0.0
    /// The number of consecutive interim evaluations without a better model after which training stops; 0 for no limit.
    public var patience: Int = 0
    /// The seed. The default differs from the default seed of training, so no training game is repeated.
    public var seed: UInt64 = 1_000_003
    /// The seed of interim evaluations. They play other games than the evaluation at the end, because they choose the
    /// best model, and a choice is not measured on the games that made it.
    public var interimSeed: UInt64 { seed &+ 1_000_000_000 }
    /// The search depth: 1 is greedy on reward plus value; each further ply adds one chance layer and one max layer.
    public var plies: Int = 1
    /// The number of threads, which does not change the result.
    public var threads: Int = min(Processors.count, 1024)
  }

  /// The files that a run writes.
  public struct Output: Hashable, Sendable {
    /// The run folder; `nil` for `runs/<name>__<seed>__<date-time>`.
    public var directory: String?
    /// The number of games between checkpoints; 0 for no such rule.
    public var checkpointGames: Int = 0
    /// The minutes between checkpoints; 0 for no such rule. A run always writes a checkpoint at its end.
    public var checkpointMinutes: Int = 10
    /// The number of checkpoints that are kept.
    public var keep: Int = 1
    /// The shell command that runs after each checkpoint; `nil` for none. A checkpoint file contains it, but a run that
    /// resumes from the file does not use it: see `Checkpoint.command`.
    public var onCheckpoint: String?
  }
}

/// Two step sizes are equal if training is, also where one of them is a default.
extension RunConfiguration.StepSize: Hashable {
  public static func == (a: Self, b: Self) -> Bool { a.rule == b.rule && a.alpha == b.alpha }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rule)
    hasher.combine(alpha)
  }
}

extension RunConfiguration.StepSize.Rule {
  /// The step size if nobody chooses one.
  fileprivate var usualAlpha: Float {
    switch self {
    case .temporalCoherence: 1
    case .constant: 0.1
    case .adam: 0.0003
    }
  }
}
