/// The rules of a game, as configurations, reports and files know them. Each game has a type of its own.
public protocol PlayedRules: Hashable, Sendable {
  /// The game that they are of.
  var game: GameKind { get }
  /// What is played on, such as `boards of 4x4`.
  var playground: String { get }
  /// What JSON reports say of the rules, by key.
  var reportFields: [String: any Sendable] { get }
  /// What a shard of an evaluation says of the rules, by key. `init(shard:)` reads it. The shard has keys of its own,
  /// which no rules may use: `EvaluationShard` lists them, `game` among them.
  var shardFields: [String: Double] { get }
  /// The outcomes whose rates reports tell.
  var reported: [OutcomeRange] { get }
  /// The outcomes whose rates lines about training show.
  var milestones: [OutcomeRange] { get }

  /// The rules that a configuration has which says nothing of them.
  static var standard: Self { get }
  /// The keys of a configuration that make the rules, in the section of the game's name. A type that has some
  /// implements `number(of:)` and `init(_:)`.
  static var keys: [RulesKey] { get }

  /// The number of a key.
  func number(of key: RulesKey) -> Int
  /// The rules of the keys' numbers.
  ///
  /// - Throws: an error whose text says what is wrong with the numbers together.
  init(_ number: (RulesKey) -> Int) throws

  /// Reads what `shardFields` writes.
  ///
  /// - Parameter field: gives the number of a key; `nil` when it is not there
  /// - Returns: `nil` for the fields of another game.
  /// - Throws: an error whose text says what is wrong with the numbers.
  init?(shard field: (String) throws -> Double?) throws
}

extension PlayedRules {
  public static var keys: [RulesKey] { [] }
  public func number(of key: RulesKey) -> Int { preconditionFailure("rules without keys have no \(key.name)") }
  public init(_ number: (RulesKey) -> Int) { self = .standard }
}

/// A key of a configuration for a whole number that rules are made of.
public struct RulesKey: Hashable, Sendable {
  /// The name within the section of the game, such as `features`.
  public let name: String
  public let range: ClosedRange<Int>
  /// What the number is, in one sentence.
  public let summary: String

  public init(_ name: String, _ range: ClosedRange<Int>, _ summary: String) {
    (self.name, self.range, self.summary) = (name, range, summary)
  }
}

/// A game and its rules.
public struct GameRules: Sendable {
  /// The rules, in the game's own type.
  public let base: any PlayedRules

  public init(_ base: some PlayedRules) { self.base = base }

  public var game: GameKind { base.game }
}

extension GameRules: Hashable {
  public static func == (a: GameRules, b: GameRules) -> Bool { AnyHashable(a.base) == AnyHashable(b.base) }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}

extension GameRules: CustomStringConvertible {
  public var description: String { "\(base)" }
}
