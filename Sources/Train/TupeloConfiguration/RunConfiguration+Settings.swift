internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

extension RunConfiguration {
  /// The settings that give this configuration: those that have an effect.
  package var settings: Settings {
    var settings = Settings()
    for key in keys.all where key.isWritten(self) { settings.values[key.path] = key.value(self) }
    return settings
  }

  /// The configuration that follows from settings: every default is computed here.
  ///
  /// - Parameters:
  ///   - keys: all existing keys
  ///   - refused: keys with values that were not allowed. So what follows from them is unknown, and is not judged
  /// - Throws: `ConfigurationError` with all problems
  package init(
    _ settings: Settings, of keys: ConfigurationKeys = .standard, refused: Set<String> = []
  ) throws(ConfigurationError) {
    self.init()
    let keys = keys.including(settings)
    game = keys.usualGame
    for key in keys.all { key.assign(settings, &self) }
    // Defaults that depend on other settings. All other defaults are those of the properties.
    let rule = settings[.stepSize] ?? (dense.isDense ? .adam : .temporalCoherence)
    stepSize = StepSize(rule: rule, chosenAlpha: settings[.alpha])
    batch = settings[.batch] ?? (dense.isDense ? 64 : 1)
    let lambda = settings[.lambda] ?? 0
    returns = LambdaReturn(lambda: lambda, steps: settings[.steps] ?? LambdaReturn.steps(for: lambda))

    var parts = Parts(said: settings, refused: refused)
    if game == .twentyFortyEight { parts.makeBoard(&self) } else { parts.makeRules(&self) }
    training.gamesAtOnce = settings[.gamesAtOnce].flatMap { $0 == suitableGamesAtOnce ? nil : $0 }
    if refused.isEmpty, parts.found.isEmpty { parts.found = conflicts(in: settings, keys) }
    try parts.found.refuse()
  }

  /// Checks a configuration that a program has made, as strictly as a configuration from a file.
  public func validate() throws(ConfigurationError) {
    var found: [ConfigurationError.Problem] = []
    for key in keys.all where key.isWritten(self) {
      if let refusal = key.refusal(self) { found.add(key, .refused(refusal, expected: key.expected)) }
    }
    if network.shape != rules.shape {
      let text = "the network is for a \(network.shape) board, the rules are for \(rules.shape)"
      found.append(.init(source: .program, key: "network", reason: .contradiction(text)))
    }
    if found.isEmpty { found = conflicts(in: settings, keys) }
    try found.refuse()
  }

  /// The problems of settings whose values are all allowed: keys that do not apply, or else contradictions, or else an
  /// impossible dense network.
  private func conflicts(in settings: Settings, _ keys: ConfigurationKeys) -> [ConfigurationError.Problem] {
    var found: [ConfigurationError.Problem] = []
    for key in keys.all { found.add(key, key.refusal(of: settings, in: self)) }
    guard found.isEmpty else { return found }
    for key in keys.all { for text in key.contradictions(self, settings) { found.add(key, text) } }
    if dense.isDense, found.isEmpty {
      do { _ = try structure() } catch { found.add(.hidden, "\(error)") }
    }
    return found
  }

  /// The sentence that refuses a value for a dense network; `nil` for tables.
  func refusalOfDense(_ remedy: String = "leave it out") -> String? {
    dense.isDense ? "is not for a dense network (network.dense): \(remedy)" : nil
  }

  /// Whether a target has no end: lambda 1 has no default number of steps.
  func isEndless(in settings: Settings) -> Bool {
    settings[.steps] == nil && LambdaReturn.steps(for: returns.lambda) == nil
  }
}

/// Problems of settings, or settings without effect.
extension [ConfigurationError.Problem] {
  mutating func add(_ key: ConfigurationKey, _ reason: ConfigurationError.Reason) {
    append(.init(source: .program, key: key.path, reason: reason))
  }

  /// - Parameter text: the sentence that follows the key; `nil` if nothing is wrong
  mutating func add(_ key: ConfigurationKey, if isWrong: Bool = true, _ text: @autoclosure () -> String?) {
    if isWrong, let text = text() { add(key, .contradiction(text)) }
  }

  func refuse() throws(ConfigurationError) {
    guard isEmpty else { throw ConfigurationError(problems: self) }
  }
}
