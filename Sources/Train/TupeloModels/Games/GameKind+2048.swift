internal import TupeloEngine

extension GameKind {
  public static let twentyFortyEight = GameKind(
    name: "2048", title: "2048", rules: Rules.self, tables: TupleKind(),
    results: ResultTexts(
      ratesKey: "reach_rates", label: { "reached \($0)" }, milestone: reached(11), milestoneKey: "reached_2048",
      recorded: (11...15).map(reached),
      metric: { rate in
        (
          "share of training games since the last record that reached \(rate.name)",
          rate == reached(11)
            ? "an S from 0 to nearly 1" : "an S that starts when \(rate.value / 2) has become common"
        )
      }),
    card: CardTexts(
      tag: "2048", kindTags: ["n-tuple-network", "temporal-difference-learning"],
      introduction: "An n-tuple network that plays 2048, trained by temporal differences in self-play.",
      legend: "Average score in points with its 95% interval, and the share of games that reached each tile.",
      leastOutcome: 2048))

  /// Games that reached a tile, by its exponent.
  package static func reached(_ exponent: Int) -> OutcomeRange {
    OutcomeRange("\(1 << exponent)", value: 1 << exponent, exponent...Int.max)
  }
}
