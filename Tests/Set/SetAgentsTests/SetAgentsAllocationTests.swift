import CAllocationCounter
import SetAgents
import SetEngine
import Testing

/// Allocations of players, counted in release builds; without optimisation Swift allocates where it otherwise would
/// not.
@Suite(
  .enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc, without a sanitizer"))
struct SetAgentsAllocationTests {
  #if !DEBUG
  /// A whole game allocates nothing once another game has been played.
  @Test(
    arguments: [
      "random", "random(exact: never)", "most-left", "counting", "counting(exact: 3)", "greedy", "rollouts(count: 2)",
      "rollouts(count: 2, policy: counting)", "rollouts(count: 2, policy: random)", "search(count: 40)",
      "search(count: 2, depth: 2, exact: 3)",
    ] as [String]) func choicesAllocateNothing(_ text: String) throws
  {
    var agent = try SetAgentSpecification(text: text).makeAgent()
    let games = SetGames(seed: 1)
    var sets = games.play(game: 0, by: &agent).sets
    sets += games.play(game: 1, by: &agent).sets
    let before = tupelo_allocation_count()
    sets += games.play(game: 1, by: &agent).sets
    #expect(tupelo_allocation_count() - before == 0 && sets > 60)
  }
  #endif
}
