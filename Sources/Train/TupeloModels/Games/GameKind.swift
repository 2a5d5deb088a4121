/// A game that can be trained, evaluated and played: its name, and what reports and cards say of it.
///
/// Everything that other rooms need to know of a game is in such a value, which the game's own room makes. Two of them
/// are equal when they have the same name.
public struct GameKind: Sendable {
  /// The name in configurations, files and on the command line: `2048`.
  public let name: String
  /// The name in sentences.
  public let title: String
  /// What reports say of results.
  public var results: ResultTexts
  /// What model cards say.
  public var card: CardTexts

  /// - Parameters:
  ///   - name: letters, digits and `. _ + -`
  ///   - title: the name in sentences
  public init(name: String, title: String, results: ResultTexts = ResultTexts(), card: CardTexts? = nil) {
    self.name = name
    self.title = title
    self.results = results
    self.card = card ?? CardTexts(tag: name, introduction: "A model that plays \(title).", legend: "Scores in points.")
  }
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
