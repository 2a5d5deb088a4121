internal import TupeloLearning

/// An episode under way, which a worker plays and learns from in turn with others.
///
/// The features of its choices lie in banks of `choiceLimit` slots, as many as the learner's `window` says, used one
/// after the other.
struct EpisodeInPlay<Game: SelfPlayGame, L: Learner & ~Copyable>: Sendable {
  let number: Int
  var position: Game.Position
  /// The choices of the position.
  var choices: Game.Choices
  var result = EpisodeResult(isFresh: true)
  var learning: L.Episode
  /// Where the features of choice 0 are.
  private(set) var slot: Int
  private let firstSlot: Int
  private let endSlot: Int

  /// Makes room for an episode, which has not begun.
  init(_ number: Int, of game: Game, _ learning: L.Episode, window: Int) {
    self.number = number
    position = game.idlePosition
    choices = game.choices(of: position)
    self.learning = learning
    firstSlot = number * window * Game.choiceLimit
    endSlot = firstSlot + window * Game.choiceLimit
    slot = firstSlot
  }

  /// Goes on to the next bank.
  @inline(__always)
  mutating func turnBank() {
    slot += Game.choiceLimit
    if slot == endSlot { slot = firstSlot }
  }
}
