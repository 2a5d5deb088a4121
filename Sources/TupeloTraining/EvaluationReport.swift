public import TupeloEngine

/// The results of an evaluation. Scores are in score points.
public struct EvaluationReport: Hashable, Sendable {
  public let games: Int
  public let seed: UInt64
  public let scoreMean: Double
  /// Half the width of the 95% confidence interval of the mean, by Student's t; infinite for a single game.
  public let scoreMargin: Double
  public let scoreMax: Int
  public let scoreMedian: Int
  public let movesMean: Double
  /// The share of games whose largest tile is at least a tile: for 256, 512, ..., 65536 on 4x4, and for the largest
  /// tiles that a smaller board can make.
  public let reachRates: [ReachRate]
  public let seconds: Double
  public let movesPerSecond: Double
  /// The numbers of the best, worst and median game.
  public let records: EvaluationRecords
  /// The distribution of scores.
  public let scores: Histogram

  public struct ReachRate: Hashable, Sendable {
    public let tile: Int
    /// The share of games, in 0...1.
    public let rate: Double
  }

  /// Summarizes the results of games; `nil` without results.
  ///
  /// - Parameters:
  ///   - results: the results of game 0, 1, 2, ...
  ///   - rules: the rules of the games
  ///   - seed: the seed of the games
  ///   - seconds: the time that the games took
  public init?(results: [GameResult], rules: Rules = .standard, seed: UInt64, seconds: Double) {
    guard let records = EvaluationRecords(results: results) else { return nil }
    self.records = records
    let count = Double(results.count)
    var histogram = Histogram()
    for result in results { histogram.add(Double(result.score)) }
    self.scores = histogram
    let scores = results.map(\.score).sorted()
    guard let estimate = MeanEstimate(of: scores.map { Double($0) }) else { return nil }
    let moves = results.reduce(0) { $0 + $1.moves }
    games = results.count
    self.seed = seed
    scoreMean = estimate.mean
    scoreMargin = estimate.margin
    scoreMax = scores[scores.count - 1]
    scoreMedian = scores[scores.count / 2]
    movesMean = Double(moves) / count
    reachRates = rules.reportedExponents.map { exponent in
      ReachRate(tile: 1 << exponent, rate: Double(results.count { $0.largestExponent >= exponent }) / count)
    }
    self.seconds = seconds
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }

  /// The share of games that reached `tile`, in 0...1; 0 for a tile that is not counted.
  public func rate(of tile: Int) -> Double {
    reachRates.first { $0.tile == tile }?.rate ?? 0
  }
}

/// The subject of an evaluation, so that its numbers can be distinguished from others and reproduced.
public struct EvaluationSubject: Hashable, Sendable {
  /// The agent, such as `expectimax(plies: 2)`.
  public let agent: String
  public let rules: Rules
  /// The fingerprint of the network's structure, if the agent uses a model.
  public let fingerprint: String?
  /// The identity of the model; see `TrainedModel.identity`.
  public let model: String?
  /// The SHA-256 of the model file.
  public let checksum: String?

  public init(agent: String, rules: Rules, fingerprint: String?, model: String?, checksum: String?) {
    self.agent = agent
    self.rules = rules
    self.model = model
    self.fingerprint = fingerprint
    self.checksum = checksum
  }
}
