import Testing
import TupeloBLAS
import TupeloBase
import TupeloDense
import TupeloTables

/// Equal runs give equal bits; BLAS and loops give equal numbers within rounding.
@Suite struct DeterminismTests {
  /// Parameters after some steps of Adam, at sizes where BLAS uses its large kernels.
  private static func train(_ arithmetic: DenseArithmetic, batch: Int, steps: Int) throws -> [Float] {
    let shape = try EmbeddingShape(
      indexCount: 288, width: 96, groups: [Int](repeating: 0, count: 16), isRectified: true)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [70, 33])
    var trial = try Trial(specification, samples: batch, seed: 21)
    var workspace = try DenseWorkspace(specification, capacity: batch, arithmetic: arithmetic)
    var gradient = try DenseGradient(specification, samples: batch)
    var optimizer = try GradientDescent(specification, stepSize: 0.01, momentum: 0.9)
    let targets = (0..<batch).map { Float($0 % 7) - 3 }
    for _ in 0..<steps {
      trial.forward(0..<batch, &workspace)
      workspace.differentiate(.squared, targets: targets.span)
      gradient.reset()
      trial.backward(0..<batch, &workspace, &gradient)
      gradient.clip(toNorm: 10)
      optimizer.step(&trial.network, gradient)
    }
    return trial.reference.parameters.map { Float($0) }
  }

  @Test(arguments: [1, 5, 64, 131]) func twoRuns(_ batch: Int) throws {
    #expect(BLAS.threads == 1)
    let first = try Self.train(.blas, batch: batch, steps: 10)
    // The second network has memory elsewhere, so that alignment does not matter.
    let pad = [Float](repeating: 0, count: 1001)
    let second = try Self.train(.blas, batch: batch, steps: 10)
    #expect(first == second && first.allSatisfy(\.isFinite) && pad.count == 1001)
  }

  @Test(arguments: [1, 5, 131]) func loopsAgree(_ batch: Int) throws {
    let fast = try Self.train(.blas, batch: batch, steps: 3)
    let plain = try Self.train(.loops, batch: batch, steps: 3)
    #expect(agree(fast.map(Double.init), plain.map(Double.init), within: 1e-4))
  }

  /// The batch may change the rounding of a sample's value, and nothing else.
  @Test func batchComposition() throws {
    let specification = try DenseSpecification(input: .numbers(width: 100), hiddenWidths: [150, 50])
    let trial = try Trial(specification, samples: 64, seed: 22)
    var workspace = try DenseWorkspace(specification, capacity: 64)
    trial.forward(0..<64, &workspace)
    let together = workspace.values.map(Double.init)
    var alone: [Double] = []
    for sample in 0..<64 {
      trial.forward(sample..<sample + 1, &workspace)
      alone.append(Double(workspace.values[0]))
    }
    #expect(agree(alone, together, within: 1e-5))
  }

  @Test func copies() throws {
    var trial = try Trial(architectures[7], samples: 4, seed: 23)
    let copy = try trial.network.copy()
    let before = trial.reference.parameters
    trial.network.parameters[0] += 1
    #expect(trial.reference.parameters != before)
    #expect((0..<before.count).map { Double(copy.parameters[$0]) } == before)
  }

  @Test(arguments: DenseBenchmark.Pass.allCases, DenseArithmetic.allCases)
  func benchmark(_ pass: DenseBenchmark.Pass, _ arithmetic: DenseArithmetic) throws {
    let benchmark = DenseBenchmark(width: 8, batch: 3, pass: pass, arithmetic: arithmetic)
    let speed = try benchmark.samplesPerSecond(for: .milliseconds(1))
    #expect(speed > 0 && speed.isFinite)
    #expect(throws: DenseError.width(0, of: "the input")) {
      try DenseBenchmark(width: 0, batch: 1, pass: pass, arithmetic: arithmetic).samplesPerSecond(for: .zero)
    }
  }
}
