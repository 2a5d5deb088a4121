public import SetEngine
public import TupeloConfiguration
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

extension GameRules {
  /// The game Set with the given rules.
  public static func set(_ rules: SetRules) -> GameRules { GameRules(rules) }
}

extension SetRules: PlayedRules {
  public var game: GameKind { .set }
  public var playground: String { "\(cardCount) cards, \(tableSize) on the table" }

  public var reportFields: [String: any Sendable] { ["game": game.name, "cards": cardCount, "table": tableSize] }

  public static var keys: [RulesKey] { [featuresKey, tableKey] }

  private static let featuresKey = RulesKey(
    "features", 1...4, "Features of the cards of Set: 4 for the deck of 81 cards, 3 for 27 cards and so on.")
  private static let tableKey = RulesKey("table", 3...15, "Cards on the table of Set: 3, 6, 9, 12 or 15.")

  public func number(of key: RulesKey) -> Int { key == Self.featuresKey ? features : tableSize }

  /// - Throws: `SetRulesError`.
  public init(_ number: (RulesKey) -> Int) throws {
    try self.init(features: number(Self.featuresKey), tableSize: number(Self.tableKey))
  }

  public var shardFields: [String: Double] { ["features": Double(features), "table": Double(tableSize)] }

  /// - Throws: `SetRulesError`.
  public init?(shard field: (String) throws -> Double?) throws {
    func whole(_ key: String) throws -> Int? { try field(key).flatMap { Int(exactly: $0) } }
    guard let features = try whole("features"), let table = try whole("table") else { return nil }
    try self.init(features: features, tableSize: table)
  }

  /// Each number of cards left. All 81 cards add up to zero, so three left would be a Set.
  public var reported: [OutcomeRange] {
    [0, 6, 9, 12, 15, 18].map { OutcomeRange("\($0) left", value: $0, $0 / 3...$0 / 3) }
  }

  public var milestones: [OutcomeRange] { [GameKind.perfect] }
}

extension RunConfiguration {
  /// The rules of Set; in a configuration of another game, the standard rules.
  public var set: SetRules {
    get { gameRules.base as? SetRules ?? .standard }
    set { if game == .set { gameRules = .set(newValue) } }
  }
}
