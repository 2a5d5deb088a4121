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
      introduction: "An n-tuple network that plays 2048: a value for every afterstate, learned by temporal differences "
        + "from games against itself.",
      legend: "Scores in points, with the 95% interval of the average; then the share of games that reached a tile.",
      leastOutcome: 2048, metric: { ("reach_rate_\($0)", "share of games with a tile of \($0), \($1)") }))

  /// Games that reached a tile, by its exponent.
  package static func reached(_ exponent: Int) -> OutcomeRange {
    OutcomeRange("\(1 << exponent)", value: 1 << exponent, exponent...Int.max)
  }
}
