internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
public import TupeloNetwork

extension RunConfiguration {
  /// The number of games that each thread interleaves.
  public internal(set) var gamesAtOnce: Int {
    get { training.gamesAtOnce ?? suitableGamesAtOnce }
    set { training.gamesAtOnce = newValue }
  }

  /// The number of games in a group, which one thread plays to the end because the games learn from each other's
  /// weights. A stopped run stops at a multiple of this number. For a dense network a group has several games for each
  /// place, so that few places are empty at its end.
  public var groupGames: Int { dense.isDense ? 4 * gamesAtOnce : Training.groupGames }

  /// The default number of interleaved games for the network and learner. With batches it is 1. For a dense network it
  /// is the number of states in a batch.
  var suitableGamesAtOnce: Int {
    if dense.isDense { return batch }
    guard batch == 1 else { return 1 }
    return Training.suitableGamesAtOnce(for: network, asksForSums: stepSize.isCoherent && returns.steps != nil)
  }
}

extension RunConfiguration.Training {
  /// The default number of interleaved games for a network and learner: two or one.
  ///
  /// Two games train faster if the tables are much larger than the caches and the memory of two games fits into the
  /// first-level cache. Temporal coherence after every move also needs its sums, so in this case the limit is 32
  /// features instead of 64. Small tables (4x5, 17x4) gain nothing. On boards other than 4x4 the default is one: on a
  /// board of six cells, two games visited the same states and learned worse. configs/notebooks/training.md
  /// has figures.
  ///
  /// - Parameters:
  ///   - network: the network to train.
  ///   - asksForSums: whether every move needs the sums of temporal coherence.
  public static func suitableGamesAtOnce(for network: NetworkSpecification, asksForSums: Bool) -> Int {
    network.shape == .standard
      ? suitableGamesAtOnce(
        features: network.featureCount, weights: network.stageWeightCount, asksForSums: asksForSums) : 1
  }

  /// The default number of interleaved games for tables of any game.
  ///
  /// - Parameters:
  ///   - features: the number of weights that make up a value
  ///   - weights: the number of weights in all tables
  package static func suitableGamesAtOnce(features: Int, weights: Int, asksForSums: Bool) -> Int {
    features <= (asksForSums ? 32 : 64) && weights >= 1 << 24 ? 2 : 1
  }
}
