import TestSupport
import Testing
import TupeloBase
import TupeloDense

/// Optimizers compared with their equations in double precision, one parameter at a time.
@Suite struct OptimizerTests {
  /// Adam for one parameter, as algorithm 1 of the paper prints it.
  struct ReferenceAdam {
    var (m, v, t, beta1Power, beta2Power) = (0.0, 0.0, 0, 1.0, 1.0)

    mutating func step(_ w: inout Double, _ g: Double, decay: Double, patience: Double? = nil) {
      let (beta1, beta2, epsilon) = (Double(Float(0.8)), Double(Float(0.95)), 1e-4)
      let alpha = 0.01 / (patience.map { (1 + Double(t) / $0).squareRoot() } ?? 1)
      t += 1
      (beta1Power, beta2Power) = (beta1Power * beta1, beta2Power * beta2)
      m = beta1 * m + (1 - beta1) * g
      v = beta2 * v + (1 - beta2) * g * g
      let (mHat, vHat) = (m / (1 - beta1Power), v / (1 - beta2Power))
      w -= alpha * mHat / (vHat.squareRoot() + epsilon) + alpha * decay * w
    }
  }

  /// Runs an optimizer on random batches, and a reference on the same gradients.
  private static func run<O: Optimizer & ~Copyable>(
    _ number: Int, _ optimizer: inout O, steps: Int,
    _ reference: (_ parameter: Int, _ w: inout Double, _ g: Double, _ isBias: Bool) -> Void
  ) throws -> (found: [Double], exact: [Double]) {
    let specification = architectures[number]
    var trial = try Trial(specification, samples: 40, seed: UInt64(400 + number))
    var workspace = try DenseWorkspace(specification, capacity: 2)
    var gradient = try DenseGradient(specification, samples: 2)
    var exact = trial.reference.parameters
    let biases = specification.tensors.filter { $0.role == .bias }.map(\.range)
    let rows = specification.embeddingRange
    for step in 0..<steps {
      let range = step % 39..<step % 39 + 2
      trial.forward(range, &workspace)
      workspace.outputGradients = [1, -0.5]
      gradient.reset()
      trial.backward(range, &workspace, &gradient)
      let g = allNumbers(gradient)
      let touched = Set(gradient.rows.indices.prefix(gradient.rows.count).map(Int.init))
      for parameter in exact.indices {
        // Only rows of the batch change.
        if rows.contains(parameter), !touched.contains(parameter / gradient.rows.width) { continue }
        reference(parameter, &exact[parameter], g[parameter], biases.contains { $0.contains(parameter) })
      }
      optimizer.step(&trial.network, gradient)
    }
    #expect(optimizer.steps == steps)
    return (trial.reference.parameters, exact)
  }

  @Test(arguments: [1, 2, 5, 7, 8], [0, 0.1]) func adam(_ number: Int, _ decay: Double) throws {
    let specification = architectures[number]
    var optimizer = try Adam(
      specification, stepSize: 0.01, beta1: 0.8, beta2: 0.95, epsilon: 1e-4, weightDecay: Float(decay))
    var states = [ReferenceAdam](repeating: ReferenceAdam(), count: specification.parameterCount)
    let (found, exact) = try Self.run(number, &optimizer, steps: 60) {
      states[$0].step(&$1, $2, decay: $3 ? 0 : decay)
    }
    #expect(agree(found, exact, within: 1e-4))
    // Files store the state under these names.
    #expect(optimizer.stateNames == ["first_moment", "second_moment"] + (number > 3 ? ["row_steps"] : []))
    let first = optimizer.withState(0) { span in span.indices.map { Double(span[$0]) } }
    let second = optimizer.withState(1) { span in span.indices.map { Double(span[$0]) } }
    #expect(agree(first, states.map(\.m), within: 1e-4) && agree(second, states.map(\.v), within: 1e-4))
    if let shape = specification.embedding {
      let rowSteps = optimizer.withState(2) { span in span.indices.map { Int(span[$0]) } }
      #expect(rowSteps == (0..<shape.indexCount).map { states[$0 * shape.rowWidth].t })
      #expect(Set(rowSteps).count > 1)
    }
  }

  /// With a patience p, a step of a row after t others is shorter by the root of 1 + t / p. Steps of the layers are
  /// not.
  @Test(arguments: [5, 7], [1, 8.5]) func patience(_ number: Int, _ patience: Double) throws {
    let specification = architectures[number]
    var optimizer = try Adam(
      specification, stepSize: 0.01, beta1: 0.8, beta2: 0.95, epsilon: 1e-4, weightDecay: 0.1,
      rowPatience: Float(patience))
    var states = [ReferenceAdam](repeating: ReferenceAdam(), count: specification.parameterCount)
    let rows = specification.embeddingRange
    let (found, exact) = try Self.run(number, &optimizer, steps: 60) {
      states[$0].step(&$1, $2, decay: $3 ? 0 : 0.1, patience: rows.contains($0) ? patience : nil)
    }
    #expect(agree(found, exact, within: 1e-4))
    #expect(states.contains { $0.t > 10 })
  }

  @Test(arguments: [2, 4, 8], [(0, 0), (0.9, 0), (0.5, 0.1)])
  func gradientDescent(_ number: Int, _ settings: (momentum: Double, decay: Double)) throws {
    let specification = architectures[number]
    var optimizer = try GradientDescent(
      specification, stepSize: 0.001, momentum: Float(settings.momentum), weightDecay: Float(settings.decay))
    var velocity = [Double](repeating: 0, count: specification.parameterCount)
    let (found, exact) = try Self.run(number, &optimizer, steps: 60) { parameter, w, g, isBias in
      velocity[parameter] = settings.momentum * velocity[parameter] + g
      w -= 0.001 * (velocity[parameter] + (isBias ? 0 : settings.decay) * w)
    }
    #expect(agree(found, exact, within: 1e-5))
    #expect(optimizer.stateNames == (settings.momentum > 0 ? ["velocity"] : []))
    if settings.momentum > 0 {
      let state = optimizer.withState(0) { span in span.indices.map { Double(span[$0]) } }
      #expect(agree(state, velocity, within: 1e-4))
    }
  }

  /// A first step of Adam is as long as the step size, also for a row that is first named late.
  @Test func lateRows() throws {
    let shape = try EmbeddingShape(indexCount: 4, width: 8, groups: [0])
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [])
    var network = try DenseNetwork(specification, DenseInitialization(seed: 1, outputScale: 1))
    var workspace = try DenseWorkspace(specification, capacity: 1)
    var gradient = try DenseGradient(specification, samples: 1)
    var optimizer = try Adam(specification, stepSize: 0.001)
    let buffer = makeBuffer([[1], [3]], shape)
    for step in 0...1000 {
      let slot = step == 1000 ? 1 : 0
      let before = (24..<32).map { network.parameters[$0] }
      network.forward(buffer, slots: slot..<slot + 1, &workspace)
      workspace.outputGradients = [1]
      gradient.reset()
      network.backward(buffer, slots: slot..<slot + 1, &workspace, into: &gradient)
      optimizer.step(&network, gradient)
      for (index, old) in before.enumerated() {
        let change = abs(network.parameters[24 + index] - old)
        #expect(slot == 0 ? change == 0 : abs(change - 0.001) < 1e-5)
      }
    }
  }

  /// Moments that fade reach zero, and do not stay among the subnormal numbers, which are slow.
  @Test func noSubnormalMoments() throws {
    let specification = architectures[2]
    var trial = try Trial(specification, samples: 2, seed: 12)
    var workspace = try DenseWorkspace(specification, capacity: 2)
    var gradient = try DenseGradient(specification, samples: 2)
    var optimizer = try Adam(specification, beta1: 0.5, beta2: 0.6)
    trial.forward(0..<2, &workspace)
    workspace.outputGradients = [1, 1]
    trial.backward(0..<2, &workspace, &gradient)
    optimizer.step(&trial.network, gradient)
    #expect(optimizer.withState(0) { span in span.indices.contains { span[$0] != 0 } })
    gradient.reset()
    for _ in 0..<300 {
      optimizer.step(&trial.network, gradient)
      for state in 0..<2 {
        #expect(optimizer.withState(state) { span in span.indices.allSatisfy { !span[$0].isSubnormal } })
      }
    }
    #expect(optimizer.withState(0) { span in span.indices.allSatisfy { span[$0] == 0 } })
  }

  /// A run that continues from saved state takes the same steps, to the bit.
  @Test func resume() throws {
    let specification = architectures[8]
    func train(_ steps: Range<Int>, _ trial: inout Trial, _ optimizer: inout Adam) throws {
      var workspace = try DenseWorkspace(specification, capacity: 4)
      var gradient = try DenseGradient(specification, samples: 4)
      for step in steps {
        trial.forward(step % 8 * 4..<step % 8 * 4 + 4, &workspace)
        workspace.differentiate(.squared, targets: [1, 2, 3, 4].span)
        gradient.reset()
        trial.backward(step % 8 * 4..<step % 8 * 4 + 4, &workspace, &gradient)
        optimizer.step(&trial.network, gradient)
      }
    }
    var whole = try Trial(specification, samples: 32, seed: 11)
    var optimizer = try Adam(specification)
    try train(0..<100, &whole, &optimizer)

    var parts = try Trial(specification, samples: 32, seed: 11)
    var first = try Adam(specification)
    try train(0..<37, &parts, &first)
    var second = try Adam(specification)
    second.steps = first.steps
    for state in first.stateNames.indices {
      first.withState(state) { saved in
        second.withMutableState(state) { for index in saved.indices { $0[index] = saved[index] } }
      }
    }
    try train(37..<100, &parts, &second)
    #expect(parts.reference.parameters == whole.reference.parameters)
  }
}
