internal import Foundation
internal import TupeloBase
public import TupeloEngine
public import TupeloModels

/// A part of an evaluation that is played separately. With n shards, shard i plays the games i - 1, i - 1 + n, i - 1 +
/// 2n, ...
///
/// Game k depends only on the seed and k. So all shards together give the results of the evaluation without shards.
public struct EvaluationShard: Hashable, Sendable {
  /// The facts in which all shards of an evaluation agree.
  public struct Header: Hashable, Sendable {
    public var agent: String
    /// The fingerprint of the network's structure, if there is a network.
    public var fingerprint: String?
    /// The identity of the model; see `TrainedModel.identity`.
    public var model: String?
    /// The SHA-256 of the model file; `nil` in shards of an earlier version, which do not have it.
    public var checksum: String?
    public var games: Int
    public var seed: UInt64
    public var shards: Int
    public var rules: GameRules
    /// The `behaviourVersion` of the program that played; `nil` in shards of an earlier version.
    public var behaviour: Int?

    public init(
      agent: String, fingerprint: String? = nil, model: String?, checksum: String? = nil, games: Int, seed: UInt64,
      shards: Int, rules: GameRules, behaviour: Int? = behaviourVersion
    ) {
      self.agent = agent
      self.fingerprint = fingerprint
      self.model = model
      self.checksum = checksum
      self.games = games
      self.seed = seed
      self.shards = shards
      self.rules = rules
      self.behaviour = behaviour
    }
  }

  public let header: Header
  /// The number of the shard, in 1...shards.
  public let number: Int
  /// The results, in the order of the games.
  public let results: [GameResult]
  public let seconds: Double

  /// The numbers of the games that a shard plays.
  public static func games(of number: Int, shards: Int, games: Int) -> GameNumbers {
    GameNumbers(from: number - 1, to: games, by: shards)
  }

  /// A shard from the results of its games; `nil` if a result is missing.
  public init?(_ header: Header, number: Int, results: [Int: GameResult], seconds: Double) {
    let games = Self.games(of: number, shards: header.shards, games: header.games)
    guard results.count >= games.count else { return nil }
    let played = games.compactMap { results[$0] }
    guard played.count == games.count else { return nil }
    self.header = header
    self.number = number
    self.results = played
    self.seconds = seconds
  }

  /// Merges all shards into the report of the whole evaluation. Its `seconds` is the sum over all shards.
  ///
  /// - Parameter shards: the shards with the names of their files, in any order
  /// - Throws: `EvaluationShardError` unless `shards` has every shard of one evaluation exactly once.
  public static func merge(
    _ shards: [(file: String, shard: EvaluationShard)]
  ) throws(EvaluationShardError) -> EvaluationReport {
    guard let first = shards.first else { throw .nothing }
    let header = first.shard.header
    var byNumber: [Int: String] = [:]
    for (file, shard) in shards {
      guard shard.header == header else { throw .differs(file: file, from: first.file) }
      if let other = byNumber.updateValue(file, forKey: shard.number) {
        throw .repeated(number: shard.number, file: file, other: other)
      }
    }
    guard byNumber.count == header.shards else {
      let missing = (1...header.shards).lazy.filter { byNumber[$0] == nil }.prefix(20)
      throw .missing(Array(missing), of: header.shards)
    }
    // Only now it is certain that the files hold the number of results in their headers.
    var results = [GameResult?](repeating: nil, count: header.games)
    for (_, shard) in shards {
      let games = games(of: shard.number, shards: header.shards, games: header.games)
      for (game, result) in zip(games, shard.results) { results[game] = result }
    }
    let seconds = shards.reduce(0) { $0 + $1.shard.seconds }
    let report = EvaluationReport(
      results: results.compactMap { $0 }, rules: header.rules, seed: header.seed, seconds: seconds)
    guard let report else { throw .nothing }
    return report
  }
}

/// Why files are not the shards of one evaluation.
public enum EvaluationShardError: Error, Hashable, Sendable {
  case notAShard(file: String, reason: String)
  case differs(file: String, from: String)
  case repeated(number: Int, file: String, other: String)
  /// Shards are missing; the first of their numbers are listed.
  case missing([Int], of: Int)
  case nothing
}

extension EvaluationShardError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAShard(let file, let reason):
      "\(file): not a shard of an evaluation: \(reason): make it with tupelo evaluate --shard"
    case .differs(let file, let other):
      "\(file): of another evaluation than \(other): agent, model, games, seed, rules, number of shards and "
        + "version of the program must be the same"
    case .repeated(let number, let file, let other):
      "\(file): shard \(number) again, after \(other): give each once"
    case .missing(let numbers, let count):
      "shard \(numbers.map(String.init).joined(separator: ", ")) of \(count) is missing: give all of them"
    case .nothing:
      "there is nothing to merge"
    }
  }
}

// Reading and writing a shard as one JSON object.
extension EvaluationShard {
  public static let formatVersion = 1

  /// The keys of the JSON object.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private struct Fields: Codable {
    var tupelo_shard: Int
    /// The name of the game; `nil` in shards of an earlier version.
    var game: String?
    var agent: String
    var network_fingerprint: String?
    var model: String?
    var model_sha256: String?
    var behaviour: Int?
    var games: Int
    var seed: UInt64
    var shard: Int
    var shards: Int
    var seconds: Double
    /// Score, moves and outcome of each game; see `GameResult`.
    var results: [[Int]]
  }

  /// The JSON object: the keys above, and those of the rules of a game.
  private struct Object: Codable {
    let fields: Fields
    /// Gives the number of a key of the rules; `nil` if the key is missing.
    let number: (String) throws -> Double?
    private let numbers: [String: Double]

    init(_ fields: Fields, _ rules: GameRules) {
      let numbers = rules.base.shardFields
      (self.fields, self.numbers) = (fields, numbers)
      number = { numbers[$0] }
    }

    init(from decoder: any Decoder) throws {
      fields = try Fields(from: decoder)
      let container = try decoder.container(keyedBy: Key.self)
      numbers = [:]
      number = { try container.decodeIfPresent(Double.self, forKey: Key(stringValue: $0)) }
    }

    func encode(to encoder: any Encoder) throws {
      try fields.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      for (key, number) in numbers { try container.encode(number, forKey: Key(stringValue: key)) }
    }

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
  }

  public var json: String {
    let fields = Fields(
      tupelo_shard: Self.formatVersion, game: header.rules.game.name, agent: header.agent,
      network_fingerprint: header.fingerprint, model: header.model, model_sha256: header.checksum,
      behaviour: header.behaviour, games: header.games, seed: header.seed, shard: number, shards: header.shards,
      seconds: seconds, results: results.map { [$0.score, $0.moves, $0.outcome] })
    return JSONText.line(Object(fields, header.rules))
  }

  /// Reads what `json` writes.
  ///
  /// - Parameter catalogue: the games that the shard may belong to
  /// - Throws: `EvaluationShardError.notAShard` for anything else.
  public init(
    json: [UInt8], file: String, of catalogue: GameCatalogue = .standard
  ) throws(EvaluationShardError) {
    let fields: Fields
    let found: GameRules?
    do {
      let object = try JSONDecoder().decode(Object.self, from: Data(json))
      fields = object.fields
      found = try catalogue.rules(of: fields.game, shard: object.number)
    } catch is DecodingError {
      throw .notAShard(file: file, reason: "it lacks fields of a shard")
    } catch {
      throw .notAShard(file: file, reason: "\(error)")
    }
    guard let rules = found else { throw .notAShard(file: file, reason: "it lacks fields of a shard") }
    guard fields.tupelo_shard == Self.formatVersion else {
      throw .notAShard(
        file: file, reason: "its format is \(fields.tupelo_shard), this program reads \(Self.formatVersion)")
    }
    guard (1...1_000_000_000).contains(fields.games), (1...fields.games).contains(fields.shards),
      (1...fields.shards).contains(fields.shard), fields.seconds.isFinite, fields.seconds >= 0
    else { throw .notAShard(file: file, reason: "its numbers of games and shards do not fit together") }
    let games = Self.games(of: fields.shard, shards: fields.shards, games: fields.games)
    let count = games.count
    guard fields.results.count == count, fields.results.allSatisfy({ Self.isResult($0, of: rules) }) else {
      throw .notAShard(
        file: file, reason: "it should hold the score, moves and outcome of \(CountText.text(count, "game"))")
    }
    let results = Dictionary(
      uniqueKeysWithValues: zip(
        games, fields.results.map { GameResult(score: $0[0], moves: $0[1], outcome: $0[2]) }))
    let header = Header(
      agent: fields.agent, fingerprint: fields.network_fingerprint, model: fields.model,
      checksum: fields.model_sha256, games: fields.games, seed: fields.seed, shards: fields.shards, rules: rules,
      behaviour: fields.behaviour)
    guard let shard = EvaluationShard(header, number: fields.shard, results: results, seconds: fields.seconds) else {
      throw .notAShard(file: file, reason: "games are missing")
    }
    self = shard
  }

  /// Whether numbers can be a game's result. The bounds keep sums over many games far from overflow.
  private static func isResult(_ numbers: [Int], of rules: GameRules) -> Bool {
    numbers.count == 3 && (0...10_000_000).contains(numbers[0]) && (0...1_000_000).contains(numbers[1])
      && rules.base.outcomes.contains(numbers[2])
  }
}
