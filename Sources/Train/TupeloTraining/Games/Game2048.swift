package import TupeloConfiguration
public import TupeloEngine
public import TupeloLearning
package import TupeloNetwork

/// The game 2048 for self-play.
package struct Game2048: SelfPlayGame {
  private let table: MoveTable
  private let chance: ChanceModel
  private let rules: Rules
  private let starts: EpisodeStart
  private let stages: StagePartition

  /// - Parameters:
  ///   - starts: where episodes start
  ///   - stages: the stages that starts rotate through
  package init(_ rules: Rules, starts: EpisodeStart = .fresh, stages: StagePartition = .single) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    (self.rules, self.starts, self.stages) = (rules, starts, stages)
  }

  package var name: String { "2048" }

  package func makeStarts() -> EpisodeStarts { EpisodeStarts(starts, stages: stages, rules: rules) }

  package static var choiceLimit: Int { @inline(__always) get { 4 } }

  package var idlePosition: Board { .empty }

  package func start(using random: inout RandomStream) -> Board { rules.startBoard(using: &random) }

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
