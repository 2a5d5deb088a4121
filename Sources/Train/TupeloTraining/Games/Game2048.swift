package import TupeloConfiguration
public import TupeloEngine
public import TupeloLearning
package import TupeloNetwork

/// The game 2048 for self-play.
@usableFromInline
package struct Game2048: SelfPlayGame {
  @usableFromInline let table: MoveTable
  @usableFromInline let chance: ChanceModel
  @usableFromInline let rules: Rules
  private let starts: EpisodeStart
  private let stages: StagePartition

  /// - Parameters:
  ///   - starts: the positions where episodes start
  ///   - stages: the stages that starts rotate through
  package init(_ rules: Rules, starts: EpisodeStart = .fresh, stages: StagePartition = .single) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    (self.rules, self.starts, self.stages) = (rules, starts, stages)
  }

  @usableFromInline package var name: String { "2048" }

  @usableFromInline package func makeStarts() -> EpisodeStarts { EpisodeStarts(starts, stages: stages, rules: rules) }

  @usableFromInline package static var choiceLimit: Int { @inlinable @inline(__always) get { 4 } }

  @usableFromInline package var idlePosition: Board { .empty }

  @usableFromInline package func start(using random: inout RandomStream) -> Board { rules.startBoard(using: &random) }

  @inlinable @inline(__always)
  package func choices(of board: Board) -> Successors { table.successors(of: board) }

  @inlinable @inline(__always)
  package func position(after successors: Successors, choice: Int, using random: inout RandomStream) -> Board {
    chance.board(after: successors.afterstate(number: choice), using: &random)
  }

  @inlinable @inline(__always)
  package func outcome(of board: Board) -> Int { board.largestExponent }
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
