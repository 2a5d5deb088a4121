import CAllocationCounter
import TestSupport
import Testing
import TupeloBase
import TupeloDense

/// Batches allocate nothing. Without optimisation Swift allocates where it otherwise would not, so this is for release
/// builds.
@Suite(
  .enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc, without a sanitizer"),
  .enabled(if: isOptimised, "in release builds only"))
struct DenseAllocationTests {
  @Test(arguments: architectures.indices, DenseArithmetic.allCases)
  func batches(_ number: Int, _ arithmetic: DenseArithmetic) throws {
    let specification = architectures[number]
    var trial = try Trial(specification, samples: 16, seed: 31)
    var workspace = try DenseWorkspace(specification, capacity: 16, arithmetic: arithmetic)
    var gradient = try DenseGradient(specification, samples: 16)
    var adam = try Adam(specification)
    var descent = try GradientDescent(specification, stepSize: 0.001, momentum: 0.5)
    let targets = [Float](repeating: 1, count: 16)
    trial.forward(0..<16, &workspace)
    func step() {
      gradient.reset()
      var size = 16
      while size > 0 {
        if specification.embedding == nil {
          trial.network.forward(count: size, &workspace)
          workspace.differentiate(.squared, targets: targets.span)
          trial.network.backward(&workspace, into: &gradient)
        } else {
          trial.network.forward(trial.features, slots: 0..<size, &workspace)
          workspace.differentiate(.squared, targets: targets.span)
          // The gradient has room for this number of samples at most.
          gradient.reset()
          trial.network.backward(trial.features, slots: 0..<size, &workspace, into: &gradient)
        }
        size = size == 16 ? 1 : 0
      }
      gradient.clip(toNorm: 0.01)
      adam.step(&trial.network, gradient)
      descent.step(&trial.network, gradient)
    }
    step()
    let before = tupelo_allocation_count()
    for _ in 0..<10 { step() }
    let count = tupelo_allocation_count() - before
    #expect(count == 0, "\(count)")
    #expect(workspace.areValuesFinite == true)
  }
}
