internal import TupeloEngine
package import TupeloLearning

/// A game of one player against chance, for self-play: a start, choices with rewards, and chance after each choice.
///
/// An episode is a sequence of position, choice, state after the choice, and next position, which chance makes of that
/// state. It ends when there is no choice.
package protocol SelfPlayGame: Sendable {
  associatedtype Position: Sendable
  associatedtype Choices: ChoiceSet
  /// The start positions of episodes.
  associatedtype Starts: EpisodeStarting where Starts.Position == Position

  /// The largest number of choices of any position.
  static var choiceLimit: Int { get }

  /// A placeholder position for an episode that has not begun.
  var idlePosition: Position { get }

  func choices(of position: Position) -> Choices

  /// The position after a choice and its chance outcome.
  func position(after choices: Choices, choice: Int, using random: inout RandomStream) -> Position

  /// The outcome of a game that ended here, for statistics: in 2048 the exponent of the largest tile.
  func outcome(of position: Position) -> Int
}

/// Gives the start positions of consecutive episodes, and remembers what it needs for that.
package protocol EpisodeStarting: Sendable {
  associatedtype Position: Sendable

  /// Whether it needs to see the positions of episodes.
  var remembers: Bool { get }

  /// The first position of the next episode.
  mutating func next(using random: inout RandomStream) -> EpisodeStartPosition<Position>

  /// Takes note of a position of the running episode, before its choice.
  mutating func visit(_ position: Position)

  /// All that it remembers between episodes, as words for a checkpoint.
  var words: [UInt64] { get }

  /// Restores its memory from the front of `words` and removes it there.
  ///
  /// - Returns: false when the words are not those of such starts.
  mutating func restore(from words: inout ArraySlice<UInt64>) -> Bool
}

/// The first position of an episode.
package struct EpisodeStartPosition<Position: Sendable>: Sendable {
  package var position: Position
  /// Whether the position is a new game. A score from the middle of a game says nothing about whole games.
  package var isFresh: Bool

  package init(position: Position, isFresh: Bool) {
    self.position = position
    self.isFresh = isFresh
  }
}
