import TestSupport
import Testing
import TupeloDense
import TupeloTables

/// Buffers, workspaces, gradients and optimizers that do not belong to a network are refused, before they reach memory
/// of another object. The other tests use the first and the last places of every array, for AddressSanitizer.
@Suite struct SoundnessTests {
  private static func specification(indexCount: Int, width: Int = 7, hidden: [Int] = [5]) throws -> DenseSpecification {
    let shape = try EmbeddingShape(indexCount: indexCount, width: width, groups: [0, 0, 1], hasLinearWeights: true)
    return try DenseSpecification(input: .embedding(shape), hiddenWidths: hidden)
  }

  private static func features(indexCount: Int, featureCount: Int = 3, slots: Int = 2) -> FeatureBuffer {
    let layout = FeatureLayout(featureCount: featureCount, groupSize: 1, weightCount: indexCount)
    var buffer = FeatureBuffer(layout, slots: slots)
    for slot in 0..<slots {
      let words = buffer.words(ofSlot: slot, for: layout)
      for number in 0..<featureCount { words[number] = UInt32(indexCount - 1) }
    }
    return buffer
  }

  @Test func theLastRowOfEverything() throws {
    for width in [1, 3, 7, 8, 9, 15, 16, 17] {
      let specification = try Self.specification(indexCount: 10, width: width)
      var network = try DenseNetwork(specification, DenseInitialization(seed: 1, outputScale: 1))
      let features = Self.features(indexCount: 10)
      var workspace = try DenseWorkspace(specification, capacity: 2)
      var gradient = try DenseGradient(specification, samples: 2)
      var adam = try Adam(specification)
      var descent = try GradientDescent(specification, stepSize: 0.1, momentum: 0.5)
      network.prefetch(features, slot: 1)
      network.forward(features, slots: 0..<2, &workspace)
      #expect(workspace.values[0] == workspace.values[1] && workspace.areValuesFinite)
      workspace.outputGradients = [1, 1]
      network.backward(features, slots: 0..<2, &workspace, into: &gradient)
      #expect(gradient.rows.count == 1 && gradient.rows.values[width] == 6)
      adam.step(&network, gradient)
      descent.step(&network, gradient)
      #expect(network.parameters.isFinite == true)
    }
  }

  @Test func forwardRefusesFeaturesOfALargerEmbedding() async {
    await #expect(processExitsWith: .trap) {
      let specification = try Self.specification(indexCount: 10)
      let network = try DenseNetwork(specification, DenseInitialization(seed: 1))
      var workspace = try DenseWorkspace(specification, capacity: 2)
      network.forward(Self.features(indexCount: 11), slots: 0..<1, &workspace)
    }
  }

  @Test func forwardRefusesAnotherNumberOfFeatures() async {
    await #expect(processExitsWith: .trap) {
      let specification = try Self.specification(indexCount: 10)
      let network = try DenseNetwork(specification, DenseInitialization(seed: 1))
      var workspace = try DenseWorkspace(specification, capacity: 2)
      network.forward(Self.features(indexCount: 10, featureCount: 2), slots: 0..<1, &workspace)
    }
  }

  @Test func forwardRefusesMoreSamplesThanTheWorkspaceHas() async {
    await #expect(processExitsWith: .trap) {
      let specification = try Self.specification(indexCount: 10)
      let network = try DenseNetwork(specification, DenseInitialization(seed: 1))
      var workspace = try DenseWorkspace(specification, capacity: 1)
      network.forward(Self.features(indexCount: 10), slots: 0..<2, &workspace)
    }
  }

  @Test func forwardRefusesTheWorkspaceOfAnotherNetwork() async {
    await #expect(processExitsWith: .trap) {
      let network = try DenseNetwork(Self.specification(indexCount: 10), DenseInitialization(seed: 1))
      var workspace = try DenseWorkspace(Self.specification(indexCount: 10, hidden: [4]), capacity: 2)
      network.forward(Self.features(indexCount: 10), slots: 0..<2, &workspace)
    }
  }

  @Test func backwardRefusesTheGradientOfAnotherNetwork() async {
    await #expect(processExitsWith: .trap) {
      let specification = try Self.specification(indexCount: 10)
      let network = try DenseNetwork(specification, DenseInitialization(seed: 1))
      var workspace = try DenseWorkspace(specification, capacity: 2)
      var gradient = try DenseGradient(Self.specification(indexCount: 9), samples: 2)
      network.forward(Self.features(indexCount: 10), slots: 0..<2, &workspace)
      network.backward(Self.features(indexCount: 10), slots: 0..<2, &workspace, into: &gradient)
    }
  }

  @Test func aGradientRefusesMoreRowsThanItHas() async {
    await #expect(processExitsWith: .trap) {
      let specification = try Self.specification(indexCount: 1000)
      let network = try DenseNetwork(specification, DenseInitialization(seed: 1))
      var workspace = try DenseWorkspace(specification, capacity: 2)
      var gradient = try DenseGradient(specification, samples: 1)
      let shape = specification.embedding
      let features = makeBuffer([[1, 2, 3], [4, 5, 6]], shape)
      network.forward(features, slots: 0..<2, &workspace)
      network.backward(features, slots: 0..<2, &workspace, into: &gradient)
    }
  }

  @Test func optimizersRefuseAnotherNetwork() async {
    await #expect(processExitsWith: .trap) {
      let small = try Self.specification(indexCount: 10)
      var network = try DenseNetwork(Self.specification(indexCount: 11), DenseInitialization(seed: 1))
      let gradient = try DenseGradient(network.specification, samples: 1)
      var adam = try Adam(small)
      adam.step(&network, gradient)
    }
    await #expect(processExitsWith: .trap) {
      let small = try Self.specification(indexCount: 10)
      var network = try DenseNetwork(Self.specification(indexCount: 11), DenseInitialization(seed: 1))
      let gradient = try DenseGradient(small, samples: 1)
      var descent = try GradientDescent(small, stepSize: 0.1)
      descent.step(&network, gradient)
    }
  }

  @Test func storageChecksIndices() async {
    await #expect(processExitsWith: .trap) { print(try FloatStorage(count: 3)[3]) }
    await #expect(processExitsWith: .trap) {
      var storage = try FloatStorage(count: 3)
      storage.withMutableSpan(of: 1..<4) { $0[2] = 1 }
    }
  }

  @Test func aNetworkRefusesParametersOfAnotherSize() async {
    await #expect(processExitsWith: .trap) {
      _ = try DenseNetwork(
        DenseSpecification(input: .numbers(width: 2), hiddenWidths: []), parameters: FloatStorage(count: 2))
    }
  }
}
