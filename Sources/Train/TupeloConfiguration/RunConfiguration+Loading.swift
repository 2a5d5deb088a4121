internal import TupeloBase
internal import TupeloEngine
public import TupeloModels
internal import TupeloNetwork

extension RunConfiguration {
  /// Reads a configuration from a file, the environment and the command line. Each source overrides the source before
  /// it. Settings that no source sets have their defaults.
  ///
  /// - Parameters:
  ///   - file: the path of a YAML file; `nil` without a file
  ///   - environment: `TUPELO_LEARNER_ALPHA` sets `learner.alpha`; variables that are empty or name no section
  ///     are ignored
  ///   - overrides: `key=value`; if a key occurs twice, the later one counts
  ///   - catalogue: the games that it may be of
  ///   - onWarning: called for each setting that has no effect
  /// - Throws: `ConfigurationError` with all problems of all sources, also in values that another source overrides.
  public static func load(
    file: String?, environment: [String: String], overrides: [String], of catalogue: GameCatalogue = .standard,
    onWarning: (ConfigurationError.Problem) -> Void = { _ in }
  ) throws(ConfigurationError) -> RunConfiguration {
    var loading = ConfigurationLoading(
      name: file.flatMap(ConfigurationFile.runName), game: catalogue.usual, ConfigurationKeys(catalogue))
    if let file { loading.read(file: file) }
    return try loading.finish(environment: environment, overrides: overrides, onWarning: onWarning)
  }

  /// Reads a configuration from text instead of a file.
  ///
  /// - Parameters:
  ///   - yaml: the text, as in a YAML file
  ///   - sourceName: the name of the text in problems
  ///   - environment: environment variables, as in `load(file:environment:overrides:)`
  ///   - overrides: `key=value`; if a key occurs twice, the later one counts
  ///   - past: the run so far, if the text belongs to a run that is resumed. Then there are also warnings for settings
  ///     of `environment` and `overrides` that can no longer have an effect
  ///   - catalogue: the games that it may be of
  ///   - onWarning: called for each setting that has no effect
  public static func load(
    yaml: String, sourceName: String, environment: [String: String], overrides: [String], resuming past: Past? = nil,
    of catalogue: GameCatalogue = .standard, onWarning: (ConfigurationError.Problem) -> Void = { _ in }
  ) throws(ConfigurationError) -> RunConfiguration {
    var loading = ConfigurationLoading(name: nil, game: catalogue.usual, ConfigurationKeys(catalogue))
    loading.read(yaml: yaml, name: sourceName)
    return try loading.finish(
      environment: environment, overrides: overrides, resuming: past, onWarning: onWarning)
  }

  /// Reads a configuration only from text, such as the copy inside a checkpoint.
  public static func parse(
    yaml: String, sourceName: String, of catalogue: GameCatalogue = .standard
  ) throws(ConfigurationError) -> RunConfiguration {
    try load(yaml: yaml, sourceName: sourceName, environment: [:], overrides: [], of: catalogue)
  }

  /// Checks a configuration that a program has made, as strictly as a configuration from a file.
  public func validate() throws(ConfigurationError) {
    var loading = ConfigurationLoading(name: nil, game: game, keys)
    loading.read(self)
    _ = try loading.finish(environment: [:], overrides: [])
  }
}

/// Collects settings and problems, source after source.
private struct ConfigurationLoading {
  private var settings: ConfigurationSettings
  private var problems: [ConfigurationError.Problem] = []
  /// Whether the text that was read has no setting.
  private var isEmpty = false
  /// A file without settings, which is probably the wrong one.
  private var emptyFile: ConfigurationError.Problem?
  /// Whether all settings are valid. If not, contradictions between them cannot be checked.
  private var isComplete = true

  init(name: String?, game: GameKind, _ keys: ConfigurationKeys) {
    var standard = RunConfiguration()
    standard.game = game
    if let name { standard.name = name }
    settings = ConfigurationSettings(standard, keys)
  }

  private var keys: ConfigurationKeys { settings.keys }

  mutating func read(file path: String) {
    do {
      read(yaml: try ConfigurationFile.text(at: path), name: path)
      if isEmpty { emptyFile = .init(source: .file(path, line: nil, column: nil), key: nil, reason: .noSettings) }
    } catch {
      problems.append(error)
      isComplete = false
    }
  }

  mutating func read(yaml: String, name: String) {
    let document = ConfigurationDocument(yaml: yaml, name: name, keys: keys)
    problems += document.problems
    isComplete = isComplete && document.isReadable
    isEmpty = document.settings.isEmpty
    for setting in document.settings {
      set(setting.key, to: setting.value, source: setting.source)
    }
  }

  mutating func read(_ configuration: RunConfiguration) {
    settings = ConfigurationSettings(configuration, keys)
    for key in keys.rows {
      if let value = key.value(configuration) { set(key, to: value, source: .program) }
    }
    // Patterns are written without their board, so they would be read as patterns of the rules' board.
    let (shape, board) = (configuration.network.shape, configuration.rules.shape)
    if shape != board {
      problems.append(.init(source: .program, key: "network", reason: .networkShape(shape, rules: board)))
      isComplete = false
    }
  }

  mutating func finish(
    environment: [String: String], overrides: [String], resuming past: RunConfiguration.Past? = nil,
    onWarning: (ConfigurationError.Problem) -> Void = { _ in }
  ) throws(ConfigurationError) -> RunConfiguration {
    let variables = environment.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    for (variable, text) in variables { read(variable: variable, text) }
    for text in overrides { read(override: text) }
    if isComplete { problems += settings.resolve() }
    guard problems.isEmpty else { throw ConfigurationError(problems: Self.ordered(problems)) }
    let warnings = [emptyFile].compactMap(\.self) + settings.warnings() + (past.map(settings.warnings(resuming:)) ?? [])
    Self.ordered(warnings).forEach(onWarning)
    return settings.configuration
  }

  /// Sorts problems by source and line. Problems at one place stay in the order in which they were found.
  private static func ordered(_ problems: [ConfigurationError.Problem]) -> [ConfigurationError.Problem] {
    func position(_ problem: (offset: Int, element: ConfigurationError.Problem)) -> (Int, Int, Int) {
      (problem.element.source.rank, problem.element.source.line ?? 0, problem.offset)
    }
    return problems.enumerated().sorted { position($0) < position($1) }.map(\.element)
  }

  private mutating func set(_ key: ConfigurationKey, to value: ConfigurationValue, source: ConfigurationError.Source) {
    if let problem = settings.set(key, to: value, source: source) { problems.append(problem) }
  }
}

// MARK: Environment

extension ConfigurationLoading {
  private mutating func read(variable: String, _ text: String) {
    let source = ConfigurationError.Source.environment(variable: variable)
    if let key = keys.rows.first(where: { $0.variable == variable }) {
      return set(key, to: ConfigurationValue(plain: text), source: source)
    }
    if let retired = RetiredKey.named(variable: variable) {
      return problems.append(.init(source: source, key: nil, reason: retired.reason))
    }
    for section in keys.sections.sorted() {
      let prefix = ConfigurationKey.variable(of: section)
      if variable == prefix {
        let example = ConfigurationKey.variable(of: keys.first(in: section))
        problems.append(.init(source: source, key: nil, reason: .section(example: example)))
      } else if variable.hasPrefix(prefix + "_") {
        let nearest = Spelling.nearest(to: variable, among: keys.rows.map(\.variable))
        problems.append(.init(source: source, key: nil, reason: .unknownKey(nearest: nearest)))
      }
    }
  }
}

// MARK: Command line

extension ConfigurationLoading {
  private mutating func read(override text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0.trimmed) }
    let path = parts[0]
    let source = ConfigurationError.Source.override(key: path)
    if let key = keys.named(path) {
      if parts.count == 2 {
        set(key, to: ConfigurationValue(plain: parts[1]), source: source)
      } else {
        problems.append(.init(source: source, key: path, reason: .noAssignment))
      }
    } else if let retired = RetiredKey.named(path) {
      problems.append(.init(source: source, key: path, reason: retired.reason))
    } else if keys.sections.contains(path) {
      let example = keys.first(in: path)
      problems.append(.init(source: source, key: path, reason: .section(example: example)))
    } else {
      problems.append(
        .init(source: source, key: path, reason: .unknownKey(nearest: keys.nearest(to: path))))
    }
  }
}
