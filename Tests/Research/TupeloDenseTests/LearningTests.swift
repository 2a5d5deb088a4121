import TestSupport
import Testing
import TupeloBase
import TupeloDense

/// Networks learn functions that are known.
@Suite struct LearningTests {
  /// A network learns exclusive or, which no linear function computes.
  @Test func exclusiveOr() throws {
    let specification = try DenseSpecification(input: .numbers(width: 2), hiddenWidths: [16])
    var network = try DenseNetwork(specification, DenseInitialization(seed: 1))
    var workspace = try DenseWorkspace(specification, capacity: 4)
    var gradient = try DenseGradient(specification, samples: 4)
    var optimizer = try Adam(specification, stepSize: 0.01)
    let inputs: [Float] = [0, 0, 0, 1, 1, 0, 1, 1]
    workspace.withMutableInput { for index in inputs.indices { $0[index] = inputs[index] } }
    var loss = 0.0
    for _ in 0..<1000 {
      network.forward(count: 4, &workspace)
      loss = workspace.differentiate(.squared, targets: [0, 1, 1, 0].span)
      gradient.reset()
      network.backward(&workspace, into: &gradient)
      optimizer.step(&network, gradient)
    }
    #expect(loss < 1e-4)
  }

  /// Linear weights beside an embedding of zero influence learn the sum of their features' values.
  @Test func linearWeights() throws {
    let shape = try EmbeddingShape(indexCount: 20, width: 7, groups: [0, 0, 1], hasLinearWeights: true)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [4])
    var network = try DenseNetwork(specification, DenseInitialization(seed: 2, embeddingScale: 0.1))
    var random = TestRandom(state: 3)
    let worth = (0..<20).map { _ in Float.random(in: -1...1, using: &random) }
    let samples = (0..<256).map { _ in (0..<3).map { _ in Int.random(in: 0..<20, using: &random) } }
    let targets = samples.map { $0.reduce(Float(0)) { $0 + worth[$1] } }
    let buffer = makeBuffer(samples, shape)
    var workspace = try DenseWorkspace(specification, capacity: 256)
    var gradient = try DenseGradient(specification, samples: 256)
    var optimizer = try Adam(specification, stepSize: 0.01)
    var loss = 0.0
    for _ in 0..<1000 {
      network.forward(buffer, slots: 0..<256, &workspace)
      loss = workspace.differentiate(.huber(threshold: 0.5), targets: targets.span)
      gradient.reset()
      network.backward(buffer, slots: 0..<256, &workspace, into: &gradient)
      optimizer.step(&network, gradient)
    }
    #expect(loss < 1e-5, "\(loss)")
  }
}
