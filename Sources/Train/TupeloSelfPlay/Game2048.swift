public import TupeloBase
public import TupeloEngine
public import TupeloLearning
package import TupeloNetwork

/// The game 2048 for self-play: its positions are boards, its choices the legal moves with their rewards in score
/// points, and its states the afterstates, which `TupleIndexer` turns into features.
///
/// `Trainer(_:rule:)` plays it without being told to. Use it with `GreedyGames`, to play by values of your own, or as
/// the base of a game that changes the rules.
public struct Game2048: SelfPlayGame {
  @usableFromInline let table: MoveTable
  @usableFromInline let chance: ChanceModel
  @usableFromInline let rules: Rules
  private let starts: EpisodeStart
  private let stages: StagePartition

  /// - Parameters:
  ///   - starts: the positions where episodes start
  ///   - stages: the stages that starts rotate through
  package init(_ rules: Rules, starts: EpisodeStart, stages: StagePartition = .single) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    (self.rules, self.starts, self.stages) = (rules, starts, stages)
  }

  /// Every episode starts with a new board.
  public init(_ rules: Rules = .standard) { self.init(rules, starts: .fresh) }

  /// The sum of absolute errors A from which on E and A of a weight are halved together.
  ///
  /// Typical errors grow with the largest tiles: a board of 4x4 reaches 32768 with mean errors of some hundred points,
  /// and a smaller board ends at a smaller tile.
  @usableFromInline
  package var sumLimit: Float { 0x1p13 * Float(1 << min(rules.shape.rows * rules.shape.columns + 1, 15)) }

  public var name: String { "2048" }

  public func makeStarts() -> EpisodeStarts { EpisodeStarts(starts, stages: stages, rules: rules) }

  public static var choiceLimit: Int { @inlinable @inline(__always) get { 4 } }

  public var idlePosition: Board { .empty }

  public func start(using random: inout RandomStream) -> Board { rules.startBoard(using: &random) }

  @inlinable @inline(__always)
  public func choices(of board: Board) -> Successors { table.successors(of: board) }

  @inlinable @inline(__always)
  public func position(after successors: Successors, choice: Int, using random: inout RandomStream) -> Board {
    chance.board(after: successors.afterstate(number: choice), using: &random)
  }

  @inlinable @inline(__always)
  public func outcome(of board: Board) -> Int { board.largestExponent }
}

extension Successors: ChoiceSet {
  @inlinable @inline(__always)
  public var end: Int { 4 }

  @inlinable @inline(__always)
  public var count: Int { legal.count }

  @inlinable @inline(__always)
  public func contains(_ choice: Int) -> Bool { legal.mask >> UInt8(truncatingIfNeeded: choice) & 1 == 1 }

  @inlinable @inline(__always)
  public func choice(ofRank rank: Int) -> Int { legal.move(ofRank: rank).rawValue }

  @inlinable @inline(__always)
  public func reward(ofChoice choice: Int) -> Float { Float(rewards[choice]) }

  @inlinable @inline(__always)
  public func state(afterChoice choice: Int) -> Afterstate { afterstate(number: choice) }
}
