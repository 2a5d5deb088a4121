internal import TupeloEngine
internal import TupeloLearning

/// A game in progress that a worker plays and learns from, in turn with others.
///
/// Its features lie in banks of four slots, used one after the other: the candidates of the coming move, the states that wait for their
/// targets, and the one that has got its target and is about to learn.
struct TurnGame: Sendable {
  let number: Int
  var board = Board.empty
  /// Where moves on the board lead.
  var successors: Successors
  var result = EpisodeResult(isFresh: true)
  /// Of the bank of the successors.
  private(set) var slot: Int
  /// The state that is about to learn.
  var due: Lesson?
  var pending: PendingStates
  /// Its afterstates, where it is learned from when it is over.
  var trajectory: [Step] = []
  private let firstSlot: Int
  private let endSlot: Int

  /// A move of an episode.
  struct Step {
    var afterstate: Afterstate
    var reward: Float
    /// Reward plus value of the best move, where another was made to explore.
    var foregone: Float?
  }

  init(_ number: Int, _ returns: LambdaReturn, firstSlot: Int, _ table: MoveTable) {
    self.number = number
    successors = table.successors(of: board)
    pending = PendingStates(returns)
    slot = firstSlot
    self.firstSlot = firstSlot
    endSlot = firstSlot + Self.banks(returns) * 4
  }

  /// How many banks of four slots each game has.
  static func banks(_ returns: LambdaReturn) -> Int { (returns.steps ?? 1) + 2 }

  /// Goes on to the next bank.
  @inline(__always)
  mutating func turnBank() {
    slot += 4
    if slot == endSlot { slot = firstSlot }
  }
}
