internal import TupeloEngine
internal import TupeloLearning
public import TupeloNetwork

extension RunConfiguration {
  /// Games that each thread plays in turn.
  public var gamesAtOnce: Int { training.gamesAtOnce ?? suitableGamesAtOnce }

  /// What suits network and learner.
  var suitableGamesAtOnce: Int {
    Training.suitableGamesAtOnce(for: network, asksForSums: stepSize.isCoherent && returns.steps != nil)
  }
}

extension RunConfiguration.Training {
  /// As many as train a network fastest: two where its tables are much larger than the caches and the first-level cache
  /// has room for what two games ask for, else one.
  ///
  /// Two trained 4x6 (32 features) 8 to 28% faster than one, 2x4+2x6 (32) by 7%. Temporal coherence after every move,
  /// which asks for sums as well, was 3 to 17% slower with more features. By TD(0) two trained 5x6 (40 features) 7 and
  /// 11% faster (two runs), 8x6 (64) by 8 to 18%; from finished games, with lambda 0.5 and temporal coherence, 5x6 by
  /// 21 and 23%, 8x6 by 15 and 17%, with a constant step size 8x6 by 9 and 10% (`tupelo train --set network.layout=8x6
  /// --set learner.lambda=0.5 --set learner.steps=episode --set training.games_at_once=2`, and 1). Small tables (4x5,
  /// 17x4) gain nothing. On a board of six cells, where two games meet the same states, they learned worse.
  ///
  /// - Parameter asksForSums: whether every move asks for the sums of temporal coherence.
  public static func suitableGamesAtOnce(for network: NetworkSpecification, asksForSums: Bool) -> Int {
    network.shape == .standard && network.featureCount <= (asksForSums ? 32 : 64) && network.stageWeightCount >= 1 << 24
      ? 2 : 1
  }
}
