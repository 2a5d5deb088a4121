internal import Safetensors
internal import TupeloBase
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
    // An n-tuple network has a structure also where the catalogue has no such kind.
    let kinds = games.flatMap { [$0.dense, $0.tables] } + [TupleKind()]
    let found: (any ModelStructure)? = try ModelFile.network(in: file) { text in
      for kind in kinds { if let structure = try kind?.structure(canonicalText: text) { return structure } }
      return nil
    }
    guard let found else {
      throw .badNetwork(path: file.path, reason: "this program has no such network: use a newer tupelo")
    }
    return found
  }

  /// The rules in a shard of an evaluation; `nil` if the shard has no rules of a game in the catalogue.
  ///
  /// - Parameters:
  ///   - name: the game of the shard; `nil` in shards of an earlier version, where the keys of the rules name it
  ///   - field: gives the number of a key; `nil` if the key is missing
  /// - Throws: the error of the rules, or an error that names a game that is not in the catalogue.
  package func rules(of name: String?, shard field: (String) throws -> Double?) throws -> GameRules? {
    guard let name else {
      for game in games.reversed() {
        if let type = game.rules, let rules = try type.init(shard: field) { return GameRules(rules) }
      }
      return nil
    }
    guard let game = game(named: name) else { throw UnknownGame(name: name) }
    guard let type = game.rules else { return game.standardRules }
    return try type.init(shard: field).map { GameRules($0) }
  }

  private struct UnknownGame: Error, CustomStringConvertible {
    let name: String
    var description: String {
      "it is of the game \(Spelling.printable(name, limit: 40)), which this program does not know"
    }
  }
}
