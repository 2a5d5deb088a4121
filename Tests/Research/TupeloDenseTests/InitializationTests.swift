import Testing
import TupeloBase
import TupeloDense
import TupeloTables

/// Random first parameters.
@Suite struct InitializationTests {
  private static func numbers(_ network: borrowing DenseNetwork, _ name: String) -> [Double] {
    guard let tensor = network.specification.tensor(named: name) else { return [] }
    return tensor.range.map { Double(network.parameters[$0]) }
  }

  /// The variance of `count` uniform numbers scatters by sqrt(4 / 5 / count), relatively.
  private static func hasVariance(_ numbers: [Double], _ variance: Double) -> Bool {
    let count = Double(numbers.count)
    let mean = numbers.reduce(0, +) / count
    let square = numbers.reduce(0) { $0 + $1 * $1 } / count
    return count > 1000 && abs(mean) < 5 * (variance / count).squareRoot()
      && abs(square / variance - 1) < 5 * (0.8 / count).squareRoot()
      && numbers.allSatisfy { abs($0) <= 1.0001 * (3 * variance).squareRoot() }
  }

  @Test func heVariances() throws {
    let specification = try DenseSpecification(input: .numbers(width: 100), hiddenWidths: [64, 32])
    let network = try DenseNetwork(specification, DenseInitialization(seed: 1))
    #expect(Self.hasVariance(Self.numbers(network, "layers.0.weight"), 2.0 / 100))
    #expect(Self.hasVariance(Self.numbers(network, "layers.1.weight"), 2.0 / 64))
    #expect(Self.numbers(network, "layers.2.weight") == [Double](repeating: 0, count: 32))
    for name in ["layers.0.bias", "layers.1.bias", "layers.2.bias"] {
      #expect(Self.numbers(network, name).allSatisfy { $0 == 0 })
    }
    let wide = try DenseSpecification(input: .numbers(width: 8000), hiddenWidths: [])
    let output = try DenseNetwork(wide, DenseInitialization(seed: 1, outputScale: 0.5))
    #expect(Self.hasVariance(Self.numbers(output, "layers.0.weight"), 0.25 * 2 / 8000))
  }

  @Test func embeddings() throws {
    let oneHot = try EmbeddingShape(
      indexCount: 300, width: 50, groups: [Int](repeating: 0, count: 16), isRectified: true)
    let first = try DenseNetwork(
      DenseSpecification(input: .embedding(oneHot), hiddenWidths: []), DenseInitialization(seed: 1))
    #expect(Self.hasVariance(Self.numbers(first, "embedding.weight"), 2.0 / 16))
    let tuples = try EmbeddingShape(
      indexCount: 1000, width: 7, groups: [0, 0, 0, 1, 1, 1], hasLinearWeights: true)
    let second = try DenseNetwork(
      DenseSpecification(input: .embedding(tuples), hiddenWidths: []),
      DenseInitialization(seed: 1, embeddingScale: 0.1))
    let rows = Self.numbers(second, "embedding.weight")
    #expect(Self.hasVariance(rows.indices.filter { $0 % 8 < 7 }.map { rows[$0] }, 0.01 / 3))
    #expect(rows.indices.filter { $0 % 8 == 7 }.allSatisfy { rows[$0] == 0 })
  }

  @Test func seeds() throws {
    let specification = architectures[8]
    func parameters(_ seed: UInt64) throws -> [Float] {
      let network = try DenseNetwork(specification, DenseInitialization(seed: seed, outputScale: 1))
      return network.parameters.withSpan { span in span.indices.map { span[$0] } }
    }
    #expect(try parameters(1) == parameters(1))
    #expect(try parameters(1) != parameters(2))
    // Two tensors never have the same random numbers.
    let network = try DenseNetwork(
      DenseSpecification(input: .numbers(width: 8), hiddenWidths: [8, 8]), DenseInitialization(seed: 1))
    #expect(Self.numbers(network, "layers.0.weight") != Self.numbers(network, "layers.1.weight"))
  }

  /// The first numbers of a seed are fixed to the bit: a change of them changes every training run.
  @Test func goldenNumbers() throws {
    let network = try DenseNetwork(
      DenseSpecification(input: .numbers(width: 6), hiddenWidths: [2]), DenseInitialization(seed: 42))
    // SplitMix64 of 42 begins with 13679457532755275413, 2949826092126892291, 5139283748462763858.
    let drawn: [UInt64] = [13_679_457_532_755_275_413, 2_949_826_092_126_892_291, 5_139_283_748_462_763_858]
    let expected: [Float] = drawn.map { Float(Int($0 >> 40) - 1 << 23) * 0x1p-23 }
    #expect((0..<3).map { network.parameters[$0] } == expected)
  }

  /// A bias for hidden layers is set in those layers alone, and rows of scale zero are zero.
  @Test func hiddenBiases() throws {
    let shape = try EmbeddingShape(indexCount: 9, width: 4, groups: [0, 1], hasLinearWeights: true, isRectified: true)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [5, 3])
    let network = try DenseNetwork(
      specification, DenseInitialization(seed: 3, embeddingScale: 0, outputScale: 1, hiddenBias: 0.25))
    for tensor in specification.tensors {
      let isOutput = tensor.range.contains(specification.outputBias)
      for index in tensor.range {
        switch tensor.role {
        case .bias: #expect(network.parameters[index] == (isOutput ? 0 : 0.25))
        case .embedding: #expect(network.parameters[index] == 0)
        case .weights: #expect(network.parameters[index] != 0)
        }
      }
    }
  }

  /// The padding row is zero at first, and no gradient changes it.
  @Test func paddingStaysZero() throws {
    let shape = try EmbeddingShape(indexCount: 4, width: 7, groups: [0, 0], hasLinearWeights: true, paddingIndex: 2)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [4])
    var network = try DenseNetwork(specification, DenseInitialization(seed: 5, outputScale: 1))
    var buffer = FeatureBuffer(FeatureLayout(featureCount: 2, groupSize: 2, weightCount: 4), slots: 1)
    let words = unsafe buffer.words(ofSlot: 0, for: buffer.layout)
    unsafe words[0] = 2
    unsafe words[1] = 3
    var workspace = try DenseWorkspace(specification, capacity: 1)
    var gradient = try DenseGradient(specification, samples: 1)
    var optimizer = try GradientDescent(specification, stepSize: 0.1)
    let before = (0..<32).map { network.parameters[$0] }
    network.forward(buffer, slots: 0..<1, &workspace)
    workspace.differentiate(.squared, targets: [5].span)
    gradient.reset()
    network.backward(buffer, slots: 0..<1, &workspace, into: &gradient)
    optimizer.step(&network, gradient)
    #expect((16..<24).allSatisfy { network.parameters[$0] == 0 })
    #expect((24..<32).contains { network.parameters[$0] != before[$0] } && before[..<16].contains { $0 != 0 })
  }
}
