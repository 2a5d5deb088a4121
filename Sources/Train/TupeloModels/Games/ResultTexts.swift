/// The texts and rates of a game's results in reports.
public struct ResultTexts: Sendable {
  /// Digits after the point of a mean score in reports.
  public var digits: Int
  /// The key of the outcomes' rates in JSON.
  public var ratesKey: String
  /// The label of a rate, by the outcome's number: `reached 2048`, `9 cards left`.
  public var label: @Sendable (Int) -> String
  /// The rate that a comparison of players shows.
  public var milestone: OutcomeRange
  /// The key of this rate in JSON.
  public var milestoneKey: String
  /// The rates that a training run records, each as the metric `rollout/rate_<name>`.
  public var recorded: [OutcomeRange]
  /// The meaning of a recorded rate, and its course in a healthy run, for the table of metrics.
  public var metric: @Sendable (OutcomeRange) -> (meaning: String, healthy: String)

  public init(
    digits: Int = 0, ratesKey: String = "outcome_rates",
    label: @escaping @Sendable (Int) -> String = { "outcome \($0)" },
    milestone: OutcomeRange = OutcomeRange("outcome 0", value: 0, 0...0), milestoneKey: String = "outcome_0",
    recorded: [OutcomeRange] = [],
    metric: @escaping @Sendable (OutcomeRange) -> (meaning: String, healthy: String) = {
      ("share of training games since the last record with the outcome \($0.name)", "moves with the average score")
    }
  ) {
    self.digits = digits
    self.ratesKey = ratesKey
    self.label = label
    self.milestone = milestone
    self.milestoneKey = milestoneKey
    self.recorded = recorded
    self.metric = metric
  }
}

/// A range of outcomes whose games are counted together. See `GameResult.outcome`.
public struct OutcomeRange: Hashable, Sendable {
  /// The name in lines of progress.
  public let name: String
  /// The number of the range in reports, such as a tile.
  public let value: Int
  public let outcomes: ClosedRange<Int>

  public init(_ name: String, value: Int, _ outcomes: ClosedRange<Int>) {
    (self.name, self.value, self.outcomes) = (name, value, outcomes)
  }
}

/// The texts of a game in model cards.
public struct CardTexts: Sendable {
  /// The tag of models on Hugging Face, and the name of the data set for their results.
  public var tag: String
  /// The tags of a model's kind.
  public var kindTags: [String]
  /// The first sentence of a card.
  public var introduction: String
  /// The meaning of the columns in the table of evaluations.
  public var legend: String
  /// Digits after the point of a mean score as a plain number.
  public var digits: Int
  /// The smallest outcome that has a column.
  public var leastOutcome: Int
  /// The head of an outcome's column.
  public var title: @Sendable (Int) -> String

  public init(
    tag: String, kindTags: [String] = ["temporal-difference-learning"], introduction: String, legend: String,
    digits: Int = 1, leastOutcome: Int = .min, title: @escaping @Sendable (Int) -> String = { "\($0)" }
  ) {
    self.tag = tag
    self.kindTags = kindTags
    self.introduction = introduction
    self.legend = legend
    self.digits = digits
    self.leastOutcome = leastOutcome
    self.title = title
  }
}
