internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

extension RunConfiguration {
  /// The settings that give this configuration: those that have an effect.
  package var settings: Settings {
    var settings = Settings()
    for key in keys.rows where key.isWritten(self) { settings.values[key.path] = key.value(self) }
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
    game = keys.usualGame
    // These defaults depend on other settings. All other defaults are those of the properties.
    let (hidden, lambda): ([Int]?, Float) = (settings["network.dense.hidden"], settings["learner.lambda"] ?? 0)
    if hidden?.isEmpty == false { (stepSize, batch) = (.adam(), 64) }
    returns = LambdaReturn(lambda: lambda, steps: LambdaReturn.steps(for: lambda))
    // A step-size rule comes before its step size in the table, because it has a default step size.
    for key in keys.rows { key.assign(settings, &self) }

    var parts = Parts(said: settings, refused: refused)
    if game == .twentyFortyEight { parts.makeBoard(&self) } else { parts.makeRules(&self) }
    // The default depends on the network, and is stored as `nil`.
    if training.gamesAtOnce == suitableGamesAtOnce { training.gamesAtOnce = nil }
    if refused.isEmpty, parts.found.isEmpty { parts.found = conflicts(in: settings, keys) }
    try parts.found.refuse()
  }

  /// Checks a configuration that a program has made, as strictly as a configuration from a file.
  public func validate() throws(ConfigurationError) {
    var found = Findings()
    for key in keys.rows where key.isWritten(self) {
      if let refusal = key.refusal(self) { found.add(key.path, .refused(refusal, expected: key.expected)) }
    }
    found.add(
      "network", if: network.shape != rules.shape,
      "the network is for a \(network.shape) board, the rules are for \(rules.shape)")
    if found.isEmpty { found = conflicts(in: settings, keys) }
    try found.refuse()
  }

  /// The problems of settings whose values are all allowed: keys that do not apply, or else contradictions.
  private func conflicts(in settings: Settings, _ keys: ConfigurationKeys) -> Findings {
    var found = Findings()
    for key in keys.rows { found.add(key.path, key.refusal(of: settings, in: self)) }
    return found.isEmpty ? contradictions(in: settings) : found
  }
}

extension GameKind {
  /// The key for a number in the rules: `set.features`.
  func path(of key: RulesKey) -> String { "\(name).\(key.name)" }
}

/// Makes the parts of a configuration that several keys make together, and collects what is wrong with them.
private struct Parts {
  let said: Settings
  let refused: Set<String>
  var found = Findings()

  private func isKnown(_ keys: [String]) -> Bool { refused.isDisjoint(with: keys) }

  /// Makes the rules of a game other than 2048 from their numbers.
  mutating func makeRules(_ configuration: inout RunConfiguration) {
    let game = configuration.game
    guard let type = game.rules, let last = type.keys.last, isKnown(type.keys.map(game.path)) else { return }
    func make<R: PlayedRules>(_ type: R.Type) throws -> GameRules {
      GameRules(try type.init { said[game.path(of: $0)] ?? R.standard.number(of: $0) })
    }
    do { configuration.gameRules = try make(type) } catch { found.add(game.path(of: last), "\(error)") }
  }

  /// Makes the rules of 2048, and the network over its board.
  mutating func makeBoard(_ configuration: inout RunConfiguration) {
    let standard = Rules.standard
    var shape: BoardShape?
    if isKnown(["rules.rows", "rules.columns"]) {
      do throws(RulesError) {
        let board = try BoardShape(
          rows: said["rules.rows"] ?? standard.shape.rows, columns: said["rules.columns"] ?? standard.shape.columns)
        shape = board
        configuration.rules = try Rules(
          shape: board, fourProbability: said["rules.four_probability"] ?? standard.fourProbability,
          startTiles: said["rules.start_tiles"] ?? standard.startTiles)
      } catch {
        found.add("rules.start_tiles", "\(error)")
      }
    }
    let (layout, texts): (String?, [String]?) = (said["network.layout"], said["network.patterns"])
    let patterns = texts.flatMap { self.patterns($0, on: shape) }
    found.add(
      "network.patterns", if: layout != nil && texts != nil,
      "network.layout and network.patterns both name the network: give one of them")
    guard let shape, isKnown(["network.layout", "network.patterns"]) else { return }
    guard texts == nil || patterns != nil && layout == nil else { return }
    makeNetwork(&configuration, patterns, NamedLayout.named(layout ?? RunConfiguration.standardLayout), on: shape)
  }

  /// The patterns with these texts; `nil` if one of them is wrong, which is then a problem.
  ///
  /// - Parameter shape: the board; `nil` if the rules were refused, so that it is unknown which cells are on the board
  private mutating func patterns(_ texts: [String], on shape: BoardShape?) -> [TuplePattern]? {
    var patterns: [TuplePattern] = []
    var wrong: [String] = []
    for text in texts {
      do throws(TuplePatternError) {
        patterns.append(try TuplePattern(text: text, shape: shape ?? .standard))
      } catch {
        if case .cellOffBoard = error, shape == nil { continue }
        wrong.append(Spelling.printable("\(error)", limit: 300))
      }
    }
    let limit = ConfigurationDocument.problemLimit
    for text in wrong.prefix(limit) { found.add("network.patterns", text) }
    if wrong.count > limit { found.add("network.patterns", .further) }
    return wrong.isEmpty ? patterns : nil
  }

  /// - Parameter patterns: `nil` for the patterns of the layout
  private mutating func makeNetwork(
    _ configuration: inout RunConfiguration, _ patterns: [TuplePattern]?, _ layout: NamedLayout?, on shape: BoardShape
  ) {
    guard patterns != nil || shape == .standard else {
      let blamed = ["network.layout", "rules.rows"].first { said.values[$0] != nil } ?? "rules.columns"
      let name = layout?.name ?? ""
      return found.add(
        blamed, "the network \(name) is for the 4x4 board, not for \(shape): give network.patterns for that board")
    }
    do {
      let named = patterns == nil ? try layout?.specification() : nil
      configuration.network = try NetworkSpecification(
        patterns: patterns ?? named?.patterns ?? [], shape: shape,
        sharesSymmetries: said["network.symmetries"] ?? named?.sharesSymmetries ?? true,
        stages: said["network.stages"] ?? .single)
    } catch {
      found.add(patterns == nil ? "network.stages" : "network.patterns", "\(error)")
    }
  }
}
