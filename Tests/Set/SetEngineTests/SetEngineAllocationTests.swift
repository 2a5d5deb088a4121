import CAllocationCounter
import SetEngine
import TestSupport
import Testing
import TupeloEngine

/// Choices and deals allocate nothing. Without optimisation Swift allocates where it otherwise would not, so this is
/// for release builds.
@Suite(
  .enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc, without a sanitizer"),
  .enabled(if: isOptimised, "in release builds only"))
struct SetEngineAllocationTests {
  /// The allocations of a piece of work, after a first run that is not counted.
  private static func allocations(_ work: () -> Int) -> (count: UInt64, moves: Int) {
    _ = work()
    let before = tupelo_allocation_count()
    let moves = work()
    return (tupelo_allocation_count() - before, moves)
  }

  @Test func choicesAndDeals() {
    let start = SetAfterstate(startOf: .standard)
    let result = Self.allocations {
      let deals = DealModel()
      var (random, moves) = (RandomStream(seed: 1), 0)
      for _ in 0..<100 {
        var afterstate = start
        while true {
          let position = deals.position(after: afterstate, using: &random)
          let cards = position.table.union(position.unseen)
          var best: (lost: Int, trio: Trio)?
          for trio in position.sets {
            let lost = cards.setsLost(taking: trio)
            if lost < best?.lost ?? .max { best = (lost, trio) }
          }
          guard let trio = best?.trio, let next = position.afterstate(of: trio) else { break }
          afterstate = next
          moves += 1
        }
      }
      return moves
    }
    #expect(result.count == 0 && result.moves > 2000, "\(result)")
  }

  @Test func exactSearch() {
    var random = RandomStream(seed: 2)
    let tables = (0..<100).map { _ in CardSet.random(15, using: &random) }
    let result = Self.allocations { CountedPlay.exactSearch(tables) }
    #expect(result.count == 0 && result.moves > 100, "\(result)")
  }

  /// A game by place allocates for its deck and its table, then no more.
  @Test func gamesByPlace() {
    var random = RandomStream(seed: 4)
    let games = (0..<100).map { _ in SetGame(using: &random) }
    let result = Self.allocations { CountedPlay.games(games) }
    // The copy of each table is the one allocation of its game.
    #expect(result.count <= 100 && result.moves > 2000, "\(result)")
  }
}
