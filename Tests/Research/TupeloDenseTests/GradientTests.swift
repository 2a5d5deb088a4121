import TestSupport
import Testing
import TupeloBase
import TupeloDense

/// Values and gradients compared with loops and finite differences in double precision.
@Suite struct GradientTests {
  @Test func architecturesAreThere() { #expect(architectures.count == 12) }

  @Test(arguments: architectures.indices, DenseArithmetic.allCases)
  func values(_ number: Int, _ arithmetic: DenseArithmetic) throws {
    let trial = try Trial(architectures[number], samples: 37, seed: UInt64(100 + number))
    var workspace = try DenseWorkspace(architectures[number], capacity: 37, arithmetic: arithmetic)
    for range in [0..<37, 0..<1, 5..<9, 3..<3, 0..<36] {
      trial.forward(range, &workspace)
      #expect(workspace.count == range.count && workspace.areValuesFinite)
      let exact = trial.samples[range].map(trial.reference.value)
      #expect(agree(workspace.values.prefix(range.count).map(Double.init), exact), "\(range)")
    }
  }

  /// The gradient is the sum of c_i dV_i/dw, over two batches that add up.
  @Test(arguments: architectures.indices, DenseArithmetic.allCases)
  func weightedSums(_ number: Int, _ arithmetic: DenseArithmetic) throws {
    let trial = try Trial(architectures[number], samples: 9, seed: UInt64(200 + number))
    var workspace = try DenseWorkspace(architectures[number], capacity: 9, arithmetic: arithmetic)
    var gradient = try DenseGradient(architectures[number], samples: 9)
    var random = TestRandom(state: 3)
    let coefficients = (0..<9).map { _ in Double(Float.random(in: -2...2, using: &random)) }
    // A reset must discard this pass.
    trial.forward(0..<4, &workspace)
    workspace.outputGradients[0] = 100
    trial.backward(0..<4, &workspace, &gradient)
    gradient.reset()
    for range in [0..<5, 5..<9] {
      trial.forward(range, &workspace)
      for (row, sample) in range.enumerated() { workspace.outputGradients[row] = Float(coefficients[sample]) }
      trial.backward(range, &workspace, &gradient)
    }
    let exact = trial.reference.gradient { $0.sum(trial.samples, coefficients) }
    let all = allNumbers(gradient)
    #expect(agree(all, exact))
    #expect(abs(gradient.norm - all.reduce(0) { $0 + $1 * $1 }.squareRoot()) < 1e-5 * gradient.norm)
    gradient.scale(0.5)
    #expect(agree(allNumbers(gradient), exact.map { $0 / 2 }))
  }

  /// Each row counts once, however often it occurs, and rows that do not occur are absent.
  @Test func onlyTouchedRows() throws {
    let shape = try EmbeddingShape(indexCount: 1 << 20, width: 8, groups: [0, 0, 1])
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [4])
    let network = try DenseNetwork(specification, DenseInitialization(seed: 1, outputScale: 1))
    let buffer = makeBuffer([[7, 7, 1_048_575], [3, 7, 1_048_575]], shape)
    var workspace = try DenseWorkspace(specification, capacity: 2)
    var gradient = try DenseGradient(specification, samples: 2)
    network.prefetch(buffer, slot: 1)
    network.forward(buffer, slots: 0..<2, &workspace)
    workspace.outputGradients = [1, 1]
    network.backward(buffer, slots: 0..<2, &workspace, into: &gradient)
    #expect(gradient.rows.count == 3 && gradient.rows.indices.prefix(3) == [7, 1_048_575, 3])
    gradient.reset()
    #expect(gradient.rows.count == 0 && gradient.norm == 0)
  }

  /// The hash table finds each of many rows again, as a dictionary does.
  @Test func manyRows() throws {
    let shape = try EmbeddingShape(indexCount: 1 << 16, width: 1, groups: [0, 0, 0, 0], hasLinearWeights: true)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [])
    let network = try DenseNetwork(specification, DenseInitialization(seed: 1))
    var random = TestRandom(state: 9)
    // The indices are few, neighbours, or a power of two apart.
    let samples = (0..<500).map { _ in
      [
        Int.random(in: 0..<16, using: &random), 4096 + Int.random(in: 0..<500, using: &random),
        Int.random(in: 0..<64, using: &random) << 10, Int.random(in: 0..<1 << 16, using: &random),
      ]
    }
    let buffer = makeBuffer(samples, shape)
    var workspace = try DenseWorkspace(specification, capacity: 500)
    var gradient = try DenseGradient(specification, samples: 500)
    for _ in 0..<3 {
      gradient.reset()
      var counts: [Int: Int] = [:]
      for feature in samples.joined() { counts[feature, default: 0] += 1 }
      network.forward(buffer, slots: 0..<500, &workspace)
      for sample in 0..<500 { workspace.outputGradients[sample] = 1 }
      network.backward(buffer, slots: 0..<500, &workspace, into: &gradient)
      #expect(gradient.rows.count == counts.count)
      for row in 0..<gradient.rows.count {
        let index = Int(gradient.rows.indices[row])
        #expect(gradient.rows.values[row * 2 + 1] == Float(counts[index] ?? -1))
        counts[index] = nil
      }
      #expect(counts.isEmpty)
    }
  }

  @Test func clipping() throws {
    let specification = architectures[7]
    let trial = try Trial(specification, samples: 6, seed: 4)
    var workspace = try DenseWorkspace(specification, capacity: 6)
    var gradient = try DenseGradient(specification, samples: 6)
    trial.forward(0..<6, &workspace)
    workspace.outputGradients = [1, -2, 3, -4, 5, -6]
    trial.backward(0..<6, &workspace, &gradient)
    let (before, norm) = (allNumbers(gradient), gradient.norm)
    #expect(gradient.clip(toNorm: norm * 1.01) == norm && allNumbers(gradient) == before)
    #expect(gradient.clip(toNorm: norm / 4) == norm)
    #expect(agree(allNumbers(gradient), before.map { $0 / 4 }, within: 1e-6))
    #expect(abs(gradient.norm - norm / 4) < 1e-5 * norm)
  }

  /// A network that diverged is noticed, and its gradient is not scaled down to look harmless.
  @Test(arguments: [Float.nan, .infinity, -.infinity]) func divergence(_ poison: Float) throws {
    for number in [2, 4, 8] {
      var trial = try Trial(architectures[number], samples: 3, seed: 5)
      var workspace = try DenseWorkspace(architectures[number], capacity: 3)
      var gradient = try DenseGradient(architectures[number], samples: 3)
      trial.forward(0..<3, &workspace)
      #expect(workspace.areValuesFinite && trial.network.parameters.isFinite)
      trial.network.parameters[trial.network.specification.outputBias] = poison
      #expect(trial.network.parameters.isFinite == false)
      trial.forward(0..<3, &workspace)
      #expect(workspace.areValuesFinite == false)
      let loss = workspace.differentiate(.huber(threshold: 1), targets: [0, 0, 0].span)
      #expect(loss.isFinite == false)
      workspace.outputGradients = [.nan, 0, 0]
      trial.backward(0..<3, &workspace, &gradient)
      #expect(!gradient.clip(toNorm: 1).isFinite && !gradient.norm.isFinite)
    }
  }

  /// NaN passes through rectifiers instead of becoming zero there.
  @Test func notANumberPassesRectifiers() throws {
    var trial = try Trial(architectures[2], samples: 2, seed: 6)
    var workspace = try DenseWorkspace(architectures[2], capacity: 2)
    trial.network.parameters[0] = .nan
    trial.forward(0..<2, &workspace)
    #expect(workspace.areValuesFinite == false)
  }
}
