/// A game that can be trained, evaluated and played: its name, its rules, its kinds of models, and what reports and
/// cards say of it.
///
/// Everything that other rooms need to know of a game is in such a value, which the game's own room makes. Two of them
/// are equal when they have the same name.
public struct GameKind: Sendable {
  /// The name in configurations, files and on the command line: `2048`.
  public let name: String
  /// The name in sentences.
  public let title: String
  /// The name in a list of games: `the card game Set for one player`.
  public let phrase: String
  /// The type of the game's rules; `nil` for a game with one set of rules, which no file has to tell.
  public let rules: (any PlayedRules.Type)?
  /// The models of tables.
  public let tables: (any ModelKind)?
  /// The dense networks, where the program has them.
  public var dense: (any ModelKind)?
  /// What reports say of results.
  public var results: ResultTexts
  /// What model cards say.
  public var card: CardTexts

  /// - Parameters:
  ///   - name: letters, digits and `. _ + -`
  ///   - title: the name in sentences
  ///   - phrase: the name in a list of games; `nil` for the title
  public init(
    name: String, title: String, phrase: String? = nil, rules: (any PlayedRules.Type)? = nil,
    tables: (any ModelKind)? = nil,
    dense: (any ModelKind)? = nil, results: ResultTexts = ResultTexts(), card: CardTexts? = nil
  ) {
    self.name = name
    self.title = title
    self.phrase = phrase ?? title
    self.rules = rules
    self.tables = tables
    self.dense = dense
    self.results = results
    self.card = card ?? CardTexts(tag: name, introduction: "A model that plays \(title).", legend: "Scores in points.")
  }

  /// The game with dense networks as a kind of its models.
  public func with(dense: any ModelKind) -> GameKind {
    var game = self
    game.dense = dense
    return game
  }

  /// The rules that a configuration has which says nothing of them.
  public var standardRules: GameRules {
    func standard<R: PlayedRules>(_ type: R.Type) -> GameRules { GameRules(type.standard) }
    return rules.map { standard($0) } ?? GameRules(OnlyRules(game: self))
  }
}

/// The rules of a game that has no others.
private struct OnlyRules: PlayedRules {
  let game: GameKind
  var playground: String { game.title }
  var reportFields: [String: any Sendable] { ["game": game.name] }
  var shardFields: [String: Double] { [:] }
  var reported: [OutcomeRange] { game.results.recorded }
  var milestones: [OutcomeRange] { [game.results.milestone] }

  static var standard: OnlyRules { preconditionFailure("only a game makes these rules") }

  init(game: GameKind) { self.game = game }
  init?(shard field: (String) throws -> Double?) { nil }
}

extension GameKind: Hashable {
  public static func == (a: GameKind, b: GameKind) -> Bool { a.name == b.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension GameKind: CustomStringConvertible {
  public var description: String { name }
}

extension GameKind {
  /// A mean score, or half of its interval, as reports show it: points in full, Sets with three digits.
  package func text(ofMean mean: Double) -> String {
    results.digits == 0 ? NumberText.grouped(mean) : NumberText.decimals(mean, results.digits)
  }

  /// A mean score without separators.
  package func plainText(ofMean mean: Double) -> String {
    results.digits == 0 ? NumberText.whole(mean) : NumberText.decimals(mean, results.digits)
  }
}
