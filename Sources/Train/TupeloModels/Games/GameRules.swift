/// The rules of a game in configurations, reports and files. Each game has its own type of rules.
public protocol PlayedRules: Hashable, Sendable {
  /// The game of these rules.
  var game: GameKind { get }
  /// The playing field, such as `boards of 4x4`.
  var playground: String { get }
  /// The fields about the rules in JSON reports, by key.
  var reportFields: [String: any Sendable] { get }
  /// The fields about the rules in a shard of an evaluation, by key. `init(shard:)` reads them. Rules must not use the
  /// keys that every shard has, such as `game`: `EvaluationShard` lists these.
  var shardFields: [String: Double] { get }
  /// The outcomes that a game can have, within `GameResult.outcomes`. Files with other outcomes are refused.
  var outcomes: ClosedRange<Int> { get }
  /// The outcomes whose rates reports have.
  var reported: [OutcomeRange] { get }
  /// The outcomes whose rates lines about training show.
  var milestones: [OutcomeRange] { get }

  /// The rules of a configuration that does not set any.
  static var standard: Self { get }
  /// The keys of a configuration that make the rules, in the section with the game's name. A type with such keys
  /// implements `number(of:)` and `init(_:)`.
  static var keys: [RulesKey] { get }

  /// The number of a key.
  func number(of key: RulesKey) -> Int
  /// Makes rules from the numbers of the keys.
  ///
  /// - Throws: an error whose text says what is wrong with the numbers together.
  init(_ number: (RulesKey) -> Int) throws

  /// Reads what `shardFields` writes.
  ///
  /// - Parameter field: gives the number of a key; `nil` if the key is missing
  /// - Returns: `nil` for the fields of another game.
  /// - Throws: an error whose text says what is wrong with the numbers.
  init?(shard field: (String) throws -> Double?) throws
}

extension PlayedRules {
  public var outcomes: ClosedRange<Int> { GameResult.outcomes }
  public static var keys: [RulesKey] { [] }
  public func number(of key: RulesKey) -> Int { preconditionFailure("rules without keys have no \(key.name)") }
  public init(_ number: (RulesKey) -> Int) { self = .standard }
}

/// A key of a configuration for a whole number in the rules.
public struct RulesKey: Hashable, Sendable {
  /// The name within the section of the game, such as `features`.
  public let name: String
  public let range: ClosedRange<Int>
  /// The meaning of the number, in one sentence.
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
