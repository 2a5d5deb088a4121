internal import TupeloBase
public import TupeloModels

extension RunConfiguration {
  /// Reads a configuration from a file, the environment and the command line. Each source overrides the source before
  /// it. Settings that no source sets have their defaults.
  ///
  /// - Parameters:
  ///   - file: the path of a YAML file; `nil` without a file
  ///   - environment: `TUPELO_LEARNER_ALPHA` sets `learner.alpha`; variables that are empty or name no section
  ///     are ignored
  ///   - overrides: `key=value` or `key: value`; if a key occurs twice, the later one counts
  ///   - catalogue: the games that it may be of
  ///   - onWarning: called for each setting that has no effect
  /// - Throws: `ConfigurationError` with all problems of all sources, also in values that another source overrides.
  ///   Contradictions between keys are looked for when every key has a value.
  public static func load(
    file: String?, environment: [String: String], overrides: [String], of catalogue: GameCatalogue = .standard,
    onWarning: (ConfigurationError.Problem) -> Void = { _ in }
  ) throws(ConfigurationError) -> RunConfiguration {
    try load(
      file.map { .file($0) }, environment: environment, assignments: overrides.map(Assignment.init), of: catalogue,
      onWarning: onWarning)
  }

  /// Reads a configuration from text instead of a file; see `load(file:environment:overrides:of:onWarning:)`.
  ///
  /// - Parameters:
  ///   - yaml: the text, as in a YAML file
  ///   - sourceName: the name of the text in problems
  ///   - past: the run so far, if the text belongs to a run that is resumed. Then there are also warnings for settings
  ///     of `environment` and `overrides` that can no longer have an effect
  public static func load(
    yaml: String, sourceName: String, environment: [String: String], overrides: [String], resuming past: Past? = nil,
    of catalogue: GameCatalogue = .standard, onWarning: (ConfigurationError.Problem) -> Void = { _ in }
  ) throws(ConfigurationError) -> RunConfiguration {
    try load(
      .yaml(yaml, name: sourceName), environment: environment, assignments: overrides.map(Assignment.init),
      resuming: past, of: catalogue, onWarning: onWarning)
  }

  /// Reads a configuration with a command line whose settings know how they were typed; see
  /// `load(yaml:sourceName:environment:overrides:resuming:of:onWarning:)`.
  ///
  /// - Parameter assignments: the settings; if `--set` gives a key twice, the later one counts, and a key that is typed
  ///   in two ways is a problem
  package static func load(
    _ text: ConfigurationText?, environment: [String: String], assignments: [Assignment], resuming past: Past? = nil,
    of catalogue: GameCatalogue, onWarning: (ConfigurationError.Problem) -> Void
  ) throws(ConfigurationError) -> RunConfiguration {
    var loading = ConfigurationLoading(keys: ConfigurationKeys(catalogue), resuming: past)
    switch text {
    case .file(let path): loading.read(file: path)
    case .yaml(let yaml, let name): loading.read(name) { yaml }
    case nil: break
    }
    return try loading.finish(environment: environment, assignments: assignments, onWarning: onWarning)
  }

  /// Reads a configuration only from text, such as the copy inside a checkpoint.
  public static func parse(
    yaml: String, sourceName: String, of catalogue: GameCatalogue = .standard
  ) throws(ConfigurationError) -> RunConfiguration {
    try load(yaml: yaml, sourceName: sourceName, environment: [:], overrides: [], of: catalogue)
  }

  /// The environment variables that `load` uses, with their values: the variables that are not empty and name a
  /// key which no override sets.
  ///
  /// - Parameters:
  ///   - environment: the environment variables
  ///   - overrides: `key=value`, as for `load`
  ///   - keys: all existing keys
  package static func variables(
    in environment: [String: String], overrides: [String], of keys: ConfigurationKeys
  ) -> [String: String] {
    let paths = overrides.compactMap { keys.named(Assignment($0).key)?.path }
    let overridden = Set(paths + paths.compactMap { ConfigurationKeys.alternatives[$0] })
    let section = ConfigurationKey.variable(of: ConfigurationKey.ownSection) + "_"
    let own = environment.keys.filter { $0.hasPrefix(section) }.compactMap {
      ConfigurationKey.own(path: ConfigurationKey.ownSection + "." + $0.dropFirst(section.count).lowercased())
    }
    return (keys.all + own).filter { !overridden.contains($0.path) }
      .reduce(into: [:]) { $0[$1.variable] = environment[$1.variable].flatMap { $0.isEmpty ? nil : $0 } }
  }
}

/// The text of a configuration: a YAML file, or a copy inside another file.
package enum ConfigurationText {
  case file(String)
  case yaml(String, name: String)
}

/// A setting of the command line.
package struct Assignment: Hashable, Sendable {
  package let key: String
  /// The text after the sign; `nil` if there is no sign.
  package let value: String?
  /// How it was typed.
  let source: ConfigurationError.Source

  /// - Parameter text: as `--set` takes it: `learner.alpha=0.5`, or `learner.alpha: 0.5` as in a file
  package init(_ text: String) {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "=" || $0 == ":" }
    key = String(parts[0].trimmed)
    value = parts.count == 2 ? String(parts[1].trimmed) : nil
    source = .override(key: key)
  }

  /// - Parameter option: the option that gave the value, such as `--alpha`
  package init(_ key: String, _ value: String, by option: String) {
    (self.key, self.value, source) = (key, value, .option(option))
  }

  /// The setting as `--set` takes it.
  package var text: String { key + (value.map { "=\($0)" } ?? "") }
}

/// Collects settings and problems, source after source.
private struct ConfigurationLoading {
  let keys: ConfigurationKeys
  private var settings = Settings()
  /// The source that set each key last.
  private var sources: [String: ConfigurationError.Source] = [:]
  /// Keys with a value that was not allowed, from any source.
  private var refused: Set<String> = []
  private var problems: [ConfigurationError.Problem] = []
  private var warnings: [ConfigurationError.Problem] = []
  /// Whether all sources could be read. If not, contradictions between settings cannot be checked.
  private var isReadable = true
  /// The run so far, if it is resumed.
  private let past: RunConfiguration.Past?

  init(keys: ConfigurationKeys, resuming past: RunConfiguration.Past? = nil) { (self.keys, self.past) = (keys, past) }

  mutating func read(file path: String) {
    read(path) { () throws(ConfigurationError.Problem) in try ConfigurationFile.text(at: path) }
    // It is probably the wrong file.
    let file = ConfigurationError.Source.file(path, line: nil, column: nil)
    if sources.isEmpty { warnings = [.init(source: file, key: nil, reason: .noSettings)] }
    // A run that nobody names has the name of its file.
    if sources["name"] == nil, let name = ConfigurationFile.runName(of: path) {
      set(.name, to: .quoted(name), at: file)
    }
  }

  mutating func read(_ name: String, yaml: () throws(ConfigurationError.Problem) -> String) {
    do throws(ConfigurationError.Problem) {
      let document = try ConfigurationDocument(yaml: try yaml(), name: name, keys: keys)
      problems += document.problems
      for (key, value, source) in document.settings { set(key, to: value, at: source) }
    } catch {
      problems.append(error)
      isReadable = false
    }
  }

  mutating func finish(
    environment: [String: String], assignments: [Assignment], onWarning: (ConfigurationError.Problem) -> Void
  ) throws(ConfigurationError) -> RunConfiguration {
    if past != nil { leaveOutDefaults() }
    let variables = environment.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    for (variable, text) in variables { read(variable: variable, text) }
    for assignment in assignments { read(assignment) }
    guard isReadable else { throw ordered(problems) }
    let configuration: RunConfiguration
    do {
      configuration = try RunConfiguration(settings, of: keys, refused: refused)
    } catch {
      throw ordered(problems + error.problems.map(located))
    }
    guard problems.isEmpty else { throw ordered(problems) }
    warnings += configuration.warnings(in: past == nil ? settings : nil).map(located)
    if let past {
      warnings += configuration.spent(after: past).map(located).filter { $0.source.rank > 0 }
    }
    ordered(warnings).problems.forEach(onWarning)
    return configuration
  }

  private mutating func set(_ key: ConfigurationKey, to value: ConfigurationValue, at source: ConfigurationError.Source)
  {
    // A higher source that gives the network in one way overrides a lower one that gives it in another way.
    if let other = ConfigurationKeys.alternatives[key.path], let before = sources[other], before.rank < source.rank {
      settings.values[other] = nil
    }
    sources[key.path] = source
    do {
      let value = try key.read(total(value, of: key))
      if !refused.contains(key.path) { settings.values[key.path] = value }
    } catch {
      refused.insert(key.path)
      settings.values[key.path] = nil
      problems.append(.init(source: source, key: key.path, reason: .refused(error, expected: key.expected)))
    }
  }

  /// A number of games as a total. `+1000` means 1,000 games more than a run that is resumed has played.
  private func total(_ value: ConfigurationValue, of key: ConfigurationKey) -> ConfigurationValue {
    guard key.path == "training.games", let text = value.text, text.hasPrefix("+"), let past,
      let more = DecimalText(text)?.whole(as: Int.self)
    else { return value }
    let (total, isTooLarge) = past.games.addingReportingOverflow(more)
    return isTooLarge ? value : .plain("\(total)")
  }

  /// Leaves out the settings of a resumed run that are defaults of its other settings, because the text of a run has
  /// every setting. So a default follows the setting that it depends on: `learner.steps` follows `learner.lambda`.
  private mutating func leaveOutDefaults() {
    let said = settings
    for key in keys.including(said).all {
      guard let value = said.values[key.path] else { continue }
      var rest = said
      rest.values[key.path] = nil
      do throws(ConfigurationError) {
        let without = try RunConfiguration(rest, of: keys, refused: refused)
        if key.value(without) == value { settings.values[key.path] = nil }
      } catch {
        // The others are impossible without this one.
      }
    }
  }

  /// The problem at the source that set its key last.
  private func located(_ problem: ConfigurationError.Problem) -> ConfigurationError.Problem {
    let source = problem.key.flatMap { sources[$0] } ?? problem.source
    return .init(source: source, key: problem.key, reason: problem.reason)
  }

  /// Sorts problems by source and line. Problems at one place stay in the order in which they were found.
  private func ordered(_ problems: [ConfigurationError.Problem]) -> ConfigurationError {
    func position(_ problem: (offset: Int, element: ConfigurationError.Problem)) -> (Int, Int, Int) {
      (problem.element.source.rank, problem.element.source.line ?? 0, problem.offset)
    }
    return ConfigurationError(problems: problems.enumerated().sorted { position($0) < position($1) }.map(\.element))
  }
}

// MARK: Environment and command line

extension ConfigurationLoading {
  private mutating func read(variable: String, _ text: String) {
    let source = ConfigurationError.Source.environment(variable: variable)
    if let key = keys.all.first(where: { $0.variable == variable }) {
      return set(key, to: ConfigurationValue(said: text), at: source)
    }
    // The innermost section that the name begins with.
    let sections = keys.sections.filter { "\(variable)_".hasPrefix(ConfigurationKey.variable(of: $0) + "_") }
    guard let section = sections.max(by: { $0.count < $1.count }) else { return }
    let word = variable.dropFirst(ConfigurationKey.variable(of: section).count + 1).lowercased()
    if let key = keys.named("\(section).\(word)") { return set(key, to: ConfigurationValue(said: text), at: source) }
    let reason: ConfigurationError.Reason =
      switch keys.reason(against: word.isEmpty ? section : "\(section).\(word)") {
      case .section(let key): .section(example: ConfigurationKey.variable(of: key))
      case .unknownKey(let key): .unknownKey(nearest: key.map(ConfigurationKey.variable))
      case let reason: reason
      }
    problems.append(.init(source: source, key: nil, reason: reason))
  }

  private mutating func read(_ assignment: Assignment) {
    let (path, source) = (assignment.key, assignment.source)
    let reason: ConfigurationError.Reason
    if let key = keys.named(path), let value = assignment.value {
      guard let other = sources[path], other.rank == source.rank, other != source else {
        return set(key, to: ConfigurationValue(said: value), at: source)
      }
      reason = .contradiction("\(other) gives a value, too: leave one of them out")
    } else {
      reason = keys.named(path) == nil ? keys.reason(against: path) : .noAssignment
    }
    problems.append(.init(source: source, key: path, reason: reason))
  }
}
