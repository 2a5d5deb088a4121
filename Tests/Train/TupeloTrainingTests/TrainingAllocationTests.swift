import CAllocationCounter
import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloSearch
import TupeloTraining

/// Allocations of training, counted in release builds; without optimisation Swift allocates where it otherwise would
/// not.
@Suite(.enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc only"))
struct TrainingAllocationTests {
  #if !DEBUG
  /// A hundred games are thousands of moves, and a training round of them allocates a handful of times.
  @Test(
    arguments: [RunConfiguration.StepSize.constant(alpha: 0.1), .temporalCoherence(alpha: 1)],
    [(1, 1), (16, 1), (1, 2)])
  func trainingMovesAllocateNothing(
    _ stepSize: RunConfiguration.StepSize, _ atOnce: (batch: Int, games: Int)
  ) throws {
    var configuration = try CheckpointTests.configuration(stepSize)
    configuration.batch = atOnce.batch
    configuration.training.gamesAtOnce = atOnce.games
    let trainer = try Trainer(configuration)
    var (rounds, before) = (0, tupelo_allocation_count())
    try trainer.train(until: 100, reportGames: 100, shouldStop: { false }, onRound: { _ in rounds += 1 })
    let allocations = Int(tupelo_allocation_count() - before)
    #expect(trainer.moves > 10_000 && allocations < 60 * rounds, "\(allocations) in \(rounds) rounds")
    before = tupelo_allocation_count()
    #expect(Array(0..<Int(before % 7 + 100)).count >= 100 && tupelo_allocation_count() > before)
  }

  /// Backward learning with exploration: the list of an episode's moves grows a few times until it is long enough.
  @Test(arguments: [1, 2]) func exploringMovesAllocateNothing(_ gamesAtOnce: Int) throws {
    var configuration = try CheckpointTests.configuration(.temporalCoherence(alpha: 1))
    configuration.returns = LambdaReturn(lambda: 0.5, steps: nil)
    configuration.exploration = 0.1
    configuration.training.gamesAtOnce = gamesAtOnce
    let trainer = try Trainer(configuration)
    var rounds = 0
    let before = tupelo_allocation_count()
    try trainer.train(until: 100, reportGames: 100, shouldStop: { false }, onRound: { _ in rounds += 1 })
    let allocations = Int(tupelo_allocation_count() - before)
    #expect(trainer.moves > 5000 && allocations < 60 * rounds + 20, "\(allocations) in \(rounds) rounds")
  }

  /// Greedy play of two interleaved games allocates nothing.
  @Test func movesInTurnAllocateNothing() throws {
    let network = try NTupleNetwork(RunConfiguration.standardNetwork)
    var agent = AnyAgent.greedy(network)
    #expect(agent.gamesAtOnce == 2)
    var games = (0..<2).map { Game(seed: 1, number: $0) }
    var before = 0 as UInt64
    for round in 0..<50 {
      if round == 2 { before = tupelo_allocation_count() }
      for turn in 0..<2 {
        guard let move = agent.move(on: games[turn].board) else { continue }
        games[turn].play(move)
        agent.expect(games[turn].board)
      }
    }
    #expect(tupelo_allocation_count() == before)
  }

  @Test(arguments: [1, 2, 3]) func searchedMovesAllocateNothing(_ plies: Int) throws {
    let network = try NTupleNetwork(
      NetworkSpecification(patterns: ["0123", "0145"].map { try TuplePattern(text: $0) }))
    var search = Expectimax(network, plies: plies)
    var game = Game(seed: 1)
    _ = search.move(on: game.board)
    let before = tupelo_allocation_count()
    for _ in 0..<(plies == 3 ? 5 : 50) {
      guard let move = search.move(on: game.board) else { break }
      game.play(move)
    }
    #expect(tupelo_allocation_count() == before)
  }
  #endif
}
