internal import Safetensors
internal import TupeloNetwork

/// The games of a program. Functions that read configurations, models and evaluations take a catalogue. The values that
/// they return contain their game.
public struct GameCatalogue: Sendable {
  /// The games, in the order in which a command line is tried on them.
  public let games: [GameKind]

  /// - Parameter games: at least one game; each name is unique and has no dot
  public init(_ games: [GameKind]) {
    precondition(!games.isEmpty, "a catalogue has a game")
    precondition(Set(games.map(\.name)).count == games.count, "two games of a catalogue have one name")
    precondition(!games.contains { $0.name.contains(".") }, "a dot in the name of a game is the end of a section")
    self.games = games
  }

  /// 2048, with n-tuple networks.
  public static let standard = GameCatalogue([.twentyFortyEight])

  /// The game of a configuration that names no game: 2048 if the catalogue has it.
  package var usual: GameKind { game(named: GameKind.twentyFortyEight.name) ?? games[0] }

  /// The game with a name; `nil` if there is no such game.
  public func game(named name: String) -> GameKind? { games.first { $0.name == name } }

  /// Reads the header of a model file or checkpoint.
  func structure(in file: SafetensorsFile) throws(ModelFileError) -> any ModelStructure {
    // Dense networks are recognised by the beginning of their texts. Every other text belongs to an n-tuple network of
    // 2048.
    let ordered = games.filter { $0 != .twentyFortyEight } + games.filter { $0 == .twentyFortyEight }
    for kind in ordered.flatMap({ [$0.dense, $0.tables] }) {
      if let structure = try kind?.structure(in: file) { return structure }
    }
    return try ModelFile.specification(in: file)
  }

  /// The rules in a shard of an evaluation; `nil` if the shard has no rules of a game in the catalogue.
  ///
  /// - Parameter field: gives the number of a key; `nil` if the key is missing
  /// - Throws: the error of the rules.
  package func rules(shard field: (String) throws -> Double?) throws -> GameRules? {
    for game in games.reversed() {
      if let type = game.rules, let rules = try type.init(shard: field) { return GameRules(rules) }
    }
    return nil
  }
}
