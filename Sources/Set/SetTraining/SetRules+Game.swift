public import SetEngine
public import TupeloModels

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
