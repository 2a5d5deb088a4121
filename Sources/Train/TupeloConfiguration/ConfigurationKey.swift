internal import TupeloBase
internal import TupeloModels

/// Declares one setting: its name, allowed values, default, documentation and destination. The row also has the
/// settings that it needs, the features that it excludes, and the effect of a change when a run resumes.
///
/// All readers and writers use the table of these rows (`ConfigurationKeys`): files, environment, overrides, checks,
/// the reference text, the YAML of a resolved configuration and the checks of a resumed run. A new setting needs a
/// stored property with its default, and one row.
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
  /// Whether the setting is one of every game that can be trained, also of a game that the program does not know. The
  /// other settings are about a game of the program, its network or its step-size rule.
  package let isOfAnyGame: Bool
  /// The settings with which the key has an effect; `nil` for a key that always has one.
  let need: Need?
  /// The feature that the setting cannot be combined with.
  let clash: Clash?
  /// The key that is another way to give this setting. Each of the two keys overrides both.
  let alternative: String?
  /// Why the setting no longer has an effect in a resumed run; `nil` if it has one.
  let spent: @Sendable (Resumption) -> String?

  /// Reads a value, or throws the reason why it is not allowed. The returned function sets the value.
  let read: @Sendable (ConfigurationValue) throws(ValueRefusal) -> Setter
  /// Sets the default that depends on keys further up in the table.
  let setDefault: @Sendable (inout RunConfiguration) -> Void
  /// The value in a configuration, whether it has an effect or not.
  private let current: @Sendable (RunConfiguration) -> ConfigurationValue?
  /// The YAML text of the default.
  private let usual: String?
  private let isQuoted: Bool
  /// Whether the key is written, and has an effect, only if it differs from its default; `nil` for a key that is always
  /// written.
  private let omitsDefault: (@Sendable (RunConfiguration) -> Bool)?

  typealias Setter = @Sendable (inout ConfigurationSettings) -> Void
  typealias Property<Value> = any WritableKeyPath<RunConfiguration, Value> & Sendable

  /// A key that sets one property of the configuration.
  ///
  /// - Parameters:
  ///   - derived: the default, if it depends on keys further up in the table; `nil` for the usual default
  ///   - standard: the default in words, when it depends on other settings
  ///   - ofAnyGame: whether a game that the program does not know can have the setting, as far as `need` allows it
  init<Value>(
    _ path: String, _ atResume: ResumeEffect, _ format: ValueFormat<Value>, _ property: Property<Value>,
    for need: Need? = nil, derived: @escaping @Sendable (RunConfiguration) -> Value? = { _ in nil },
    default standard: String? = nil, _ summary: String, omitsDefault: (@Sendable (RunConfiguration) -> Bool)? = nil,
    ofAnyGame: Bool = true, clash: Clash? = nil, spent: @escaping @Sendable (Resumption) -> String? = { _ in nil }
  ) {
    self.init(
      path, atResume, format, set: { $0.configuration[keyPath: property] = $1 }, get: { $0[keyPath: property] },
      for: need, setDefault: { if let value = derived($0) { $0[keyPath: property] = value } }, default: standard,
      summary, omitsDefault: omitsDefault, ofAnyGame: ofAnyGame, clash: clash, spent: spent)
  }

  /// A key that does not set a property directly, such as a part that waits until all parts are known.
  ///
  /// - Parameter get: the value in a configuration; `nil` when other keys express it
  init<Value>(
    _ path: String, _ atResume: ResumeEffect, _ format: ValueFormat<Value>,
    set: @escaping @Sendable (inout ConfigurationSettings, Value) -> Void,
    get: @escaping @Sendable (RunConfiguration) -> Value?, for need: Need? = nil,
    setDefault: @escaping @Sendable (inout RunConfiguration) -> Void = { _ in }, default standard: String? = nil,
    _ summary: String, omitsDefault: (@Sendable (RunConfiguration) -> Bool)? = nil, ofAnyGame: Bool = true,
    clash: Clash? = nil, spent: @escaping @Sendable (Resumption) -> String? = { _ in nil }, alternative: String? = nil
  ) {
    self.path = path
    self.expected = format.expected
    usual = get(RunConfiguration()).map(format.write)
    self.standard = standard ?? usual ?? ""
    self.summary = summary
    self.atResume = atResume
    isOfAnyGame = ofAnyGame && need?.isOfAnyGame != false
    self.need = need
    self.setDefault = setDefault
    self.omitsDefault = omitsDefault
    self.clash = clash
    self.spent = spent
    self.alternative = alternative
    isQuoted = format.isQuoted
    current = { get($0).map(format.value) }
    read = { (value) throws(ValueRefusal) in
      let value = try format.read(value)
      return { set(&$0, value) }
    }
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

// MARK: Values

extension ConfigurationKey {
  /// The value of the setting in a form that `read` accepts; `nil` when other keys express it, or it has no effect.
  func value(_ configuration: RunConfiguration) -> ConfigurationValue? {
    isWritten(in: configuration) ? current(configuration) : nil
  }

  /// The YAML text of the value; `nil` when other keys express it, or it has no effect.
  package func write(_ configuration: RunConfiguration) -> String? { value(configuration).map(yaml) }

  /// The YAML text of the value for messages, also of a default that is not written; `none` if there is no value.
  package func shown(_ configuration: RunConfiguration) -> String {
    write(configuration) ?? (omitsDefault == nil ? nil : current(configuration).map(yaml)) ?? "none"
  }

  /// Whether the value differs from the default, for keys that are written only in this case; `nil` for all other keys.
  func isChanged(in configuration: RunConfiguration) -> Bool? {
    omitsDefault == nil ? nil : current(configuration).map(yaml) != usual
  }

  /// Whether the key has one value in two configurations, also where the value has no effect.
  func isEqual(in a: RunConfiguration, _ b: RunConfiguration) -> Bool { current(a).map(yaml) == current(b).map(yaml) }

  private func isWritten(in configuration: RunConfiguration) -> Bool {
    guard need?.game ?? configuration.game == configuration.game else { return false }
    guard let omitsDefault else { return need?.isMet(configuration) ?? true }
    return !omitsDefault(configuration) || isChanged(in: configuration) == true
  }

  private func yaml(_ value: ConfigurationValue) -> String {
    guard case .text(let text) = value else { return "null" }
    return isQuoted ? YAMLText.quoted(text) : text
  }

  /// Whether the key has one value in two configurations, as text.
  package func isSame(in a: RunConfiguration, _ b: RunConfiguration) -> Bool { write(a) == write(b) }
}
