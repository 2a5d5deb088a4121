internal import PlainText
internal import SetEngine
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

/// A configuration while it is being read. Keys that are a whole property are set at once. Keys that form one property
/// together wait here.
struct ConfigurationDraft {
  var configuration: RunConfiguration

  var setFeatures: Int?
  var setTable: Int?

  var rows: Int?
  var columns: Int?
  var fourProbability: Double?
  var startTiles: Int?

  var layout: NamedLayout?
  var patterns: [PatternText]?
  var sharesSymmetries: Bool?

  var stepSizeRule: RunConfiguration.StepSize.Rule?
  var alpha: Float?
  var lambda: Float?
  var steps: Int??
  var learnerBatch: Int?

  var stages: StagePartition?
  var startKind: EpisodeStart.Kind?
  var restartMoves: Int?
  var batch: Int?
  var pool: Int?
  var poolTile: Int?
  var poolShare: Double?

  var gamesAtOnce: Int?

  /// The source that set each key last.
  private var sources: [String: ConfigurationError.Source] = [:]
  /// Keys that were refused, from any source.
  private var refused: Set<String> = []

  init(_ configuration: RunConfiguration) {
    self.configuration = configuration
  }

  /// Sets a key; returns the problem if the value is not allowed.
  mutating func set(_ key: ConfigurationKey, to value: ConfigurationValue, source: ConfigurationError.Source)
    -> ConfigurationError.Problem?
  {
    sources[key.path] = source
    do {
      try key.read(value, &self)
      return nil
    } catch {
      refused.insert(key.path)
      return ConfigurationError.Problem(
        source: source, key: key.path, reason: .refused(error, expected: key.expected))
    }
  }

  /// Combines the keys that form one property together.
  ///
  /// - Returns: the contradictions between keys. The configuration is complete if there are none and no key was
  ///   refused.
  mutating func resolve() -> [ConfigurationError.Problem] {
    let isDense = configuration.dense.isDense
    let standardRule = isDense && configuration.stepSize == .temporalCoherence() ? .adam : configuration.stepSize.rule
    configuration.stepSize = RunConfiguration.StepSize(stepSizeRule ?? standardRule, alpha: alpha)
    configuration.batch = learnerBatch ?? (isDense && configuration.batch == 1 ? 64 : configuration.batch)
    let strays = checkGame()
    guard strays.isEmpty else { return strays }
    return resolveSet() + resolveRules() + resolveNetwork() + resolveReturns() + resolveSchedule()
      + resolveStages() + resolveStart() + resolveTurns() + checkBatch() + checkPruning() + checkDense()
      + checkReplicas() + checkEarlyStop()
  }

  /// Whether a key was set beside the file: by an option, by `--set` or by the environment.
  func isOverridden(_ path: String) -> Bool { sources[path].map { $0.rank > 0 } ?? false }

  /// A problem of a key, at the source that set it.
  func problem(_ path: String, _ reason: ConfigurationError.Reason, at source: ConfigurationError.Source? = nil)
    -> ConfigurationError.Problem
  {
    ConfigurationError.Problem(source: source ?? sources[path] ?? .program, key: path, reason: reason)
  }
}

// MARK: Rules

extension ConfigurationDraft {
  /// Problems of keys that have no effect in the game.
  private func checkGame() -> [ConfigurationError.Problem] {
    guard !refused.contains("game") else { return [] }
    return ConfigurationKey.table.filter { sources[$0.path] != nil }.compactMap { key in
      guard let game = key.game, game != configuration.game else { return nil }
      return problem(key.path, .contradiction(.unused(without: "game \(game.rawValue)")))
    }
  }

  private mutating func resolveSet() -> [ConfigurationError.Problem] {
    guard refused.isDisjoint(with: ["set.features", "set.table"]) else { return [] }
    let standard = configuration.set
    do throws(SetRulesError) {
      configuration.set = try SetRules(
        features: setFeatures ?? standard.features, tableSize: setTable ?? standard.tableSize)
      return []
    } catch {
      return [problem("set.table", .setRules(error))]
    }
  }

  private var hasShape: Bool { refused.isDisjoint(with: ["rules.rows", "rules.columns"]) }

  private mutating func resolveRules() -> [ConfigurationError.Problem] {
    guard hasShape else { return [] }
    let standard = configuration.rules
    do throws(RulesError) {
      let shape = try BoardShape(rows: rows ?? standard.shape.rows, columns: columns ?? standard.shape.columns)
      configuration.rules = try Rules(shape: shape, fourProbability: standard.fourProbability, startTiles: 1)
      configuration.rules = try Rules(
        shape: shape, fourProbability: fourProbability ?? standard.fourProbability,
        startTiles: startTiles ?? standard.startTiles)
      return []
    } catch {
      return [problem("rules.start_tiles", .rules(error))]
    }
  }
}

// MARK: Learner

extension ConfigurationDraft {
  private mutating func resolveReturns() -> [ConfigurationError.Problem] {
    guard refused.isDisjoint(with: ["learner.lambda", "learner.steps"]) else { return [] }
    let lambda = lambda ?? configuration.returns.lambda
    let fading = LambdaReturn.steps(for: lambda)
    guard steps != nil || fading != nil else { return [problem("learner.lambda", .contradiction(.endlessLambda))] }
    let steps = steps ?? fading
    if lambda == 0, steps != 1 { return [problem("learner.steps", .contradiction(.stepsWithoutLambda))] }
    configuration.returns = LambdaReturn(lambda: lambda, steps: steps)
    return []
  }

  private func checkBatch() -> [ConfigurationError.Problem] {
    configuration.batch == 1 || configuration.returns == .oneStep || configuration.dense.isDense
      ? [] : [problem("learner.batch", .contradiction(.batchWithLambda))]
  }

  private func checkPruning() -> [ConfigurationError.Problem] {
    let path = "learner.prune_every_games"
    guard configuration.pruneEveryGames > 0, refused.isDisjoint(with: ["network.initial_model"]) else { return [] }
    return configuration.initialModel == nil ? unused([path], without: "network.initial_model") : []
  }

  private func checkEarlyStop() -> [ConfigurationError.Problem] {
    guard configuration.evaluation.everyGames == 0, refused.isDisjoint(with: ["evaluation.every_games"]) else {
      return []
    }
    let evaluation = configuration.evaluation
    return unused(["evaluation.target", "evaluation.patience"], without: "evaluation.every_games, such as 10k") {
      $0 == "evaluation.target" ? evaluation.target > 0 : evaluation.patience > 0
    }
  }

  /// Problems of settings that have no effect with the present other settings.
  ///
  /// - Parameters:
  ///   - need: the setting that would give them an effect
  ///   - isSet: whether a key is set; by default, whether a source names it
  func unused(
    _ paths: [String], without need: String, where isSet: ((String) -> Bool)? = nil
  ) -> [ConfigurationError.Problem] {
    paths.filter { isSet?($0) ?? (sources[$0] != nil) }.map { problem($0, .contradiction(.unused(without: need))) }
  }

  private func resolveSchedule() -> [ConfigurationError.Problem] {
    let schedule = configuration.schedule
    if configuration.stepSize.rule != .temporalCoherence {
      return unused(
        ["learner.warm_up_games", "learner.warm_up_alpha"], without: "learner.step_size temporal-coherence")
    }
    guard let first = schedule.changes.first, first.games < schedule.warmUpGames else { return [] }
    return [
      problem(
        "learner.alpha_schedule", .contradiction(.changeInWarmUp(games: first.games, warmUp: schedule.warmUpGames)))
    ]
  }

  private func resolveStages() -> [ConfigurationError.Problem] {
    guard refused.isDisjoint(with: ["network.stages", "stages.frozen"]) else { return [] }
    let count = configuration.network.stages.count
    guard count > 1 else {
      return unused(
        ["stages.promotion", "stages.after_games", "stages.frozen"], without: "network.stages, such as largest=16384")
    }
    let frozen = Set(configuration.stages.frozen)
    if let wrong = frozen.max(), wrong >= count {
      return [problem("stages.frozen", .contradiction(.noSuchStage(wrong, count: count)))]
    }
    return frozen.count == count ? [problem("stages.frozen", .contradiction(.nothingLearns))] : []
  }

  private mutating func resolveStart() -> [ConfigurationError.Problem] {
    let kind = startKind ?? configuration.start.kind
    let unused = EpisodeStart.keys.filter { sources[$0.key] != nil && !$0.kinds.contains(kind) }
    guard unused.isEmpty else {
      return unused.map {
        problem($0.key, .contradiction(.unused(without: "episodes.start " + Spelling.list($0.kinds.map(\.rawValue)))))
      }
    }
    switch kind {
    case .fresh: configuration.start = .fresh
    case .restart: configuration.start = .restart(moves: restartMoves ?? configuration.start.restartMoves ?? 10)
    case .carousel:
      guard configuration.network.stages.count > 1 || !refused.isDisjoint(with: ["network.stages"]) else {
        return [problem("episodes.start", .contradiction(.unused(without: "network.stages, such as largest=16384")))]
      }
      configuration.start = .carousel(
        batch: batch ?? configuration.start.batch ?? 200, pool: pool ?? configuration.start.poolSize ?? 1000)
    case .pool:
      configuration.start = .pool(
        tile: poolTile ?? configuration.start.tile ?? 16384, share: poolShare ?? configuration.start.share ?? 0.5,
        pool: pool ?? configuration.start.poolSize ?? 1000)
    }
    return []
  }
}

// MARK: Network

extension ConfigurationDraft {
  private mutating func resolveNetwork() -> [ConfigurationError.Problem] {
    let layoutRank = sources["network.layout"]?.rank ?? -1
    let patternsRank = sources["network.patterns"]?.rank ?? -1
    let (read, refusals) = readPatterns()
    var problems = refusals
    if patternsRank >= 0, patternsRank == layoutRank { problems.append(problem("network.patterns", .twoNetworks)) }
    // A part of the network or the board is unknown, and its problem is already reported.
    guard problems.isEmpty, hasShape, refused.isDisjoint(with: ["network.layout", "network.patterns"]) else {
      return problems
    }
    return patternsRank > layoutRank ? resolve(read) : resolve(layout)
  }

  private func readPatterns() -> ([TuplePattern], [ConfigurationError.Problem]) {
    let shape = hasShape ? configuration.rules.shape : .standard
    var problems: [ConfigurationError.Problem] = []
    var read: [TuplePattern] = []
    for text in patterns ?? [] {
      do throws(TuplePatternError) {
        read.append(try TuplePattern(text: text.text, shape: shape))
      } catch {
        // If the board itself was refused, it is unknown which cells are on it.
        if case .cellOffBoard = error, !hasShape { continue }
        guard problems.count < ConfigurationDocument.problemLimit else {
          problems.append(problem("network.patterns", .further, at: text.source))
          break
        }
        problems.append(problem("network.patterns", .pattern(error), at: text.source))
      }
    }
    return (read, problems)
  }

  private mutating func resolve(_ patterns: [TuplePattern]) -> [ConfigurationError.Problem] {
    do throws(NetworkSpecificationError) {
      configuration.network = try NetworkSpecification(
        patterns: patterns, shape: configuration.rules.shape, sharesSymmetries: sharesSymmetries ?? true,
        stages: stages ?? configuration.network.stages)
      return []
    } catch {
      return [problem("network.patterns", .network(error))]
    }
  }

  private mutating func resolve(_ layout: NamedLayout?) -> [ConfigurationError.Problem] {
    let name = layout?.name ?? RunConfiguration.standardLayout
    let shape = configuration.rules.shape
    guard shape == .standard else {
      let blamed = ["network.layout", "rules.rows", "rules.columns"].first { sources[$0] != nil } ?? "network.layout"
      return [problem(blamed, .layoutShape(layout: name, rules: shape))]
    }
    do {
      let named = try layout?.specification() ?? RunConfiguration.standardNetwork
      configuration.network = try NetworkSpecification(
        patterns: named.patterns, shape: named.shape, sharesSymmetries: sharesSymmetries ?? named.sharesSymmetries,
        stages: stages ?? configuration.network.stages)
      return []
    } catch let error as NetworkSpecificationError {
      return [problem("network.stages", .network(error))]
    } catch {
      preconditionFailure("the layout \(name) is no network: \(error)")
    }
  }
}

// MARK: Interleaved games

extension ConfigurationDraft {
  /// Sets the number of interleaved games. It runs after network and learner, because the default number depends on
  /// them and is stored as `nil`.
  private mutating func resolveTurns() -> [ConfigurationError.Problem] {
    if let gamesAtOnce, !configuration.dense.isDense {
      if configuration.game == .set, sources["training.games_at_once"] != nil {
        return unused(["training.games_at_once"], without: "game 2048 or network.dense.hidden")
      }
      guard gamesAtOnce <= 16 else {
        return [problem("training.games_at_once", .contradiction(.manyInterleaved(gamesAtOnce)))]
      }
    }
    configuration.training.gamesAtOnce = gamesAtOnce == configuration.suitableGamesAtOnce ? nil : gamesAtOnce
    return []
  }
}
