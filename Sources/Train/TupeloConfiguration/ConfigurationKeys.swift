internal import TupeloBase
package import TupeloModels

/// All settings of the games of a catalogue, in the order of the reference and of a resolved configuration. Keys of a
/// section are adjacent.
package struct ConfigurationKeys: Sendable {
  package let all: [ConfigurationKey]
  /// The game of a configuration that names no game.
  let usualGame: GameKind
  /// The paths that have keys below them, such as `learner`.
  package let sections: Set<String>
  private let byPath: [String: ConfigurationKey]
  private let catalogue: GameCatalogue

  /// - Parameter own: the paths of section `own` among the keys
  package init(_ catalogue: GameCatalogue, own: [String] = []) {
    (self.catalogue, usualGame) = (catalogue, catalogue.usual)
    var all: [ConfigurationKey] = [.name, .seed, .game(of: catalogue)]
    all += catalogue.games.flatMap(ConfigurationKey.numbers) + ConfigurationKey.model + ConfigurationKey.course
    all += own.compactMap(ConfigurationKey.own)
    self.all = all.filter { $0.when.game.map(catalogue.games.contains) ?? true }
    sections = Set(self.all.compactMap { ConfigurationKey.section(of: $0.path) } + [ConfigurationKey.ownSection])
    byPath = Dictionary(uniqueKeysWithValues: self.all.map { ($0.path, $0) })
  }

  /// The keys of a program that has only the game 2048.
  package static let standard = ConfigurationKeys(.standard)

  /// The settings of the games of some configurations.
  package static func of(_ configurations: [RunConfiguration]) -> ConfigurationKeys {
    var games = [GameKind.twentyFortyEight]
    for configuration in configurations where !games.contains(configuration.game) { games.append(configuration.game) }
    let own = Set(configurations.flatMap { $0.own.texts.keys.map { "\(ConfigurationKey.ownSection).\($0)" } })
    guard games.count > 1 || !own.isEmpty else { return .standard }
    return ConfigurationKeys(GameCatalogue(games), own: own.sorted())
  }

  /// Pairs of keys that give one setting in two ways. A source that gives one key of a pair removes the value of the
  /// other key that earlier sources gave.
  package static let alternatives = ["network.layout": "network.patterns", "network.patterns": "network.layout"]

  /// The key with a path, which may be any path of section `own`.
  package func named(_ path: String) -> ConfigurationKey? { byPath[path] ?? ConfigurationKey.own(path: path) }

  /// These keys, and those of section `own` that somebody has set.
  func including(_ settings: Settings) -> ConfigurationKeys {
    let own = settings.values.keys.filter { byPath[$0] == nil && ConfigurationKey.own(path: $0) != nil }
    return own.isEmpty ? self : ConfigurationKeys(catalogue, own: own.sorted())
  }

  /// The first key of a section.
  package func first(in section: String) -> String {
    all.first { $0.path.hasPrefix(section + ".") }?.path ?? "\(section).window"
  }

  /// Why a path is not a key.
  package func reason(against path: String) -> ConfigurationError.Reason {
    if sections.contains(path) { return .section(example: first(in: path)) }
    return OtherWords.absence(of: path).map { .contradiction($0) } ?? .unknownKey(nearest: nearest(to: path))
  }

  /// The key that the user probably meant: the key for another program's word, a similar path, or a similar name in
  /// another section.
  package func nearest(to path: String) -> String? {
    if let key = OtherWords.key(for: path), byPath[key] != nil { return key }
    let paths = all.map(\.path)
    let whole = Spelling.closest(to: path, among: paths)
    let named = Spelling.closest(
      to: ConfigurationKey.leaf(of: path), among: paths.map { ConfigurationKey.leaf(of: $0) })
    // A wrong section counts as one error.
    let other = whole?.distance ?? Int.max
    guard let named, named.distance + 1 < other || named.distance == 0 && other > 0 else {
      return whole.map { paths[$0.index] }
    }
    return paths[named.index]
  }
}

extension RunConfiguration {
  /// The settings of the configuration's game.
  package var keys: ConfigurationKeys { .of([self]) }

  /// The game of the configuration alone.
  package var catalogue: GameCatalogue { GameCatalogue([game]) }
}
