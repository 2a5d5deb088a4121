public import TupeloLearning

/// An episode in progress. A worker plays it and learns from it, interleaved with other episodes.
///
/// The features of its choices are in banks of `choiceLimit` slots. The learner's `window` gives the number of banks,
/// which are used one after the other.
@usableFromInline
struct EpisodeInPlay<Game: SelfPlayGame, L: Learner & ~Copyable>: Sendable {
  @usableFromInline let number: Int
  @usableFromInline var position: Game.Position
  /// The choices of the position.
  @usableFromInline var choices: Game.Choices
  @usableFromInline var result = EpisodeResult(isFresh: true)
  @usableFromInline var learning: L.Episode
  /// The slot of choice 0's features.
  @usableFromInline var slot: Int
  @usableFromInline let firstSlot: Int
  @usableFromInline let endSlot: Int

  /// Makes the memory for an episode that has not begun.
  init(_ number: Int, of game: Game, _ learning: L.Episode, window: Int) {
    self.number = number
    position = game.idlePosition
    choices = game.choices(of: position)
    self.learning = learning
    firstSlot = number * window * Game.choiceLimit
    endSlot = firstSlot + window * Game.choiceLimit
    slot = firstSlot
  }

  /// Moves on to the next bank.
  @inlinable @inline(__always)
  mutating func turnBank() {
    slot += Game.choiceLimit
    if slot == endSlot { slot = firstSlot }
  }
}
