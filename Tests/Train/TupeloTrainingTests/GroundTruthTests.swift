import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloSearch
import TupeloSolver
import TupeloTraining

/// Learning where the true answer is known: on 2x3 the optimum is 480.258272 points, and the value of a network's
/// greedy play is computed, not sampled. Every member of the family of learners has to come as close as in earlier
/// measurements, and its feature has to change the result.
@Suite struct GroundTruthTests {
  private static let solver: BoardSolver = {
    do {
      return try BoardSolver(rules: Rules(shape: BoardShape(rows: 2, columns: 3)))
    } catch {
      preconditionFailure("\(error)")
    }
  }()
  private static let solution = solver.solve()

  /// The value of greedy play, as a share of the optimum.
  private static func share(_ network: some Evaluator) -> Double {
    solver.value(ofGreedyPolicyOf: network).expectedScore / solution.startValue
  }

  @Test(.slow, arguments: FamilyMember.all) func comesAsCloseAsItCan(_ member: FamilyMember) throws {
    let (network, plain) = try member.trained()
    let share = Self.share(network)
    #expect(share >= member.share && share <= 1 + 1e-12, "\(member): \(share) of the optimum")
    if let plain = plain.map(Self.share) {
      #expect(share != plain && member.gain.map { share >= plain + $0 } ?? true, "\(member): \(share) and \(plain)")
    }
    guard member.folds else { return }
    // Sums in another order round differently, which decides between equally good moves.
    #expect(abs(Self.share(try network.folded()) - share) < 0.002)
  }

  /// Plain TD comes within 2% of the optimum. Temporal coherence settles sooner and a little lower: without
  /// generalisation its steps shrink before everything has been tried.
  @Test(
    .slow,
    arguments: [
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
    // The expected score of the greedy policy is exact: no games are played.
    let reached = solver.startValue { greedy.move(on: $0) }
    let optimum = solver.startValue
    #expect(reached > share * optimum && reached <= optimum + 1e-6, "\(reached) of \(optimum)")
  }
}
