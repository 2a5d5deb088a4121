internal import TupeloEngine
public import TupeloNetwork

extension RunConfiguration {
  /// Games that each thread plays in turn.
  public var gamesAtOnce: Int { training.gamesAtOnce ?? Training.suitableGamesAtOnce(for: network) }
}

extension RunConfiguration.Training {
  /// As many as train a network fastest: two where its tables are much larger than the caches and a position has few features, else one.
  ///
  /// Two trained 4x6 (32 features) 8 to 28% faster than one, 2x4+2x6 (32) by 7%. 5x6 (40 features), 8x6 (64) and 17x4 (136) were 5 to 17%
  /// slower: the first-level cache holds the lines of one game's candidates only. 4x5 is small and gains nothing. On a board of six
  /// cells, where two games meet the same states, they learned worse
  /// (`tupelo train --set network.layout=5x6 --set training.games_at_once=2`, and 1).
  public static func suitableGamesAtOnce(for network: NetworkSpecification) -> Int {
    network.shape == .standard && network.featureCount <= 32 && network.stageWeightCount >= 1 << 24 ? 2 : 1
  }
}
