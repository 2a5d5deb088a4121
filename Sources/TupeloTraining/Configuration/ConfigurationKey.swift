internal import PlainText

/// One setting, declared once: its name, what it takes, its default, its documentation, and where its value goes.
///
/// Reading files, environment and overrides, the reference text and the YAML of a resolved configuration all come from
/// the table of these (`ConfigurationKey.table`). A new setting is a stored property with its default, and one row.
package struct ConfigurationKey: Sendable {
  /// Dotted: `learner.alpha`.
  package let path: String
  /// What it takes, to follow "give".
  package let expected: String
  /// As the reference says it.
  package let standard: String
  package let summary: String
  /// Puts a value into a draft, or says why not.
  let read: @Sendable (ConfigurationValue, inout ConfigurationDraft) throws(ValueRefusal) -> Void
  /// Its value as `read` takes it; `nil` when other keys say the same.
  let value: @Sendable (RunConfiguration) -> ConfigurationValue?
  /// The YAML text of its value; `nil` when other keys say the same.
  package let write: @Sendable (RunConfiguration) -> String?

  typealias Property<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

  /// A key that is one property of the configuration.
  ///
  /// - Parameters:
  ///   - standard: the default in words, when it is not the same everywhere.
  ///   - isUsed: whether it means anything in a configuration.
  init<Value>(
    _ path: String, _ format: ValueFormat<Value>, _ property: Property<RunConfiguration, Value>,
    when isUsed: @escaping @Sendable (RunConfiguration) -> Bool = { _ in true },
    default standard: String? = nil, _ summary: String
  ) {
    self.path = path
    self.expected = format.expected
    self.standard = standard ?? format.write(RunConfiguration()[keyPath: property])
    self.summary = summary
    read = { (value, draft) throws(ValueRefusal) in draft.configuration[keyPath: property] = try format.read(value) }
    value = { isUsed($0) ? format.value($0[keyPath: property]) : nil }
    write = { isUsed($0) ? format.write($0[keyPath: property]) : nil }
  }

  /// A key that becomes part of the configuration together with others.
  init<Value>(
    _ path: String, _ format: ValueFormat<Value>, draft property: Property<ConfigurationDraft, Value?>,
    resolved: @escaping @Sendable (RunConfiguration) -> Value?, default standard: String? = nil, _ summary: String
  ) {
    self.path = path
    self.expected = format.expected
    self.standard = standard ?? resolved(RunConfiguration()).map(format.write) ?? ""
    self.summary = summary
    read = { (value, draft) throws(ValueRefusal) in draft[keyPath: property] = try format.read(value) }
    value = { resolved($0).map(format.value) }
    write = { resolved($0).map(format.write) }
  }

  /// `TUPELO_LEARNER_ALPHA` for `learner.alpha`.
  package var variable: String { Self.variable(of: path) }

  package static func variable(of path: String) -> String {
    "TUPELO_" + path.uppercased().replacing(".", with: "_")
  }

  /// `alpha` for `learner.alpha`.
  package static func leaf(of path: String) -> String {
    path.split(separator: ".").last.map(String.init) ?? path
  }

  /// `learner` for `learner.alpha`; `nil` for `seed`.
  package static func section(of path: String) -> String? {
    path.lastIndex(of: ".").map { String(path[..<$0]) }
  }
}

extension ConfigurationKey {
  /// The key of that name, or the one that has taken its place.
  package static func named(_ path: String) -> ConfigurationKey? { byPath[renamed[path] ?? path] }

  /// Names that keys had once, as files and checkpoints of that time have them.
  private static let renamed = [
    "network.state_bits": "states.bits", "learner.states_after_games": "states.after_games",
    "learner.states_optimism": "states.optimism", "learner.states_trial_visits": "states.trial_visits",
  ]

  /// Keys that are no more. What a file or a checkpoint of that time says of them must be 0, which is what is done now.
  static let retired: Set = ["averaging.pull"]

  package static let byPath = Dictionary(uniqueKeysWithValues: table.map { ($0.path, $0) })

  /// Everything that has keys below it: `learner`.
  package static let sections = Set(table.compactMap { section(of: $0.path) })

  /// The first key of a section.
  package static func first(in section: String) -> String {
    table.first { $0.path.hasPrefix(section + ".") }?.path ?? section
  }

  /// The key that was probably meant: nearly the same path, or nearly the same name in another section.
  package static func nearest(to path: String) -> String? {
    let paths = table.map(\.path)
    let whole = Spelling.closest(to: path, among: paths)
    let named = Spelling.closest(to: leaf(of: path), among: paths.map { leaf(of: $0) })
    // A wrong section counts as one error.
    guard let named, named.distance + 1 < whole?.distance ?? Int.max else { return whole.map { paths[$0.index] } }
    return paths[named.index]
  }
}
