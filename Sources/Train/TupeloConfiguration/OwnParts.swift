/// The parts of a run that a program outside of this package defines: their names, for files and messages. `nil` stands
/// for a part of this package.
public struct OwnParts: Hashable, Sendable {
  public var game: String?
  public var encoder: String?
  public var rule: String?
  public var learner: String?

  public init(game: String? = nil, encoder: String? = nil, rule: String? = nil, learner: String? = nil) {
    (self.game, self.encoder, self.rule, self.learner) = (game, encoder, rule, learner)
  }
}
