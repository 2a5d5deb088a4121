internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloSelfPlay
internal import TupeloTables

/// A run of the page: one worker that learns 2048 by backward TD(lambda), as a run of the program with one thread does.
///
/// Equal settings give equal weights, bit for bit, in the page and in the program.
final class LearningRun<Rule: StepSizeRule> {
  let indexer: TupleIndexer
  let weights: WeightStorage<Rule.Cell>
  private let game: Game2048
  private let gamesAtOnce: Int
  private var worker: SelfPlayWorker<Game2048, BackwardLearner<Rule, TupleIndexer>>

  /// - Throws: `WeightStorageError` when the browser refuses the memory; then nothing is kept.
  init(_ settings: LearningSettings, _ rule: Rule) throws(WeightStorageError) {
    indexer = TupleIndexer(settings.network)
    weights = try WeightStorage(count: settings.network.weightCount)
    game = Game2048(.standard)
    gamesAtOnce = settings.gamesAtOnce
    let table = ValueTable(weights: weights, rule: rule, featureCount: indexer.featureCount)
    table.initialize(toValue: settings.initialValue, count: settings.network.weightCount)
    let learner = BackwardLearner(
      table.over(weights.ofRounds), encoder: indexer, returns: LambdaReturn(lambda: settings.lambda, steps: nil))
    var starts: [EpisodeStarts] = []
    for _ in 0..<settings.gamesAtOnce { starts.append(game.makeStarts()) }
    worker = SelfPlayWorker(
      game, learner: learner, explorer: Explorer(), starts: starts,
      random: RandomStream(seed: settings.seed, stream: 0))
  }

  /// Plays games and learns from them. Interleaved games are played to the end of their group.
  func learn(_ count: Int, _ totals: inout LearningTotals) {
    var left = count
    while left > 0 {
      var stretch = min(left, halvingGames - totals.games(over: halvingGames))
      if gamesAtOnce > 1 { stretch = Turns.groupGames - totals.games(over: Turns.groupGames) }
      play(stretch, &totals)
      left -= stretch
      if Rule.sumsErrors, totals.games(over: halvingGames) == 0 {
        _ = weights.exclusively { $0.halveSums(from: game.sumLimit) }
      }
    }
  }

  private func play(_ count: Int, _ totals: inout LearningTotals) {
    var claimed = 0
    weights.shared {
      worker.play { _ in
        claimed += 1
        return claimed <= count
      } report: { result in
        totals.add(result)
      }
    }
  }
}

/// The settings of a run.
struct LearningSettings {
  var network: NetworkSpecification
  var isCoherent: Bool
  var alpha: Float
  var lambda: Float
  /// The value of every state before training, in score points.
  var initialValue: Float
  var seed: UInt64
  /// The number of interleaved games.
  var gamesAtOnce: Int
}
