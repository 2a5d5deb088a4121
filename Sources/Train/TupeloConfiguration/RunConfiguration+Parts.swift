internal import TupeloBase
internal import TupeloEngine
internal import TupeloModels
internal import TupeloNetwork

// Keys that make a property together with other keys can only read it. `RunConfiguration(_:of:)` or `Parts` makes it.
extension RunConfiguration {
  /// A configuration names its patterns, and not the layout that has them.
  var layout: String? { nil }

  var patternTexts: [String] { network.patterns.map(\.text) }

  /// A number in the rules of a game other than 2048.
  subscript(number key: RulesKey, of game: GameKind) -> Int {
    (game == self.game ? gameRules : game.standardRules).base.number(of: key)
  }
}

/// Makes the parts of a configuration that several keys make together, and collects what is wrong with them.
struct Parts {
  let said: Settings
  let refused: Set<String>
  var found: [ConfigurationError.Problem] = []

  private func isKnown(_ keys: ConfigurationKey...) -> Bool { refused.isDisjoint(with: keys.map(\.path)) }

  /// Makes the rules of a game other than 2048 from their numbers.
  mutating func makeRules(_ configuration: inout RunConfiguration) {
    let game = configuration.game
    let keys = ConfigurationKey.numbers(of: game)
    guard let type = game.rules, let last = keys.last, refused.isDisjoint(with: keys.map(\.path)) else { return }
    func make<R: PlayedRules>(_ type: R.Type) throws -> GameRules {
      GameRules(try type.init { said[ConfigurationKey.number($0, of: game)] ?? R.standard.number(of: $0) })
    }
    do { configuration.gameRules = try make(type) } catch { found.add(last, "\(error)") }
  }

  /// Makes the rules of 2048, and the network over its board.
  mutating func makeBoard(_ configuration: inout RunConfiguration) {
    let standard = Rules.standard
    var shape: BoardShape?
    if isKnown(.rows, .columns) {
      do throws(RulesError) {
        let board = try BoardShape(
          rows: said[.rows] ?? standard.shape.rows, columns: said[.columns] ?? standard.shape.columns)
        shape = board
        configuration.rules = try Rules(
          shape: board, fourProbability: said[.fourProbability] ?? standard.fourProbability,
          startTiles: said[.startTiles] ?? standard.startTiles)
      } catch {
        found.add(.startTiles, "\(error)")
      }
    }
    let (layout, texts) = (said[.layout] ?? nil, said[.patterns])
    let patterns = texts.flatMap { self.patterns($0, on: shape) }
    found.add(
      .patterns, if: layout != nil && texts != nil,
      "network.layout and network.patterns both name the network: give one of them")
    guard let shape, isKnown(.layout, .patterns) else { return }
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
    for text in wrong.prefix(limit) { found.add(.patterns, text) }
    if wrong.count > limit { found.add(.patterns, .further) }
    return wrong.isEmpty ? patterns : nil
  }

  /// - Parameter patterns: `nil` for the patterns of the layout
  private mutating func makeNetwork(
    _ configuration: inout RunConfiguration, _ patterns: [TuplePattern]?, _ layout: NamedLayout?, on shape: BoardShape
  ) {
    guard patterns != nil || shape == .standard else {
      let blamed = said[.layout] != nil ? ConfigurationKey.layout : said[.rows] != nil ? .rows : .columns
      let name = layout?.name ?? ""
      return found.add(
        blamed, "the network \(name) is for the 4x4 board, not for \(shape): give network.patterns for that board")
    }
    do {
      let named = patterns == nil ? try layout?.specification() : nil
      configuration.network = try NetworkSpecification(
        patterns: patterns ?? named?.patterns ?? [], shape: shape,
        sharesSymmetries: said[.symmetries] ?? named?.sharesSymmetries ?? true,
        stages: said[.networkStages] ?? .single)
    } catch {
      found.add(patterns == nil ? .networkStages : .patterns, "\(error)")
    }
  }
}
