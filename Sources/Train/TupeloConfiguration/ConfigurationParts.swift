internal import TupeloEngine
internal import TupeloModels
internal import TupeloNetwork

/// Parts of the rules and of the network. The parts of one property are only valid together, so they wait here until
/// all sources are read.
struct ConfigurationParts {
  /// The numbers in the rules of a game, by path.
  var numbers: [String: Int] = [:]

  var rows: Int
  var columns: Int
  var fourProbability: Double
  var startTiles: Int

  /// A layout or patterns give the network. The source of the higher rank decides which of them.
  var layout: NamedLayout?
  var patterns: [PatternText]?
  /// Whether patterns share their tables; `nil` for the choice of the layout.
  var sharesSymmetries: Bool?
  var stages: StagePartition

  /// The parts of a configuration, as defaults. It has no text of a network.
  init(of configuration: RunConfiguration) {
    let rules = configuration.rules
    (rows, columns) = (rules.shape.rows, rules.shape.columns)
    (fourProbability, startTiles) = (rules.fourProbability, rules.startTiles)
    stages = configuration.network.stages
  }
}

// MARK: Rules

extension ConfigurationSettings {
  /// Makes the rules of a game from its numbers.
  mutating func resolveRules(of game: GameKind) -> [ConfigurationError.Problem] {
    func path(_ key: RulesKey) -> String { "\(game.name).\(key.name)" }
    guard let type = game.rules, let last = type.keys.last, isKnown(type.keys.map(path)) else { return [] }
    let standard = (configuration.game == game ? configuration.gameRules : game.standardRules).base
    func make<R: PlayedRules>(_ type: R.Type) throws -> GameRules {
      GameRules(try type.init { parts.numbers[path($0)] ?? standard.number(of: $0) })
    }
    do {
      let rules = try make(type)
      if configuration.game == game { configuration.gameRules = rules }
      return []
    } catch {
      return [problem(path(last), .gameRules("\(error)"))]
    }
  }

  private var hasShape: Bool { isKnown("rules.rows", "rules.columns") }

  mutating func resolveRules() -> [ConfigurationError.Problem] {
    guard hasShape else { return [] }
    let standard = configuration.rules.fourProbability
    do throws(RulesError) {
      let shape = try BoardShape(rows: parts.rows, columns: parts.columns)
      // The shape is valid, even if other parts are not, so that patterns can be read for it.
      configuration.rules = try Rules(shape: shape, fourProbability: standard, startTiles: 1)
      configuration.rules = try Rules(
        shape: shape, fourProbability: parts.fourProbability, startTiles: parts.startTiles)
      return []
    } catch {
      return [problem("rules.start_tiles", .rules(error))]
    }
  }
}

// MARK: Network

extension ConfigurationSettings {
  mutating func resolveNetwork() -> [ConfigurationError.Problem] {
    let (layoutRank, patternsRank) = (rank(of: "network.layout"), rank(of: "network.patterns"))
    let (read, refusals) = readPatterns()
    var problems = refusals
    if patternsRank >= 0, patternsRank == layoutRank { problems.append(problem("network.patterns", .twoNetworks)) }
    // A part of the network or the board is unknown, and its problem is already reported.
    guard problems.isEmpty, hasShape, isKnown("network.layout", "network.patterns") else { return problems }
    return resolveNetwork(of: patternsRank > layoutRank ? read : nil)
  }

  private func readPatterns() -> ([TuplePattern], [ConfigurationError.Problem]) {
    let shape = hasShape ? configuration.rules.shape : .standard
    var problems: [ConfigurationError.Problem] = []
    var read: [TuplePattern] = []
    for text in parts.patterns ?? [] {
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

  /// - Parameter patterns: `nil` for the patterns of the layout
  private mutating func resolveNetwork(of patterns: [TuplePattern]?) -> [ConfigurationError.Problem] {
    let shape = configuration.rules.shape
    let name = parts.layout?.name ?? RunConfiguration.standardLayout
    guard patterns != nil || shape == .standard else {
      let blamed = ["network.layout", "rules.rows", "rules.columns"].first(where: isNamed) ?? "network.layout"
      return [problem(blamed, .layoutShape(layout: name, rules: shape))]
    }
    do {
      let layout = patterns == nil ? try parts.layout?.specification() ?? RunConfiguration.standardNetwork : nil
      configuration.network = try NetworkSpecification(
        patterns: patterns ?? layout?.patterns ?? [], shape: shape,
        sharesSymmetries: parts.sharesSymmetries ?? layout?.sharesSymmetries ?? true, stages: parts.stages)
      return []
    } catch let error as NetworkSpecificationError {
      return [problem(patterns == nil ? "network.stages" : "network.patterns", .network(error))]
    } catch {
      preconditionFailure("the layout \(name) is not a network: \(error)")
    }
  }
}
