import Testing
import TupeloBase
import TupeloDense
import TupeloTables

/// The lines of this module's README.
@Suite struct DenseReadmeTests {
  @Test func example() throws {
    let groups = EmbeddingShape.consecutiveGroups(featureCount: 16, size: 16)
    let shape = try EmbeddingShape(indexCount: 288, width: 64, groups: groups, isRectified: true)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [32])
    var network = try DenseNetwork(specification, DenseInitialization(seed: 1))
    var workspace = try DenseWorkspace(specification, capacity: 256)
    var gradient = try DenseGradient(specification, samples: 256)
    var optimizer = try Adam(specification, stepSize: 0.001)
    let features = FeatureBuffer(FeatureLayout(featureCount: 16, groupSize: 16, weightCount: 288), slots: 2)

    network.forward(features, slots: 0..<2, &workspace)
    let loss = workspace.differentiate(.huber(threshold: 1), targets: [1, 3].span)
    gradient.reset()
    network.backward(features, slots: 0..<2, &workspace, into: &gradient)
    gradient.clip(toNorm: 10)
    optimizer.step(&network, gradient)
    print(loss, specification.parameterCount)
    // Huber errors of 0.5 and 2.5; 288 * 64 + 64 + 64 * 32 + 32 + 32 + 1 parameters.
    #expect(loss == 1.5 && specification.parameterCount == 20_609)
  }
}
