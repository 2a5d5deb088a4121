internal import SetEngine
internal import TupeloDense
public import TupeloModels

extension GameKind {
  /// The card game Set for one player.
  public static let set = GameKind(
    name: "set", title: "Set", phrase: "the card game Set for one player", rules: SetRules.self, tables: SetTableKind(),
    dense: DenseKind(SetFeatures.self),
    results: ResultTexts(
      digits: 3, ratesKey: "left_rates", label: { $0 == 0 ? "perfect games" : "\($0) cards left" }, milestone: perfect,
      milestoneKey: "perfect", recorded: [perfect],
      metric: { _ in
        ("share of training games of Set since the last record that left no card", "rises with the average score")
      }),
    card: CardTexts(
      tag: "set-card-game",
      introduction: "A table network that plays the card game Set. It estimates the number of Sets still to come after "
        + "each choice, learned by temporal differences in self-play.",
      legend: "Average score in Sets (at most 27) with its 95% interval, and the share of games by the number of cards "
        + "left over. A game that leaves none is perfect.",
      digits: 4, title: { $0 == 0 ? "perfect" : "\($0) left" }))

  /// Games that leave no card.
  package static let perfect = OutcomeRange("perfect", value: 0, 0...0)
}
