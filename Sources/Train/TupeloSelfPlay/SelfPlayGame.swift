public import TupeloBase
public import TupeloLearning

/// A game of one player against chance, for self-play: a start, choices with rewards, and chance after each choice.
///
/// An episode is a sequence of position, choice, state after the choice, and next position, which chance makes of that
/// state. It ends when there is no choice. Training learns the values of the states after choices: the sum of the
/// rewards that follow.
///
/// Workers call these methods for every choice. In the module that defines the game, the compiler can inline them. If
/// the game is in another module than the call that makes the trainer, they should be `@inlinable`.
public protocol SelfPlayGame: Sendable {
  associatedtype Position: Sendable
  associatedtype Choices: ChoiceSet
  /// The type of start positions of episodes: new games, unless the game defines another type.
  associatedtype Starts: EpisodeStarting = FreshStarts<Position> where Starts.Position == Position

  /// The game's name in files: lower-case letters, digits and hyphens. A checkpoint of one game cannot be resumed as
  /// another game.
  var name: String { get }

  /// The largest number of choices of any position. The number of every choice is below it.
  static var choiceLimit: Int { get }

  /// The position at the start of a new game.
  func start(using random: inout RandomStream) -> Position

  /// A position for an episode that has not begun; by default a start position.
  var idlePosition: Position { get }

  func choices(of position: Position) -> Choices

  /// The position after a choice and its chance outcome.
  func position(after choices: Choices, choice: Int, using random: inout RandomStream) -> Position

  /// The outcome of a game that ended here, for statistics, in `GameResult.outcomes`: in 2048 the exponent of the
  /// largest tile. 0 by default.
  func outcome(of position: Position) -> Int

  /// Makes the starts for one series of episodes. Each of a worker's interleaved episodes has its own starts.
  func makeStarts() -> Starts
}

extension SelfPlayGame {
  public var idlePosition: Position {
    var random = RandomStream(seed: 0)
    return start(using: &random)
  }

  @inlinable public func outcome(of position: Position) -> Int { 0 }
}

extension SelfPlayGame where Starts == FreshStarts<Position> {
  public func makeStarts() -> FreshStarts<Position> { FreshStarts { start(using: &$0) } }
}

/// Gives the start positions of consecutive episodes, and keeps the positions that it needs for this.
public protocol EpisodeStarting: Sendable {
  associatedtype Position: Sendable

  /// Whether `visit` must be called for the positions of episodes.
  var remembers: Bool { get }

  /// The first position of the next episode.
  mutating func next(using random: inout RandomStream) -> EpisodeStartPosition<Position>

  /// Records a position of the running episode, before its choice.
  mutating func visit(_ position: Position)

  /// All positions that it keeps between episodes, as words for a checkpoint.
  var words: [UInt64] { get }

  /// Restores its memory from the front of `words` and removes it there.
  ///
  /// - Returns: false if the words do not come from such starts.
  mutating func restore(from words: inout ArraySlice<UInt64>) -> Bool
}

/// The first position of an episode.
public struct EpisodeStartPosition<Position: Sendable>: Sendable {
  public var position: Position
  /// Whether the position is a new game. A score from the middle of a game is not a score of a whole game.
  public var isFresh: Bool

  @inlinable
  public init(position: Position, isFresh: Bool) {
    self.position = position
    self.isFresh = isFresh
  }
}

/// Every episode begins with a new game.
public struct FreshStarts<Position: Sendable>: EpisodeStarting {
  private let start: @Sendable (inout RandomStream) -> Position

  /// - Parameter start: draws the first position of a game
  public init(_ start: @escaping @Sendable (inout RandomStream) -> Position) { self.start = start }

  public var remembers: Bool { false }

  public func next(using random: inout RandomStream) -> EpisodeStartPosition<Position> {
    EpisodeStartPosition(position: start(&random), isFresh: true)
  }

  public func visit(_ position: Position) {}

  public var words: [UInt64] { [] }

  public func restore(from words: inout ArraySlice<UInt64>) -> Bool { true }
}
