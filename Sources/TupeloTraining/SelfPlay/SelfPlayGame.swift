package import TupeloEngine
package import TupeloLearning

/// A game of one player against chance, as self-play sees it: a start, choices with rewards, and chance after each
/// choice.
///
/// A position, a choice, the state that the choice leads to, and the next position, which chance makes of it, follow
/// each other until there is no choice.
package protocol SelfPlayGame: Sendable {
  associatedtype Position: Sendable
  associatedtype Choices: ChoiceSet
  /// Where episodes start.
  associatedtype Starts: EpisodeStarting where Starts.Position == Position

  /// More choices than this no position has.
  static var choiceLimit: Int { get }

  /// Any position, for an episode that has not begun.
  var idlePosition: Position { get }

  func choices(of position: Position) -> Choices

  /// The position after a choice and what chance makes of it.
  func position(after choices: Choices, choice: Int, using random: inout RandomStream) -> Position

  /// What statistics say of a game that ended here: for 2048 the exponent of the largest tile.
  func outcome(of position: Position) -> Int
}

/// Where the episodes start that are played one after the other, and what is remembered for it.
package protocol EpisodeStarting: Sendable {
  associatedtype Position: Sendable

  /// Whether it looks at the positions of episodes.
  var remembers: Bool { get }

  /// The next episode's first position.
  mutating func next(using random: inout RandomStream) -> EpisodeStartPosition<Position>

  /// Sees a position of the running episode, before its choice.
  mutating func visit(_ position: Position)

  /// All that it remembers between episodes.
  var words: [UInt64] { get }

  /// Takes `words` back from the front of `words`.
  ///
  /// - Returns: false when they are not of such starts.
  mutating func restore(from words: inout ArraySlice<UInt64>) -> Bool
}

/// Where an episode starts.
package struct EpisodeStartPosition<Position: Sendable>: Sendable {
  package var position: Position
  /// False for a position from the middle of a game, whose score says nothing about whole games.
  package var isFresh: Bool

  package init(position: Position, isFresh: Bool) {
    self.position = position
    self.isFresh = isFresh
  }
}
