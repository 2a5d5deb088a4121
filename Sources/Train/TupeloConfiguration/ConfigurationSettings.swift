internal import TupeloBase
internal import TupeloLearning
internal import TupeloModels

/// The settings of a configuration while its sources are read, one after the other.
struct ConfigurationSettings {
  /// All existing settings.
  let keys: ConfigurationKeys
  var configuration: RunConfiguration
  var parts: ConfigurationParts

  /// Sets each key to the value that was read last.
  private var setters: [String: ConfigurationKey.Setter] = [:]
  /// The source that set each key last.
  private var sources: [String: ConfigurationError.Source] = [:]
  /// Keys that were refused, from any source.
  private var refused: Set<String> = []

  /// - Parameter standard: the values of keys that no source sets
  init(_ standard: RunConfiguration, _ keys: ConfigurationKeys) {
    self.keys = keys
    configuration = standard
    parts = ConfigurationParts(of: standard)
  }

  /// Reads the value of a key; returns the problem if the value is not allowed.
  mutating func set(_ key: ConfigurationKey, to value: ConfigurationValue, source: ConfigurationError.Source)
    -> ConfigurationError.Problem?
  {
    sources[key.path] = source
    do {
      setters[key.path] = try key.read(value)
      return nil
    } catch {
      refused.insert(key.path)
      return problem(key.path, .refused(error, expected: key.expected))
    }
  }

  /// Sets all values, in the order of the table, so that a default can depend on the keys before it.
  ///
  /// - Returns: the contradictions between keys. The configuration is complete if there are none and no key was
  ///   refused.
  mutating func resolve() -> [ConfigurationError.Problem] {
    for key in keys.rows {
      if let set = setters[key.path] { set(&self) } else { key.setDefault(&configuration) }
    }
    let strays = strays
    guard strays.isEmpty else { return strays }
    let problems =
      keys.games.flatMap { resolveRules(of: $0) } + resolveRules() + resolveNetwork()
    // The default depends on the network, and is stored as `nil`.
    if configuration.training.gamesAtOnce == configuration.suitableGamesAtOnce {
      configuration.training.gamesAtOnce = nil
    }
    return problems + idle.map { problem($0.path, .contradiction($0.refusal)) }
      + ConfigurationCheck.contradictions.compactMap { $0.problem(in: self) } + clashes
  }

  /// Settings that are allowed and have no effect. They are not errors, because checkpoints of earlier runs have such
  /// settings, too, and a later `training.games` may give them an effect.
  ///
  /// - Precondition: the settings are resolved, without problems.
  func warnings() -> [ConfigurationError.Problem] {
    ConfigurationCheck.warnings.compactMap { $0.problem(in: self) }
  }

  /// Settings that are given at a resume, outside the file, and can no longer have an effect. They are not errors,
  /// because a script may give all its settings again.
  ///
  /// - Precondition: the settings are resolved, without problems.
  func warnings(resuming past: RunConfiguration.Past) -> [ConfigurationError.Problem] {
    let resumption = Resumption(before: past.configuration, now: configuration, games: past.games)
    return keys.rows.filter { rank(of: $0.path) > 0 }.compactMap { key in
      key.spent(resumption).map { why in
        let played = CountText.text(past.games, "game")
        return problem(key.path, .contradiction("has no effect any more after \(played): \(why)"))
      }
    }
  }
}

// MARK: State of a key

extension ConfigurationSettings {
  /// The precedence of the source that set a key last; -1 for none.
  func rank(of path: String) -> Int { sources[path]?.rank ?? -1 }

  /// Whether a source names the key, also with a value that was refused.
  func isNamed(_ path: String) -> Bool { sources[path] != nil }

  /// Whether a source gives the key a value.
  func isGiven(_ path: String) -> Bool { setters[path] != nil }

  /// Whether no value of these keys was refused.
  func isKnown(_ paths: String...) -> Bool { isKnown(paths) }

  func isKnown(_ paths: [String]) -> Bool { refused.isDisjoint(with: paths) }

  /// A problem of a key, at the source that set it.
  func problem(_ path: String, _ reason: ConfigurationError.Reason, at source: ConfigurationError.Source? = nil)
    -> ConfigurationError.Problem
  {
    ConfigurationError.Problem(source: source ?? sources[path] ?? .program, key: path, reason: reason)
  }
}

// MARK: Relations between keys

extension ConfigurationSettings {
  /// Problems of keys of another game.
  private var strays: [ConfigurationError.Problem] {
    guard isKnown("game") else { return [] }
    return keys.rows.filter { isNamed($0.path) }.compactMap { key in
      guard let game = key.need?.game, game != configuration.game else { return nil }
      return problem(key.path, .contradiction(ConfigurationKey.Need.game(game).refusal))
    }
  }

  /// Keys that are set and have no effect, each with its refusal.
  var idle: [(path: String, refusal: String)] {
    keys.rows.compactMap { key in
      guard let need = key.need, isKnown(need.known), !need.isMet(configuration),
        key.isChanged(in: configuration) ?? isNamed(key.path)
      else { return nil }
      return (key.path, need.refusal)
    }
  }

  /// Problems of settings that cannot be combined with a feature of the configuration.
  private var clashes: [ConfigurationError.Problem] {
    let dense = configuration.clashes(with: .dense).map {
      problem($0.path, .contradiction("is not for a dense network (network.dense): \($0.text)"))
    }
    guard configuration.training.replicas > 1 else { return dense }
    return dense
      + configuration.unreplicated.map {
        problem("training.replicas", .contradiction("replicas cannot be used with \($0): leave out one of the two"))
      }
  }
}

extension RunConfiguration {
  /// The settings that cannot be combined with a feature, if the configuration has the feature.
  func clashes(with feature: ConfigurationKey.Clash.Feature) -> [(path: String, text: String)] {
    guard feature != .dense || dense.isDense else { return [] }
    return keys.rows.compactMap { key in
      guard let clash = key.clash, clash.feature == feature, clash.isSet(self) else { return nil }
      return (key.path, clash.text(self))
    }
  }

  /// Settings that cannot be combined with replicas, because they keep values in addition to the weights that cannot be
  /// merged.
  package var unreplicated: [String] { clashes(with: .replicas).map(\.text) }
}
