import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloSolver
import TupeloTraining

/// Learning where the true answer is known: on 2x3 the optimum is 480.258272 points, and what a network's greedy play is worth is
/// computed, not sampled. Every member of the family of learners has to come as close as it came when it was measured.
@Suite struct GroundTruthTests {
  private static let solver: BoardSolver = {
    do {
      return try BoardSolver(rules: Rules(shape: BoardShape(rows: 2, columns: 3)))
    } catch {
      preconditionFailure("\(error)")
    }
  }()
  private static let solution = solver.solve()

  /// What greedy play is worth, as a share of the optimum.
  private static func share(_ network: NTupleNetwork) -> Double {
    solver.value(ofGreedyPolicyOf: network).expectedScore / solution.startValue
  }

  @Test(arguments: FamilyMember.all) func comesAsCloseAsItCan(_ member: FamilyMember) throws {
    let trainer = try member.trained()
    let network = try trainer.network()
    let share = Self.share(network)
    #expect(share >= member.share && share <= 1 + 1e-12, "\(member): \(share) of the optimum")
    guard member.folds else { return }
    // Sums in another order round differently, which decides between moves that are as good as each other.
    #expect(abs(Self.share(try network.folded()) - share) < 0.002)
  }
}
