import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTraining

/// A learner, put together from the parts that a configuration names, and how much of the optimum its greedy play must
/// reach on 2x3.
struct FamilyMember: Sendable, CustomTestStringConvertible {
  let name: String
  let games: Int
  let patterns: String
  let stages: String
  /// The least share of the optimum.
  let share: Double
  /// By how much the share must be above that of the same run without the feature.
  let gain: Double?
  /// Whether the patterns can be folded.
  let folds: Bool
  private let change: @Sendable (inout RunConfiguration) throws -> Void

  init(
    _ name: String, games: Int, patterns: String = Self.parts, stages: String = "single", atLeast share: Double,
    gain: Double? = nil, folds: Bool = false,
    _ change: @escaping @Sendable (inout RunConfiguration) throws -> Void = { _ in }
  ) {
    self.name = name
    self.games = games
    self.patterns = patterns
    self.stages = stages
    self.share = share
    self.gain = gain
    self.folds = folds
    self.change = change
  }

  var testDescription: String { name }

  /// A tuple over the whole board can hold every value and does not generalise, so the learner needs a reason to
  /// explore.
  static let whole = "012345"
  /// Tuples over all cells but a corner, and over all but one in the middle: little is lost, and each weight serves
  /// several boards.
  static let parts = "01234 01235"

  private func base() throws -> RunConfiguration {
    let shape = try BoardShape(rows: 2, columns: 3)
    var configuration = RunConfiguration()
    configuration.rules = try Rules(shape: shape)
    configuration.network = try NetworkSpecification(
      patterns: patterns.split(separator: " ").map { try TuplePattern(text: $0, shape: shape) }, shape: shape,
      stages: StagePartition(text: stages))
    configuration.averaging.everyGames = 0
    return configuration
  }

  /// The network of the learner, and that of a learner of equal step size and initial value without its feature; `nil`
  /// for a learner without a feature.
  func trained() throws -> (network: NTupleNetwork, plain: NTupleNetwork?) {
    var configuration = try base()
    try change(&configuration)
    var plain = try base()
    (plain.stepSize, plain.initialValue) = (configuration.stepSize, configuration.initialValue)
    return (try network(configuration), plain == configuration ? nil : try network(plain))
  }

  private func network(_ configuration: RunConfiguration) throws -> NTupleNetwork {
    let trainer = try Trainer(configuration)
    try trainer.train(until: games, reportGames: games, shouldStop: { false }, onRound: { _ in })
    return try trainer.network()
  }
}

/// The family. The comment before each gives the results of three or four seeds, in percent of the optimum; the band
/// begins below the worst of them, and above the results without the feature where the comment gives these. A feature
/// that does not make 2x3 easier must at least change the network. To measure: `tupelo train` with the settings, and
/// `tupelo solve --board 2x3 --model RUN --json`.
extension FamilyMember {
  static let all = [
    // 93.2, 93.3, 91.4
    FamilyMember("TD(0) over the whole board", games: 50_000, patterns: whole, atLeast: 0.89) {
      $0.stepSize = .constant(alpha: 0.5)
      $0.initialValue = 1200
    },
    // 91.2, 94.3, 91.9; without optimism 54.1, 68.4, 59.5
    FamilyMember("optimistic TC over the whole board", games: 30_000, patterns: whole, atLeast: 0.88) {
      $0.initialValue = 1200
    },
    // 83.9, 74.1, 81.4; without exploration 54.1, 68.4, 59.5
    FamilyMember("exploring TC over the whole board", games: 30_000, patterns: whole, atLeast: 0.71) {
      $0.exploration = 0.1
    },
    // 78.3, 77.7, 78.3
    optimist("TD(0)", atLeast: 0.75) { $0.stepSize = .constant(alpha: 0.1) },
    // 89.2, 88.6, 89.0
    optimist("TC", atLeast: 0.86) { _ in },
    // 87.9, 86.9, 87.6, 89.0; without lambda 78.3, 77.7, 78.3, 80.5
    optimist("TD(0.8) in a window", atLeast: 0.84) {
      $0.stepSize = .constant(alpha: 0.1)
      $0.returns = LambdaReturn(lambda: 0.8, steps: 10)
    },
    // 89.6, 85.5, 88.0, 88.0; without lambda as before
    optimist("TD(0.8) backward", atLeast: 0.83) {
      $0.stepSize = .constant(alpha: 0.1)
      $0.returns = LambdaReturn(lambda: 0.8, steps: nil)
    },
    // 90.5, 90.4, 90.3, 90.2; without lambda 89.2, 88.6, 89.0, 87.5
    optimist("TC(0.5) in a window", atLeast: 0.897) { $0.returns = LambdaReturn(lambda: 0.5, steps: 4) },
    // 87.0, 89.8, 84.4; without the warm-up 44.9, 37.9, 32.0: the fall from V_init outweighs all later errors in E, so
    // that the rate stays near 1 and each value is that of the last game
    optimist("TD, then TC(0.5) backward", atLeast: 0.81) {
      $0.returns = LambdaReturn(lambda: 0.5, steps: nil)
      ($0.schedule.warmUpGames, $0.schedule.warmUpAlpha) = (5000, 0.5)
    },
    // 91.6, 92.9, 92.0, 92.7; without the warm-up 90.5, 90.4, 90.3, 90.2
    optimist("TD, then TC(0.5) in a window", atLeast: 0.91) {
      $0.returns = LambdaReturn(lambda: 0.5, steps: 4)
      ($0.schedule.warmUpGames, $0.schedule.warmUpAlpha) = (5000, 0.5)
    },
    // 83.6, 84.6, 87.3, 85.7; with one step 78.3, 77.7, 78.3, 80.5
    optimist("three-step TD", atLeast: 0.82) {
      $0.stepSize = .constant(alpha: 0.1)
      $0.returns = LambdaReturn(lambda: 1, steps: 3)
    },
    // 87.4, 84.6, 86.0; almost nothing is learned before the step size changes
    optimist("a step size that changes", atLeast: 0.82) {
      $0.stepSize = .constant(alpha: 0.001)
      $0.schedule.changes = [.init(games: 2000, alpha: 0.5)]
    },
    // 81.8, 83.5, 86.5
    optimist("restarts", atLeast: 0.79) { $0.start = .restart(moves: 10) },
    // 78.1, 78.1, 80.4
    optimist("restarts of three-step TD", atLeast: 0.75) {
      $0.stepSize = .constant(alpha: 0.1)
      $0.returns = LambdaReturn(lambda: 1, steps: 3)
      $0.start = .restart(moves: 10)
    },
    // 83.9, 85.9, 87.8
    optimist("carousel", stages: "largest=32,64", atLeast: 0.81) { $0.start = .carousel(batch: 200, pool: 1000) },
    // 84.3, 81.9, 85.3
    optimist("pool", atLeast: 0.79) { $0.start = .pool(tile: 64, share: 0.5, pool: 1000) },
    // 72.0, 54.9, 61.5; without promotion 41.0, 42.5, 41.0
    FamilyMember(
      "weight promotion", games: 2000, patterns: "0123 1245 0145", stages: "largest=16,32,64,128", atLeast: 0.5),
    // 79.8, 77.5, 83.8
    optimist("block promotion", games: 5100, stages: "largest=16,32,64", atLeast: 0.74) {
      $0.stages.promotion = .none
      $0.stages.afterGames = 5000
    },
    // 67.2, 57.8, 64.0, 58.9; without batches 12.7, 15.0, 26.4, 16.1
    optimist("batches", atLeast: 0.5) {
      $0.stepSize = .constant(alpha: 1)
      $0.batch = 16
    },
    // 88.8, 85.7, 82.6, 87.2; without an average 84.0, 81.6, 76.9, 84.0
    optimist("the average of TD(0)", atLeast: 0.8, gain: 0.02) {
      $0.stepSize = .constant(alpha: 0.8)
      $0.averaging.everyGames = 100
    },
    // 86.1, 86.8, 87.8
    optimist("TC that decays", atLeast: 0.83) {
      $0.decay.share = 0.001
      $0.decay.everyGames = 100
    },
    // 87.0, 89.2, 89.9
    optimist("redundant patterns", patterns: "\(parts) 012 134 0134", atLeast: 0.84, folds: true) { _ in },
    // 87.6, 86.4, 87.0; another score each time
    optimist("two threads", atLeast: 0.82) { $0.training.threads = 2 },
    optimist("two replicas", atLeast: 0.82) {
      $0.training.replicas = 2
      $0.training.mergeMoves = 500
    },
  ]

  /// An optimistic learner, whose V_init is above the value of any game.
  private static func optimist(
    _ name: String, games: Int = 10_000, patterns: String = parts, stages: String = "single", atLeast share: Double,
    gain: Double? = nil, folds: Bool = false, _ change: @escaping @Sendable (inout RunConfiguration) -> Void
  ) -> FamilyMember {
    FamilyMember(name, games: games, patterns: patterns, stages: stages, atLeast: share, gain: gain, folds: folds) {
      $0.initialValue = 600
      change(&$0)
    }
  }
}
