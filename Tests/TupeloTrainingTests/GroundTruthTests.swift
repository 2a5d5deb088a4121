import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloSearch
import TupeloTraining

/// Learning where the true answer is known: on 2x3 a tuple over the whole board can hold every value.
@Suite struct GroundTruthTests {
  /// Plain TD comes within 2% of the optimum. Temporal coherence settles sooner and a little lower: without generalisation its steps
  /// shrink before everything has been tried.
  @Test(arguments: [
    (RunConfiguration.StepSize.constant(alpha: 0.1), 1_000_000, 0.98), (.temporalCoherence(alpha: 1), 200_000, 0.95),
  ])
  func comesCloseToTheOptimum(_ stepSize: RunConfiguration.StepSize, _ games: Int, _ share: Double) throws {
    let shape = try BoardShape(rows: 2, columns: 3)
    var configuration = RunConfiguration()
    configuration.rules = try Rules(shape: shape)
    configuration.network = try NetworkSpecification(
      patterns: [TuplePattern(text: "012345", shape: shape)], shape: shape)
    configuration.stepSize = stepSize
    // A tuple over the whole board does not generalise, so a position never tried must look worth trying.
    configuration.initialValue = 1200
    let trainer = try Trainer(configuration)
    try trainer.train(until: games, reportGames: games, shouldStop: { false }, onRound: { _ in })
    var greedy = Expectimax(try trainer.network(), rules: configuration.rules)
    let solver = ExactSolver(rules: configuration.rules)
    // The greedy policy's expected score, exactly: no games are played.
    let reached = solver.startValue { greedy.move(on: $0) }
    let optimum = solver.startValue
    #expect(reached > share * optimum && reached <= optimum + 1e-6, "\(reached) of \(optimum)")
  }
}
