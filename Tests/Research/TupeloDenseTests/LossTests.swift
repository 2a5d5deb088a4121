import TestSupport
import Testing
import TupeloBase
import TupeloDense

/// Losses and their gradients with regard to the values and to the parameters.
@Suite struct LossTests {
  static let losses: [RegressionLoss] = [.squared, .huber(threshold: 0.5)]

  /// The loss by its definition, in double precision.
  private static func exact(_ loss: RegressionLoss, _ error: Double) -> Double {
    switch loss {
    case .squared: return error * error / 2
    case .huber(let threshold):
      let threshold = Double(threshold)
      return abs(error) <= threshold ? error * error / 2 : threshold * (abs(error) - threshold / 2)
    }
  }

  @Test(arguments: losses, [false, true]) func gradients(_ loss: RegressionLoss, _ hasWeights: Bool) throws {
    for number in [2, 4, 8] {
      let trial = try Trial(architectures[number], samples: 7, seed: UInt64(300 + number))
      var workspace = try DenseWorkspace(architectures[number], capacity: 8)
      var gradient = try DenseGradient(architectures[number], samples: 8)
      var random = TestRandom(state: 8)
      trial.forward(0..<7, &workspace)
      // The errors lie on both sides of the threshold.
      let errors: [Float] = [-2, -0.6, -0.3, 0.001, 0.2, 0.7, 3]
      let targets = (0..<7).map { workspace.values[$0] - errors[$0] }
      let weights = (0..<7).map { _ in hasWeights ? Float.random(in: 0...3, using: &random) : 1 }
      let value =
        hasWeights
        ? workspace.differentiate(loss, targets: targets.span, weights: weights.span)
        : workspace.differentiate(loss, targets: targets.span)
      trial.backward(0..<7, &workspace, &gradient)
      func function(_ network: ReferenceNetwork) -> Double {
        (0..<7).reduce(0) {
          $0 + Double(weights[$1]) * Self.exact(loss, network.value(trial.samples[$1]) - Double(targets[$1])) / 7
        }
      }
      #expect(abs(value - function(trial.reference)) < 1e-5 * value)
      #expect(agree(allNumbers(gradient), trial.reference.gradient(of: function)))
    }
  }
}
