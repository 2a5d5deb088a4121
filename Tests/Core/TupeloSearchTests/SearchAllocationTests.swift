import CAllocationCounter
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

/// Allocations of searches, counted in release builds; without optimisation Swift allocates where it otherwise would
/// not.
@Suite(.enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc only"))
struct SearchAllocationTests {
  #if !DEBUG
  private static func allocations(_ agent: inout some Agent, moves: Int) -> Int {
    var game = Game(seed: 1)
    for _ in 0..<3 { if let move = agent.move(on: game.board) { game.play(move) } }
    let before = tupelo_allocation_count()
    for _ in 0..<moves {
      guard let move = agent.move(on: game.board) else { break }
      game.play(move)
    }
    return Int(tupelo_allocation_count() - before)
  }

  /// Searches on one thread allocate nothing in the steady state.
  @Test(
    arguments: [
      "random", "greedy", "expectimax(plies: 2)", "expectimax(plies: 3)", "expectimax(plies: 3, table: 0)",
      "expectimax(plies: 3, cutoff: 0.01, extend: 3)", "expectimax(nodes: 2000)", "expectimax(milliseconds: 1)",
      "minimax(plies: 3)", "montecarlo(rollouts: 2)", "montecarlo(rollouts: 2, policy: greedy)",
    ] as [String]) func movesAllocateNothing(_ text: String) throws
  {
    var agent = try AgentSpecification(text: text).makeAgent()
    #expect(Self.allocations(&agent, moves: 20) == 0)
  }

  @Test func theCounterCounts() {
    let before = tupelo_allocation_count()
    #expect(Array(0..<Int(before % 7 + 100)).count >= 100 && tupelo_allocation_count() > before)
  }
  #endif
}
