internal import Foundation
public import TupeloEngine
public import TupeloLearning
public import TupeloNetwork
internal import TupeloTables

/// Everything that decides how a training run goes: what `tupelo train` is told and what a checkpoint remembers.
///
/// A value of this type is complete: every setting that a file left out has its default. What each key takes, and what
/// it means, is declared once, in `ConfigurationKey.table`.
public struct RunConfiguration: Hashable, Sendable {
  /// Names the run folder: letters, digits and `. _ + -`.
  public var name: String
  /// Decides every random number of training. One thread and one seed give the same weights bit for bit.
  public var seed: UInt64
  public var rules: Rules
  public var network: NetworkSpecification
  public var stepSize: StepSize
  /// How far the target of a state looks ahead.
  public var returns: LambdaReturn
  public var schedule = StepSizeSchedule()
  /// The chance that a training move is any legal one, in 0...1.
  public var exploration = 0.0
  public var visits = VisitExploration()
  public var states = States()
  /// What every state is worth before training, in score points: 0, or more to make a fresh network explore.
  public var initialValue: Float
  /// A model whose tables a fresh run starts from, where it has the same patterns; `nil` for none.
  public var initialModel: String?
  public var stages = Stages()
  public var start = EpisodeStart.fresh
  /// States that are learned from at once; 1 for learning after every move. See `BatchUpdate`.
  public var batch: Int = 1
  public var decay = Decay()
  public var averaging: Averaging
  public var training: Training
  public var evaluation: Evaluation
  public var output: Output

  public init(
    name: String = "run", seed: UInt64 = 1, rules: Rules = .standard,
    network: NetworkSpecification = Self.standardNetwork,
    stepSize: StepSize = .temporalCoherence(), returns: LambdaReturn = .oneStep, initialValue: Float = 0,
    averaging: Averaging = Averaging(), training: Training = Training(), evaluation: Evaluation = Evaluation(),
    output: Output = Output()
  ) {
    self.name = name
    self.seed = seed
    self.rules = rules
    self.network = network
    self.stepSize = stepSize
    self.returns = returns
    self.initialValue = initialValue
    self.averaging = averaging
    self.training = training
    self.evaluation = evaluation
    self.output = output
  }
}

extension RunConfiguration {
  /// The name of the layout that a configuration without a network has.
  static let standardLayout = "4x6"

  /// The layout 4x6: four 6-tuples, shared over the symmetries of the board.
  public static let standardNetwork: NetworkSpecification = {
    do {
      guard let layout = NamedLayout.named(standardLayout) else { preconditionFailure("no layout \(standardLayout)") }
      return try layout.specification()
    } catch {
      preconditionFailure("the layout \(standardLayout) is no network: \(error)")
    }
  }()

  /// How far a weight moves for an error; see `StepSizeRule`.
  public enum StepSize: Hashable, Sendable {
    /// The same for all weights: alpha divided by the number of weights behind a value.
    case constant(alpha: Float = 0.1)
    /// Per weight, scaled by how much its errors agree.
    case temporalCoherence(alpha: Float = 1)

    /// Above 0, at most 1.
    public var alpha: Float {
      switch self {
      case .constant(let alpha), .temporalCoherence(let alpha): alpha
      }
    }

    /// Whether each weight has sums of its own.
    var isCoherent: Bool { if case .temporalCoherence = self { true } else { false } }
  }

  /// Whether weights that a later stage has never looked at play as those of the stage before.
  var fillsStages: Bool { network.stages.count > 1 && (stages.promotion == .weight || stages.afterGames > 0) }

  /// What the stages of a network with several owe to each other.
  public struct Stages: Hashable, Sendable {
    public enum Promotion: String, CaseIterable, Sendable {
      /// A weight of a later stage begins as that of the stage before.
      case weight
      /// Every stage learns from nothing.
      case none
    }

    public var promotion = Promotion.weight
    /// Games that are played and learned in stage 0 alone, after which each later stage starts as a copy of it.
    public var afterGames = 0
    /// Stages whose weights stay as they are.
    public var frozen: [Int] = []

    public init() {}
  }

  /// Weights for whole states of small boards, on top of the patterns; see `StateNetwork`.
  public struct States: Hashable, Sendable {
    /// Room for 2^bits states; 0 for no such weights. In `StateSpecification.bitsRange` otherwise.
    public var bits = 0
    /// Games in which the patterns learn; from then on they stay as they are, and the states learn.
    public var afterGames = 0
    /// What the value of a state that has learned nothing yet is multiplied by while training: above 1, it looks better
    /// than it is.
    public var optimism: Float = 1
    /// Visits of the move most visited, where moves to states that have learned nothing are tried once, whatever they
    /// look like; 0 for nowhere.
    public var trialVisits = 0

    public init() {}
  }

  /// How weights fade that games do not confirm.
  public struct Decay: Hashable, Sendable {
    /// What each weight loses at a time, in 0...0.5; 0 for no decay.
    public var share: Float = 0
    /// Games between two times.
    public var everyGames: Int = 1000

    public init() {}
  }

  /// Which average of the weights plays; see `WeightAverage`.
  public struct Averaging: Hashable, Sendable {
    /// Games between two merges; 0 for no averaging.
    public var everyGames: Int = 1000
    public var window = AveragingWindow.part(percent: 15)

    public init() {}

    static let none: Averaging = {
      var averaging = Averaging()
      averaging.everyGames = 0
      return averaging
    }()
  }

  /// How long to train, and with what.
  public struct Training: Hashable, Sendable {
    /// Games in all: a resumed run counts those of its past.
    public var games: Int = 100_000
    public var threads: Int = 1
    /// Games that each thread plays in turn, a move of each; 1 for one game after the other.
    ///
    /// With more than one, what one thread learns is still the same from run to run, and from a run that stops after a
    /// multiple of `groupGames` games and goes on. `nil` for what suits network and learner; see
    /// `RunConfiguration.gamesAtOnce`.
    public var gamesAtOnce: Int?
    /// One thread plays games in turn in groups, up to each multiple of so many games: a run that stops finishes the
    /// group.
    public static let groupGames = 20
    /// Games that one thread plays alone, before the others join in on a network that no longer is empty.
    public var soloGames: Int = 1000
    /// Games per progress line when the output is no terminal.
    public var reportGames: Int = 1000

    public init() {}
  }

  /// The games played with the finished network, without learning.
  public struct Evaluation: Hashable, Sendable {
    /// 0 for none after training.
    public var games: Int = 1000
    /// Games of training between two evaluations beside it; 0 for one at the end only.
    public var everyGames: Int = 0
    /// Games of each of those evaluations.
    public var interimGames: Int = 200
    /// Another than the training seed's default, so that no game of the training is played again.
    public var seed: UInt64 = 1_000_003
    /// 1 is greedy on reward plus value; each further ply adds one chance layer and one max layer.
    public var plies: Int = 1
    /// Does not change the result.
    public var threads: Int = min(ProcessInfo.processInfo.activeProcessorCount, 1024)

    public init() {}
  }

  /// Where the run leaves what it makes.
  public struct Output: Hashable, Sendable {
    /// The run folder; `nil` for `runs/<name>__<seed>__<date-time>`.
    public var directory: String?
    /// Games between checkpoints; 0 for no such rule.
    public var checkpointGames: Int = 0
    /// Minutes between checkpoints; 0 for no such rule. There always is one at the end.
    public var checkpointMinutes: Int = 10
    /// How many checkpoints stay.
    public var keep: Int = 1

    public init() {}
  }
}

extension RunConfiguration.StepSize {
  /// The rules by the names that `learner.step_size` takes.
  enum Rule: CaseIterable {
    case temporalCoherence
    case constant

    var name: String {
      switch self {
      case .temporalCoherence: "temporal-coherence"
      case .constant: "constant"
      }
    }
  }

  var rule: Rule {
    switch self {
    case .constant: .constant
    case .temporalCoherence: .temporalCoherence
    }
  }

  /// - Parameter alpha: `nil` for the rule's default.
  init(_ rule: Rule, alpha: Float?) {
    switch rule {
    case .constant: self = alpha.map { .constant(alpha: $0) } ?? .constant()
    case .temporalCoherence: self = alpha.map { .temporalCoherence(alpha: $0) } ?? .temporalCoherence()
    }
  }
}

extension RunConfiguration.StepSize: CustomStringConvertible {
  public var description: String { "\(rule.name), alpha \(alpha)" }
}
