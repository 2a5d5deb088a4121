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

  /// The number of games that one thread plays without a stop, where games learn from each other's weights. A stopped
  /// run stops at a multiple of it. For a dense network, several games in each place: so few places are empty.
  public var groupGames: Int { dense.isDense ? 4 * gamesAtOnce : Training.groupGames }

  /// The default number of interleaved games for the network and learner. A batch is of one game. A dense network plays
  /// as many games in lockstep as a batch has states.
  var suitableGamesAtOnce: Int {
    if dense.isDense { return batch }
    guard batch == 1 else { return 1 }
    return Training.suitableGamesAtOnce(for: network, asksForSums: stepSize.isCoherent && returns.steps != nil)
  }
}

extension RunConfiguration.Training {
  /// The default number of interleaved games for a network and learner: two or one.
  ///
  /// Two games train faster where the tables are much larger than the caches, and the first-level cache has room for
  /// the memory that two games need. Temporal coherence after every move needs its sums as well, so there the limit is
  /// 32 features instead of 64. Small tables (4x5, 17x4) gain nothing. On boards other than 4x4 the default is one: on
  /// a board of six cells, where two games meet the same states, they learned worse. Figures: the article
  /// "Experiments with training" of `TupeloTraining`.
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
  ///   - weights: the number of weights among which they lie
  package static func suitableGamesAtOnce(features: Int, weights: Int, asksForSums: Bool) -> Int {
    features <= (asksForSums ? 32 : 64) && weights >= 1 << 24 ? 2 : 1
  }
}
