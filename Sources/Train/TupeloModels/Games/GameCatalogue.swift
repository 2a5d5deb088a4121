internal import PlainText
internal import Safetensors
internal import TupeloNetwork

/// The games that a program knows. Configurations, models and evaluations are read with one, and the values that come
/// of it carry their game themselves.
public struct GameCatalogue: Sendable {
  /// In the order in which a command line is tried on them.
  public let games: [GameKind]

  /// - Parameter games: at least one, each with a name of its own, and without a dot in it
  public init(_ games: [GameKind]) {
    precondition(!games.isEmpty, "a catalogue has a game")
    precondition(Set(games.map(\.name)).count == games.count, "two games of a catalogue have one name")
    precondition(!games.contains { $0.name.contains(".") }, "a dot in the name of a game is the end of a section")
    self.games = games
  }

  /// 2048, with n-tuple networks.
  public static let standard = GameCatalogue([.twentyFortyEight])

  /// The game of a configuration that names none: 2048 where the program knows it.
  package var usual: GameKind { game(named: GameKind.twentyFortyEight.name) ?? games[0] }

  /// The game with a name; `nil` when there is none.
  public func game(named name: String) -> GameKind? { games.first { $0.name == name } }

  /// Reads the header of a model file or checkpoint.
  func structure(in file: SafetensorsFile) throws(ModelFileError) -> any ModelStructure {
    for kind in games.flatMap({ [$0.dense, $0.tables] }) {
      if let structure = try kind?.structure(in: file) { return structure }
    }
    // An n-tuple network, where the catalogue has none, or the error of a text that nobody knows.
    return try ModelFile.specification(in: file)
  }

  /// The rules that a shard of an evaluation tells; `nil` when it tells those of no game.
  ///
  /// - Parameters:
  ///   - name: the game of the shard; `nil` in shards of an earlier version, which tell it by the keys of its rules
  ///   - field: gives the number of a key; `nil` when it is not there
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
