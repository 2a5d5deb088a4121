import TestSupport
import Testing
import TupeloTables

/// Weights with memory only for those that are not zero, compared with an array.
@Suite struct SparseWeightsTests {
  /// Counts around the sizes of blocks and segments: 32 and 524,288 weights.
  static let counts = [1, 31, 32, 33, 1000, 524_288, 524_289, 1 << 21]

  @Test(arguments: counts) func equalsAnArray(count: Int) throws {
    var random = RandomPositions(seed: UInt64(count))
    var reference = [Float](repeating: 0, count: count)
    var builder = try SparseWeights.Builder(count: count)
    for _ in 0..<min(count * 2, 20_000) {
      let (index, weight) = (random.number(below: count), Float(random.number(in: -100...100)))
      reference[index] = weight
      try builder.set(weight, at: index)
      #expect(builder[index] == weight)
    }
    let sparse = builder.finished()
    #expect(sparse.count == count)
    #expect(reference.indices.allSatisfy { sparse[$0] == reference[$0] })
  }

  /// A network with several stages: each later stage takes over the weights that it lacks, one stage after the other.
  @Test(arguments: [(40, 3), (64, 4), (1 << 12, 2), (1 << 16, 3)]) func fillsStages(size: Int, stages: Int) throws {
    var random = RandomPositions(seed: UInt64(size + stages))
    var reference = [Float](repeating: 0, count: size * stages)
    var builder = try SparseWeights.Builder(count: reference.count)
    for _ in 0..<size {
      // Some stretches have no weights at all.
      let index = random.number(below: reference.count)
      guard index / 128 % 3 != 0 || size < 128 else { continue }
      reference[index] = Float(random.number(in: -100...100))
      try builder.set(reference[index], at: index)
    }
    for index in size..<reference.count where reference[index] == 0 { reference[index] = reference[index - size] }
    let sparse = try builder.filled(fromBefore: size)
    #expect(reference.indices.allSatisfy { sparse[$0] == reference[$0] })
  }

  /// If no block consists of zeros alone, no block of zeros is kept, so that even the last of 2^32 weights has a place.
  @Test(arguments: counts) func everyWeightHasAPlace(count: Int) throws {
    for order in [Array(0..<count), (0..<count).reversed()] {
      var builder = try SparseWeights.Builder(count: count)
      for index in order { try builder.set(Float(index + 1), at: index) }
      let sparse = count.isMultiple(of: 64) ? try builder.filled(fromBefore: count / 2) : builder.finished()
      #expect((0..<count).allSatisfy { sparse[$0] == Float($0 + 1) })
      #expect(sparse.byteCount == Self.blocks(count) * 4 + (count + 524_287) / 524_288 * (2 << 20))
    }
  }

  private static func blocks(_ count: Int) -> Int { (count + 31) / 32 }

  /// A later stage without weights of its own takes no memory except for its part of the map.
  @Test func stagesShareBlocks() throws {
    let size = 1 << 21
    func builder() throws -> SparseWeights.Builder {
      var builder = try SparseWeights.Builder(count: 3 * size)
      for index in stride(from: 0, to: size, by: 32) { try builder.set(1, at: index) }
      return builder
    }
    let filled = try builder().filled(fromBefore: size)
    #expect(try filled.byteCount == builder().finished().byteCount)
    #expect(filled.byteCount == 3 * size / 8 + (4 * size + (2 << 20)))
    #expect(filled[size] == 1 && filled[3 * size - 32] == 1 && filled[3 * size - 31] == 0)
  }

  /// The memory that weights would take is the memory that they take.
  @Test(arguments: counts) func sizeIsKnownBefore(count: Int) throws {
    var random = RandomPositions(seed: UInt64(count))
    for weights in [0, 1, count / 40, count / 2, 2 * count] {
      var builder = try SparseWeights.Builder(count: count)
      var size = SparseSize(count: count)
      for _ in 0..<weights {
        let index = random.number(below: count)
        try builder.set(1, at: index)
        size.note(index)
      }
      let bytes = builder.finished().byteCount
      #expect(size.byteCount == bytes, "\(weights)")
    }
    var size = SparseSize(count: count)
    size.noteAll(from: 0)
    #expect(size.byteCount == Self.blocks(count) * 4 + (count + 524_287) / 524_288 * (2 << 20))
  }

  /// Indices become places, and the sum of their weights is the sum in ordinary storage.
  @Test(arguments: [1, 7, 8, 32, 36]) func sums(features: Int) throws {
    let count = 1 << 20
    var random = RandomPositions(seed: UInt64(features))
    var builder = try SparseWeights.Builder(count: count)
    let storage = try WeightStorage<PlainCell>(count: count)
    for index in stride(from: 0, to: count, by: 3) {
      storage[index] = PlainCell(weight: 0.1 * Float(index % 1009))
      try builder.set(storage[index].weight, at: index)
    }
    let sparse = builder.finished()
    let layout = FeatureLayout(featureCount: features, groupSize: 1, weightCount: count)
    var buffer = FeatureBuffer(layout, slots: 1)
    for _ in 0..<100 {
      let words = unsafe buffer.words(ofSlot: 0, for: layout)
      for number in 0..<layout.stride { unsafe words[number] = UInt32(random.number(below: count)) }
      let expected = storage.sum(buffer, slot: 0)
      unsafe sparse.prepare(buffer.words(ofSlot: 0, for: layout), count: features)
      #expect(unsafe sparse.sum(buffer.base(ofSlot: 0), count: features) == expected)
    }
  }

  /// The memory that a few scattered weights take.
  @Test func takesLittleMemory() throws {
    let count = 1 << 26
    var builder = try SparseWeights.Builder(count: count)
    for index in stride(from: 0, to: count, by: 1 << 12) { try builder.set(1, at: index) }
    // The map takes 8.4 MB, and 16,385 blocks take 2.1 MB in segments of that size.
    #expect(builder.finished().byteCount == count / 8 + 2 * (2 << 20))
  }

  @Test func otherIndicesAreRefused() async {
    await #expect(processExitsWith: .trap) {
      var builder = try SparseWeights.Builder(count: 32)
      try builder.set(1, at: 32)
    }
    await #expect(processExitsWith: .trap) {
      _ = try SparseWeights.Builder(count: 32)[-1]
    }
  }
}
