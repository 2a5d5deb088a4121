/// A key of a configuration, whatever the type of its values: its name, its allowed values, the effect of a change when
/// a run resumes, where it applies, and its documentation. `Key` adds the type.
///
/// Keys are a class and a subclass because Swift has no constants in generic types and protocols: here every key is a
/// constant of the class, so that `.lambda` is a `Key<Float>`, and a key among keys of all types.
///
/// All readers and writers use the keys of `ConfigurationKeys`: files, environment, overrides, checks, the reference
/// text, the YAML of a configuration and the checks of a resumed run.
///
/// Soundness of `@unchecked Sendable`: every property is a constant of a `Sendable` type, also in `Key`, which is the
/// only subclass.
package class ConfigurationKey: @unchecked Sendable {
  /// Sentences that refuse an allowed value because of other settings; `nil` for a sentence that does not apply.
  typealias Contradictions = @Sendable (RunConfiguration, Settings) -> [String?]

  /// The dotted path, such as `learner.alpha`.
  package let path: String
  /// Whether the value may change when a run resumes.
  package let atResume: ResumeEffect
  package let summary: String
  /// The allowed values in words, to follow "give".
  package let expected: String
  /// The default, as the reference shows it.
  package let standard: String
  let when: Condition
  /// What to do instead in a dense network, which does not have the key; `nil` for a key of all networks.
  let notDense: String?
  let contradictions: Contradictions

  /// Reads a value, or throws the reason why it is not allowed.
  let read: @Sendable (ConfigurationValue) throws(ValueRefusal) -> Settings.Value
  /// The value in a configuration, whether it has an effect or not.
  let value: @Sendable (RunConfiguration) -> Settings.Value
  /// Sets the property to the value that was said, if one was and the property can be set.
  let assign: @Sendable (Settings, inout RunConfiguration) -> Void
  /// The value in a configuration with every default.
  private let usual: Settings.Value

  fileprivate init<Value>(
    _ path: String, _ property: any KeyPath<RunConfiguration, Value> & Sendable, _ format: ValueFormat<Value>,
    _ atResume: ResumeEffect, when: Condition, notDense: String?, default: String?, _ summary: [String],
    _ contradictions: @escaping Contradictions
  ) {
    (self.path, self.atResume, self.summary) = (path, atResume, summary.joined(separator: "\n"))
    (self.when, self.notDense, self.contradictions) = (when, notDense, contradictions)
    expected = format.expected
    let setting: @Sendable (Value) -> Settings.Value = { Settings.Value(base: $0, written: format.write($0)) }
    read = { (text) throws(ValueRefusal) in setting(try format.read(text)) }
    value = { setting($0[keyPath: property]) }
    assign = { settings, configuration in
      guard let property = property as? WritableKeyPath<RunConfiguration, Value> else { return }
      if let value: Value = settings.value(of: path) { configuration[keyPath: property] = value }
    }
    usual = value(Self.usual)
    standard = `default` ?? usual.yaml
  }

  /// A configuration with every default.
  private static let usual = RunConfiguration()

  /// Where the key applies, in words to follow "only"; `nil` for a key that applies everywhere.
  package var need: String? {
    let need = [when.words.map { "with \($0)" }, notDense.map { _ in "without a dense network (network.dense)" }]
      .compactMap(\.self)
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

  // MARK: Values

  /// Whether the key applies to the training of a game that the program does not know.
  package var isOfAnyGame: Bool { when.isOfAnyGame }

  /// The reason why the value in a configuration is not allowed: its text cannot be read.
  func refusal(_ configuration: RunConfiguration) -> ValueRefusal? {
    do throws(ValueRefusal) { _ = try read(value(configuration).written) } catch { return error }
    return nil
  }

  /// Whether a configuration has another value than the default.
  func isChanged(_ configuration: RunConfiguration) -> Bool { value(configuration) != usual }

  /// Whether the value is written: it has an effect, and no other key expresses it.
  func isWritten(_ configuration: RunConfiguration) -> Bool {
    when.omitsDefault(configuration) ? isChanged(configuration) : when.holds(in: configuration)
  }

  /// The YAML text of the value; `nil` when it is not written.
  package func write(_ configuration: RunConfiguration) -> String? {
    isWritten(configuration) ? shown(configuration) : nil
  }

  /// The YAML text of the value for messages, also of a value that is not written.
  package func shown(_ configuration: RunConfiguration) -> String { value(configuration).yaml }

  /// The sentence that refuses a setting where it has no effect; `nil` if it is not said, or has one.
  func refusal(of settings: Settings, in configuration: RunConfiguration) -> String? {
    guard let value = settings.values[path] else { return nil }
    let isChanged = value != usual
    if let refusal = when.refusal(in: configuration), isChanged || !when.omitsDefault(configuration) { return refusal }
    return isChanged ? notDense.flatMap(configuration.refusalOfDense) : nil
  }
}

/// A key with the type of its values, so that `settings[.lambda]` is a `Float?`.
package final class Key<Value: Sendable>: ConfigurationKey, @unchecked Sendable {
  /// - Parameters:
  ///   - property: the place of the value. A property that can only be read is made from several keys, in
  ///     `RunConfiguration(_:of:)` or in `Parts`
  ///   - default: the default in words, if it depends on other settings or on the machine
  ///   - summary: the documentation, line by line
  init(
    _ path: String, _ property: any KeyPath<RunConfiguration, Value> & Sendable, _ format: ValueFormat<Value>,
    _ atResume: ResumeEffect, when: Condition = .always, notDense: String? = nil, default: String? = nil,
    _ summary: String..., contradictions: @escaping Contradictions = { _, _ in [] }
  ) {
    super.init(
      path, property, format, atResume, when: when, notDense: notDense, default: `default`, summary, contradictions)
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
