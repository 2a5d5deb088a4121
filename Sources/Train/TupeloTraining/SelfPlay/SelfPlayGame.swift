public import TupeloEngine
public import TupeloLearning

/// A game of one player against chance, for self-play: a start, choices with rewards, and chance after each choice.
///
/// An episode is a sequence of position, choice, state after the choice, and next position, which chance makes of that
/// state. It ends when there is no choice. What is learned is the value of the states after choices: the sum of the
/// rewards that follow.
///
/// Workers call these methods for every choice. In a module that defines a game they cost nothing but their own work,
/// because the compiler sees them; those of a game in another module should be `@inlinable`.
public protocol SelfPlayGame: Sendable {
  associatedtype Position: Sendable
  associatedtype Choices: ChoiceSet
  /// The start positions of episodes: fresh ones, unless the game says otherwise.
  associatedtype Starts: EpisodeStarting = FreshStarts<Position> where Starts.Position == Position

  /// The game's name in files: lower-case letters, digits and hyphens. A checkpoint of one game does not go on as
  /// another.
  var name: String { get }

  /// The largest number of choices of any position: every choice's number is below it.
  static var choiceLimit: Int { get }

  /// The position at the start of a new game.
  func start(using random: inout RandomStream) -> Position

  /// A position that may stand for an episode that has not begun; a start by default.
  var idlePosition: Position { get }

  func choices(of position: Position) -> Choices

  /// The position after a choice and its chance outcome.
  func position(after choices: Choices, choice: Int, using random: inout RandomStream) -> Position

  /// The outcome of a game that ended here, for statistics, in 0...27: in 2048 the exponent of the largest tile. 0 by
  /// default.
  func outcome(of position: Position) -> Int

  /// Gives one series of episodes its starts. Each of a worker's interleaved episodes has its own.
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

/// Gives the start positions of consecutive episodes, and remembers what it needs for that.
public protocol EpisodeStarting: Sendable {
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
public struct EpisodeStartPosition<Position: Sendable>: Sendable {
  public var position: Position
  /// Whether the position is a new game. A score from the middle of a game says nothing about whole games.
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
