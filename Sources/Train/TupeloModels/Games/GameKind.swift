/// A game that can be trained, evaluated and played: its name, its rules, its kinds of models, and its texts in reports
/// and cards.
///
/// Such a value, defined in the game's own module, has everything that other modules need about the game. Two values
/// are equal when their names are equal.
public struct GameKind: Sendable {
  /// The name in configurations, files and on the command line: `2048`.
  public let name: String
  /// The name in sentences.
  public let title: String
  /// The name in a list of games: `the card game Set for one player`.
  public let phrase: String
  /// The type of the game's rules; `nil` for a game with only one set of rules, which files need not contain.
  public let rules: (any PlayedRules.Type)?
  /// The kind of models that are tables; `nil` if the game has no such models.
  public let tables: (any ModelKind)?
  /// The kind of dense networks; `nil` if the program does not support them for this game.
  public var dense: (any ModelKind)?
  /// The texts and rates of results in reports.
  public var results: ResultTexts
  /// The texts of model cards.
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

  /// The rules of a configuration that does not set any.
  public var standardRules: GameRules {
    func standard<R: PlayedRules>(_ type: R.Type) -> GameRules { GameRules(type.standard) }
    return rules.map { standard($0) } ?? GameRules(OnlyRules(game: self))
  }
}

/// The rules of a game with only one set of rules.
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
  /// A mean score as reports show it: points in full, Sets with three digits.
  package func text(ofMean mean: Double) -> String { NumberText.grouped(mean, digits: results.digits) }

  /// A mean score with half of its interval: `70,023 ± 1,324`. If the interval is below one point, as on small boards,
  /// both have digits after the point: `67.10 ± 0.33`.
  ///
  /// - Parameter margin: half of the interval; `nil` for none, and infinite where it is unknown
  package func text(ofMean mean: Double, margin: Double?) -> String {
    guard let margin else { return text(ofMean: mean) }
    return NumberText.grouped(mean, digits: digits(for: margin)) + " ± " + text(ofMargin: margin)
  }

  /// Half of an interval of mean scores, or a difference that can be detected.
  package func text(ofMargin margin: Double) -> String {
    margin.isFinite ? NumberText.grouped(margin, digits: digits(for: margin)) : "?"
  }

  /// The digits after the point: as many as a margin below one point needs for two digits of its own.
  private func digits(for margin: Double) -> Int {
    guard results.digits == 0, margin > 0, margin < 1 else { return results.digits }
    var (digits, rest) = (2, margin)
    while rest < 0.1, digits < 6 { (digits, rest) = (digits + 1, rest * 10) }
    return digits
  }

  /// A mean score without separators.
  package func plainText(ofMean mean: Double) -> String {
    results.digits == 0 ? NumberText.whole(mean) : NumberText.decimals(mean, results.digits)
  }
}
