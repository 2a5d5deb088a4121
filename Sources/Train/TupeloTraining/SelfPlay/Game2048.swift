public import TupeloEngine
public import TupeloLearning

/// The game 2048 for self-play.
package struct Game2048: SelfPlayGame {
  private let table: MoveTable
  private let chance: ChanceModel

  package init(_ rules: Rules) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
  }

  package typealias Starts = EpisodeStarts

  package static var choiceLimit: Int { @inline(__always) get { 4 } }

  package var idlePosition: Board { .empty }

  @inline(__always)
  package func choices(of board: Board) -> Successors { table.successors(of: board) }

  @inline(__always)
  package func position(after successors: Successors, choice: Int, using random: inout RandomStream) -> Board {
    chance.board(after: successors.afterstate(number: choice), using: &random)
  }

  @inline(__always)
  package func outcome(of board: Board) -> Int { board.largestExponent }
}

extension Successors: ChoiceSet {
  @inline(__always)
  public var end: Int { 4 }

  @inline(__always)
  public var count: Int { legal.count }

  @inline(__always)
  public func contains(_ choice: Int) -> Bool { legal.mask >> UInt8(truncatingIfNeeded: choice) & 1 == 1 }

  @inline(__always)
  public func choice(ofRank rank: Int) -> Int { legal.move(ofRank: rank).rawValue }

  @inline(__always)
  public func reward(ofChoice choice: Int) -> Float { Float(rewards[choice]) }

  @inline(__always)
  public func state(afterChoice choice: Int) -> Afterstate { afterstate(number: choice) }
}
