internal import TupeloEngine

extension NetworkSpecification {
  /// How many games a thread plays and learns from fastest in turn: two where the tables are much larger than the caches and a position has few
  /// features, else one.
  ///
  /// Two trained 4x6 (32 features) 8 to 28% faster than one, 2x4+2x6 (32) by 7%. 5x6 (40 features), 8x6 (64) and 17x4 (136) were 5 to 17%
  /// slower: the first-level cache holds the lines of one game's candidates only. 4x5 is small and gains nothing. On a board of six
  /// cells, where two games meet the same states, they learned worse.
  public var suitableGamesAtOnce: Int {
    shape == .standard && featureCount <= 32 && stageWeightCount >= 1 << 24 ? 2 : 1
  }
}
