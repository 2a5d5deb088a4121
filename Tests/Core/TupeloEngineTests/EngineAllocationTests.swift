import CAllocationCounter
import TestSupport
import Testing
import TupeloEngine

/// A move makes no allocation: not in the loops of training and search, and not in a `Game`. Without optimisation Swift
/// allocates where it otherwise would not, so most of this is for release builds.
@Suite(
  .enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc, without a sanitizer"))
struct EngineAllocationTests {
  /// The allocations of a piece of work. A first run is not counted: the tables are made at their first use.
  private static func allocations(_ work: () -> Int) -> (count: UInt64, moves: Int) {
    _ = work()
    let before = tupelo_allocation_count()
    let moves = work()
    return (tupelo_allocation_count() - before, moves)
  }

  @Test func counterSeesAnArray() {
    let before = tupelo_allocation_count()
    let array = Array(0..<Int(before % 7 + 100))
    let after = tupelo_allocation_count()
    #expect(after > before, "the counter does not see an array of \(array.count)")
    // The counter would notice one array in one move of a game.
    var game = Game(seed: 1)
    var moves: [Move] = []
    let counted = tupelo_allocation_count()
    while !game.isOver, moves.count < 1 {
      moves = game.legalMoves.moves
      game.play(moves[0])
    }
    #expect(tupelo_allocation_count() > counted)
  }

  @Test(.enabled(if: isOptimised, "in release builds only")) func hoistedTableAndChance() {
    let (table, chance) = (MoveTable(), ChanceModel(.standard))
    let result = Self.allocations {
      var (random, moves) = (RandomStream(seed: 1), 0)
      for _ in 0..<100 {
        var board = Rules.standard.startBoard(using: &random)
        while case let legal = table.legalMoves(on: board), !legal.isEmpty {
          let move = legal.move(ofRank: random.next(below: legal.count))
          guard let outcome = table.afterstate(of: move, on: board) else { return -1 }
          board = outcome.afterstate.board(after: chance.sample(of: outcome.afterstate, using: &random))
          moves += 1
        }
      }
      return moves
    }
    #expect(result.count == 0 && result.moves > 5000)
  }

  @Test(.enabled(if: isOptimised, "in release builds only")) func successorsAndOutcomes() {
    let (table, chance) = (MoveTable(), ChanceModel(.standard))
    let result = Self.allocations {
      var (random, moves) = (RandomStream(seed: 1), 0)
      for _ in 0..<100 {
        var board = Rules.standard.startBoard(using: &random)
        while case let successors = table.successors(of: board), !successors.legal.isEmpty {
          let move = successors.legal.move(ofRank: random.next(below: successors.legal.count))
          var probability = 0.0
          for outcome in chance.outcomes(of: successors.afterstate(of: move)) { probability += outcome.probability }
          if abs(probability - 1) > 1e-9 { return -1 }
          board = chance.board(after: successors.afterstate(of: move), using: &random)
          moves += 1
        }
      }
      return moves
    }
    #expect(result.count == 0 && result.moves > 5000)
  }

  @Test(.enabled(if: isOptimised, "in release builds only")) func games() {
    let result = Self.allocations(CountedPlay.games)
    #expect(result.count == 0 && result.moves > 5000)
  }

  @Test(.enabled(if: isOptimised, "in release builds only")) func playouts() {
    let result = Self.allocations(CountedPlay.playouts)
    #expect(result.count == 0 && result.moves > 5000)
  }
}
