internal import TupeloBase
package import TupeloModels

/// A key of a configuration: its name, the property that it sets, its allowed values, the effect of a change when a run
/// resumes, where it applies, and its documentation.
///
/// All readers and writers use the table of these rows (`ConfigurationKeys`): files, environment, overrides, checks,
/// the reference text, the YAML of a configuration and the checks of a resumed run.
package struct ConfigurationKey: Sendable {
  /// The dotted path, such as `learner.alpha`.
  package let path: String
  /// Whether the value may change when a run resumes.
  package let atResume: ResumeEffect
  package let summary: String
  /// The allowed values in words, to follow "give".
  package let expected: String
  /// The default, as the reference shows it.
  package private(set) var standard: String
  let when: Condition
  let unless: Condition?

  /// Reads a value, or throws the reason why it is not allowed.
  let read: @Sendable (ConfigurationValue) throws(ValueRefusal) -> Settings.Value
  /// The reason why the value in a configuration is not allowed.
  let refusal: @Sendable (RunConfiguration) -> ValueRefusal?
  /// The value in a configuration, whether it has an effect or not; `nil` in other games, and if other keys express it.
  let value: @Sendable (RunConfiguration) -> Settings.Value?
  /// Sets the property to the value that was said, if one was.
  let assign: @Sendable (Settings, inout RunConfiguration) -> Void
  /// The YAML text of the value in a configuration.
  private let yaml: @Sendable (RunConfiguration) -> String?
  /// The default; `nil` if it depends on the game.
  private let usual: Settings.Value?

  /// A key that sets a property.
  init<Value>(
    _ path: String, _ property: any WritableKeyPath<RunConfiguration, Value> & Sendable, _ format: ValueFormat<Value>,
    _ atResume: ResumeEffect, when: Condition = .always, unless: Condition? = nil, _ summary: String
  ) {
    self.init(path, of: { $0[keyPath: property] }, format, atResume, when: when, unless: unless, summary) {
      if let value: Value = $0[path] { $1[keyPath: property] = value }
    }
  }

  /// A key that makes a property together with other keys: see `RunConfiguration.init(_:)`.
  ///
  /// - Parameter value: the part of the property that the key expresses
  init<Value>(
    _ path: String, of value: @escaping @Sendable (RunConfiguration) -> Value?, _ format: ValueFormat<Value>,
    _ atResume: ResumeEffect, when: Condition = .always, unless: Condition? = nil, _ summary: String,
    assign: @escaping @Sendable (Settings, inout RunConfiguration) -> Void = { _, _ in }
  ) {
    (self.path, self.atResume, self.summary, expected) = (path, atResume, summary, format.expected)
    (self.when, self.unless, self.assign) = (when, unless, assign)
    read = { (text) throws(ValueRefusal) in Settings.Value(base: try format.read(text)) }
    refusal = { value($0).flatMap(format.refusal) }
    self.value = { value($0).map(Settings.Value.init) }
    yaml = { value($0).map(format.yaml) }
    usual = self.value(Self.usual)
    standard = yaml(Self.usual) ?? ""
  }

  /// A configuration with every default.
  private static let usual = RunConfiguration()

  /// The key with other words for its default, which depends on other settings or on the machine.
  func `default`(_ words: String) -> Self {
    var key = self
    key.standard = words
    return key
  }

  /// Where the key applies, in words to follow "only"; `nil` for a key that applies everywhere.
  package var need: String? {
    let need = [when.words.map { "with \($0)" }, unless?.feature.map { "without \($0)" }].compactMap(\.self)
    return need.isEmpty ? nil : need.joined(separator: ", ")
  }

  /// The environment variable of the key: `TUPELO_LEARNER_ALPHA` for `learner.alpha`.
  package var variable: String { Self.variable(of: path) }

  package static func variable(of path: String) -> String {
    "TUPELO_" + path.uppercased().replacing(".", with: "_")
  }

  /// The last part of a path: `alpha` for `learner.alpha`.
  package static func leaf(of path: String) -> String {
    path.split(separator: ".").last.map(String.init) ?? path
  }

  /// The section of a path: `learner` for `learner.alpha`; `nil` for `seed`.
  package static func section(of path: String) -> String? {
    path.lastIndex(of: ".").map { String(path[..<$0]) }
  }
}

/// The effect of a setting, which decides whether it may change when a run resumes.
package enum ResumeEffect: Sendable {
  /// The setting determines the tensors in a checkpoint. It may never change.
  case fixed
  /// The setting affects the learned values. It may change only if changes are allowed.
  case learning
  /// The setting determines the random numbers of each worker. It may change only if changes are allowed, and then the
  /// workers drop their stored start positions.
  case workers
  /// The setting affects the length of training or its reports. It may change.
  case free
  /// The setting does not affect training: a name, an evaluation or a file. It may change.
  case beside

  /// Whether a change must be allowed.
  package var needsPermission: Bool { self == .learning || self == .workers }
}

// MARK: Values

extension ConfigurationKey {
  /// Whether the key applies to the training of a game that the program does not know.
  package var isOfAnyGame: Bool { when.isOfAnyGame }

  /// Whether a configuration has another value than the default.
  func isChanged(_ configuration: RunConfiguration) -> Bool { value(configuration) != usual }

  /// Whether the value is written: it has an effect, and no other key expresses it.
  func isWritten(_ configuration: RunConfiguration) -> Bool {
    when.omitsDefault(configuration) ? isChanged(configuration) : when.holds(in: configuration)
  }

  /// The YAML text of the value; `nil` when it is not written.
  package func write(_ configuration: RunConfiguration) -> String? {
    isWritten(configuration) ? yaml(configuration) : nil
  }

  /// The YAML text of the value for messages, also of a value that is not written.
  package func shown(_ configuration: RunConfiguration) -> String { yaml(configuration) ?? "none" }

  /// The sentence that refuses a setting where it has no effect; `nil` if it is not said, or has one.
  func refusal(of settings: Settings, in configuration: RunConfiguration) -> String? {
    guard let value = settings.values[path] else { return nil }
    let isChanged = value != usual
    if let refusal = when.refusal(in: configuration), isChanged || !when.omitsDefault(configuration) { return refusal }
    return isChanged ? unless?.exclusion(in: configuration) : nil
  }
}

// MARK: All keys

/// All settings of the games of a catalogue, in the order of the reference and of a resolved configuration. Keys of a
/// section are adjacent.
package struct ConfigurationKeys: Sendable {
  package let rows: [ConfigurationKey]
  /// The game of a configuration that names no game.
  let usualGame: GameKind
  /// The paths that have keys below them, such as `learner`.
  package let sections: Set<String>
  private let byPath: [String: ConfigurationKey]

  package init(_ catalogue: GameCatalogue) {
    usualGame = catalogue.usual
    rows = ConfigurationKey.table(of: catalogue)
    sections = Set(rows.compactMap { ConfigurationKey.section(of: $0.path) })
    byPath = Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0) })
  }

  /// The keys of a program that has only the game 2048.
  package static let standard = ConfigurationKeys(.standard)

  /// The settings of the games of some configurations.
  package static func of(_ configurations: [RunConfiguration]) -> ConfigurationKeys {
    var games = [GameKind.twentyFortyEight]
    for configuration in configurations where !games.contains(configuration.game) { games.append(configuration.game) }
    return games.count == 1 ? .standard : ConfigurationKeys(GameCatalogue(games))
  }

  /// Pairs of keys that give one setting in two ways. A source that gives one key of a pair removes the value of the
  /// other key that earlier sources gave.
  package static let alternatives = ["network.layout": "network.patterns", "network.patterns": "network.layout"]

  /// The key with a path.
  package func named(_ path: String) -> ConfigurationKey? { byPath[path] }

  /// The first key of a section.
  package func first(in section: String) -> String {
    rows.first { $0.path.hasPrefix(section + ".") }?.path ?? section
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
    let paths = rows.map(\.path)
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
}
