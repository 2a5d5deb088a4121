internal import PlainText
internal import TupeloModels

/// Declares one setting: its name, allowed values, default, documentation and destination.
///
/// All readers and writers use the table of these (`ConfigurationKey.table`): files, environment, overrides, the
/// reference text and the YAML of a resolved configuration. A new setting needs a stored property with its default, and
/// one row.
package struct ConfigurationKey: Sendable {
  /// The dotted path, such as `learner.alpha`.
  package let path: String
  /// The allowed values in words, to follow "give".
  package let expected: String
  /// The default, as the reference shows it.
  package let standard: String
  package let summary: String
  /// Whether the value may change when a run resumes.
  package let atResume: ResumeEffect
  /// Sets the value in a draft, or throws the reason why it is not allowed.
  let read: @Sendable (ConfigurationValue, inout ConfigurationDraft) throws(ValueRefusal) -> Void
  /// The value of the setting in a form that `read` accepts; `nil` when other keys express it.
  let value: @Sendable (RunConfiguration) -> ConfigurationValue?
  /// The YAML text of the value; `nil` when other keys express it.
  package let write: @Sendable (RunConfiguration) -> String?

  typealias Property<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

  /// A key that sets one property of the configuration.
  ///
  /// - Parameters:
  ///   - standard: the default in words, when it depends on other settings.
  ///   - isUsed: whether the key has an effect in a configuration.
  init<Value>(
    _ path: String, _ atResume: ResumeEffect, _ format: ValueFormat<Value>,
    _ property: Property<RunConfiguration, Value>,
    when isUsed: @escaping @Sendable (RunConfiguration) -> Bool = { _ in true },
    default standard: String? = nil, _ summary: String
  ) {
    self.path = path
    self.expected = format.expected
    self.standard = standard ?? format.write(RunConfiguration()[keyPath: property])
    self.summary = summary
    self.atResume = atResume
    read = { (value, draft) throws(ValueRefusal) in draft.configuration[keyPath: property] = try format.read(value) }
    let applies = Self.applies(path)
    value = { isUsed($0) && applies($0) ? format.value($0[keyPath: property]) : nil }
    write = { isUsed($0) && applies($0) ? format.write($0[keyPath: property]) : nil }
  }

  /// A key that sets a part of a property; the other parts have keys of their own.
  init<Value>(
    _ path: String, _ atResume: ResumeEffect, _ format: ValueFormat<Value>,
    draft property: Property<ConfigurationDraft, Value?>,
    resolved: @escaping @Sendable (RunConfiguration) -> Value?, default standard: String? = nil, _ summary: String
  ) {
    self.path = path
    self.expected = format.expected
    self.standard = standard ?? resolved(RunConfiguration()).map(format.write) ?? ""
    self.summary = summary
    self.atResume = atResume
    read = { (value, draft) throws(ValueRefusal) in draft[keyPath: property] = try format.read(value) }
    let applies = Self.applies(path)
    value = { applies($0) ? resolved($0).map(format.value) : nil }
    write = { applies($0) ? resolved($0).map(format.write) : nil }
  }

  /// The game that a key is of; `nil` for a key of every game.
  private static func game(of path: String) -> GameKind? {
    switch section(of: path) {
    case "set": .set
    case "rules", "stages", "episodes": .twentyFortyEight
    case "network": path == "network.initial_model" ? nil : .twentyFortyEight
    default: boardKeys.contains(path) ? .twentyFortyEight : nil
    }
  }

  /// Keys of sections for every game that have an effect in 2048 alone.
  private static let boardKeys: Set = ["learner.prune_every_games", "evaluation.plies"]

  /// Tells whether a key has an effect in the game of a configuration.
  private static func applies(_ path: String) -> @Sendable (RunConfiguration) -> Bool {
    let game = game(of: path)
    return { game == nil || $0.game == game }
  }

  /// The game that the key has an effect in alone; `nil` for every game.
  var game: GameKind? { Self.game(of: path) }

  /// Whether the key has one value in two configurations, as text.
  package func isSame(in a: RunConfiguration, _ b: RunConfiguration) -> Bool { write(a) == write(b) }

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

extension ConfigurationKey {
  /// The key with a name.
  package static func named(_ path: String) -> ConfigurationKey? { byPath[path] }

  package static let byPath = Dictionary(uniqueKeysWithValues: table.map { ($0.path, $0) })

  /// The paths that have keys below them, such as `learner`.
  package static let sections = Set(table.compactMap { section(of: $0.path) })

  /// The first key of a section.
  package static func first(in section: String) -> String {
    table.first { $0.path.hasPrefix(section + ".") }?.path ?? section
  }

  /// The key that was probably meant: a similar path, or a similar name in another section.
  package static func nearest(to path: String) -> String? {
    let paths = table.map(\.path)
    let whole = Spelling.closest(to: path, among: paths)
    let named = Spelling.closest(to: leaf(of: path), among: paths.map { leaf(of: $0) })
    // A wrong section counts as one error.
    let other = whole?.distance ?? Int.max
    guard let named, named.distance + 1 < other || named.distance == 0 && other > 0 else {
      return whole.map { paths[$0.index] }
    }
    return paths[named.index]
  }
}
