public import TupeloEngine
public import TupeloModels

/// The results of an evaluation. Scores are in score points for 2048, in Sets for Set.
public struct EvaluationReport: Hashable, Sendable {
  public let game: GameKind
  public let games: Int
  public let seed: UInt64
  public let scoreMean: Double
  /// Half the width of the 95% confidence interval of the mean, by Student's t; infinite for a single game.
  public let scoreMargin: Double
  /// The minimum detectable difference to another evaluation with as many games and the same spread, two-sided at 95%
  /// with 80% power; infinite for a single game.
  public let smallestDifference: Double
  public let scoreMax: Int
  public let scoreMedian: Double
  public let movesMean: Double
  /// How often games had an outcome: in 2048 a tile of at least 256, 512, ..., 65536 (on smaller boards, the largest
  /// possible tiles), in Set a number of cards left.
  public let outcomes: [OutcomeRate]
  public let seconds: Double
  public let movesPerSecond: Double
  /// The numbers of the best, worst and median game.
  public let records: EvaluationRecords
  /// The distribution of scores.
  public let scores: Histogram

  /// Summarizes the results of games; `nil` without results.
  ///
  /// - Parameters:
  ///   - results: the results of game 0, 1, 2, ...
  ///   - rules: the rules of the games
  ///   - seed: the seed of the games
  ///   - seconds: the time that the games took
  public init?(
    results: [GameResult], rules: GameRules = .board(.standard), seed: UInt64, seconds: Double
  ) {
    guard let records = EvaluationRecords(results: results) else { return nil }
    self.records = records
    let count = Double(results.count)
    var histogram = Histogram()
    for result in results { histogram.add(Double(result.score)) }
    self.scores = histogram
    let scores = results.map(\.score).sorted()
    guard let estimate = MeanEstimate(of: scores.map { Double($0) }) else { return nil }
    let moves = results.reduce(0) { $0 + $1.moves }
    game = rules.game
    games = results.count
    self.seed = seed
    scoreMean = estimate.mean
    scoreMargin = estimate.margin
    smallestDifference = estimate.smallestDifference(to: estimate)
    scoreMax = scores[scores.count - 1]
    scoreMedian = Double(scores[(scores.count - 1) / 2] + scores[scores.count / 2]) / 2
    movesMean = Double(moves) / count
    outcomes = rules.rates(of: results)
    self.seconds = seconds
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }

  /// The share of games with an outcome, in 0...1: games of 2048 that reached a tile, or games of Set that left this
  /// number of cards; 0 for an outcome that is not counted.
  public func rate(of outcome: Int) -> Double {
    outcomes.first { $0.value == outcome }?.rate ?? 0
  }
}

/// The subject of an evaluation, so that its numbers can be identified and reproduced.
public struct EvaluationSubject: Hashable, Sendable {
  /// The agent, such as `expectimax(plies: 2)`.
  public let agent: String
  public let rules: GameRules
  /// The fingerprint of the network's structure, if the agent uses a model.
  public let fingerprint: String?
  /// The identity of the model; see `TrainedModel.identity`.
  public let model: String?
  /// The SHA-256 of the model file.
  public let checksum: String?

  public init(agent: String, rules: GameRules, fingerprint: String?, model: String?, checksum: String?) {
    self.agent = agent
    self.rules = rules
    self.model = model
    self.fingerprint = fingerprint
    self.checksum = checksum
  }
}
