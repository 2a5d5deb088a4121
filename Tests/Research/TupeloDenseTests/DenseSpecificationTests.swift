import TestSupport
import Testing
import TupeloDense

/// Names, shapes and offsets of tensors, and refused specifications.
@Suite struct DenseSpecificationTests {
  private static func summary(_ specification: DenseSpecification) -> [String] {
    specification.tensors.map { "\($0.name) \($0.shape) \($0.offset) \($0.role)" }
  }

  @Test func numbers() throws {
    let specification = try DenseSpecification(input: .numbers(width: 3), hiddenWidths: [5, 2])
    #expect(
      Self.summary(specification) == [
        "layers.0.weight [3, 5] 0 weights", "layers.0.bias [5] 15 bias", "layers.1.weight [5, 2] 20 weights",
        "layers.1.bias [2] 30 bias", "layers.2.weight [2, 1] 32 weights", "layers.2.bias [1] 34 bias",
      ])
    #expect(specification.parameterCount == 35 && specification.outputBias == 34)
    #expect(specification.embedding == nil && specification.embeddingRange.isEmpty)
    #expect(specification.tensor(named: "layers.1.weight")?.range == 20..<30)
    #expect(specification.tensor(named: "layers.3.weight") == nil)
  }

  @Test func embedding() throws {
    let shape = try EmbeddingShape(
      indexCount: 10, width: 7, groups: EmbeddingShape.consecutiveGroups(featureCount: 4, size: 2),
      hasLinearWeights: true, isRectified: true)
    #expect(shape.groups == [0, 0, 1, 1] && shape.groupCount == 2 && shape.featureCount == 4)
    #expect(shape.rowWidth == 8 && shape.outputWidth == 14)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [])
    #expect(
      Self.summary(specification) == [
        "embedding.weight [10, 8] 0 embedding", "embedding.bias [14] 80 bias", "layers.0.weight [14, 1] 94 weights",
        "layers.0.bias [1] 108 bias",
      ])
    #expect(specification.embeddingRange == 0..<80 && specification.inputWidth == 14)
    let linear = try EmbeddingShape(indexCount: 10, width: 8, groups: [0])
    #expect(
      Self.summary(try DenseSpecification(input: .embedding(linear), hiddenWidths: []))
        == ["embedding.weight [10, 8] 0 embedding", "layers.0.weight [8, 1] 80 weights", "layers.0.bias [1] 88 bias"])
  }

  @Test func refusals() throws {
    func refusal(_ make: () throws(DenseError) -> Void) -> DenseError? {
      do {
        try make()
        return nil
      } catch { return error }
    }
    func network(_ input: DenseSpecification.Input, _ widths: [Int]) -> DenseError? {
      refusal { () throws(DenseError) in _ = try DenseSpecification(input: input, hiddenWidths: widths) }
    }
    func shape(_ indexCount: Int, _ width: Int, _ groups: [Int]) -> DenseError? {
      refusal { () throws(DenseError) in _ = try EmbeddingShape(indexCount: indexCount, width: width, groups: groups) }
    }
    for width in [0, -1, 8193, Int.max, Int.min] {
      #expect(network(.numbers(width: width), []) == .width(width, of: "the input"))
      #expect(network(.numbers(width: 4), [3, width]) == .width(width, of: "hidden layer 1"))
      #expect(shape(4, width, [0]) == .width(width, of: "an embedding row"))
    }
    #expect(network(.numbers(width: 8192), [8192]) == nil)
    #expect(network(.numbers(width: 1), [Int](repeating: 1, count: 65)) == .hiddenLayers(65))
    #expect(network(.numbers(width: 1), [Int](repeating: 1, count: 64)) == nil)
    for count in [0, -1, 1 << 32 + 1, Int.max] { #expect(shape(count, 8, [0]) == .indexCount(count)) }
    #expect(shape(1 << 32, 8, [0]) == nil)
    #expect(shape(4, 8, []) == .featureCount(0))
    #expect(shape(4, 1, [Int](repeating: 0, count: 1 << 20 + 1)) == .featureCount(1 << 20 + 1))
    #expect(shape(4, 8, [1, 1]) == .groups(missing: 0))
    #expect(shape(4, 8, [0, 2]) == .groups(missing: 1))
    #expect(shape(4, 8, [0, -1]) == .groups(missing: 1))
    #expect(shape(4, 8, [0, Int.max]) == .groups(missing: 1))
    #expect(shape(4, 4097, [0, 1]) == .width(8194, of: "the embedding of 2 groups"))
    let huge = try EmbeddingShape(indexCount: 1 << 32, width: 8, groups: [0])
    #expect(network(.embedding(huge), []) == .parameterCount(1 << 35 + 9))
    #expect(refusal { () throws(DenseError) in _ = try FloatStorage(count: 1 << 50) } != nil)
    #expect(refusal { () throws(DenseError) in _ = try FloatStorage(count: .max) } != nil)
  }

  @Test func texts() {
    let texts: [(DenseError, String)] = [
      (.width(0, of: "hidden layer 1"), "hidden layer 1 has width 0: choose 1 to 8192"),
      (.hiddenLayers(65), "the network has 65 hidden layers: choose at most 64"),
      (.indexCount(0), "the embedding has 0 rows: choose 1 to 2^32"),
      (.featureCount(0), "a sample has 0 features: choose 1 to 1048576"),
      (.groups(missing: 1), "no feature is in group 1: number the groups from 0 without gaps"),
      (.parameterCount(1 << 35), "the network has 34359738368 parameters, more than 17179869184: choose narrower"),
      (.gradientRows(1 << 31), "a gradient may touch 2147483648 embedding rows, more than 1073741824: choose fewer"),
      (.outOfMemory(bytes: 12_340_000_000, available: 8_000_000_000), "a dense network's array needs 12.4 GB and"),
      (.refused(bytes: 5_000_000), "the system refuses 5 MB of memory for a dense network: raise its limit (ulimit"),
    ]
    for (error, text) in texts { #expect(matches(error.description, text)) }
  }
}
