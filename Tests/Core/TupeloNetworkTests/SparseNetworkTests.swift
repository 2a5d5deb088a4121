import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Networks in little memory, compared to the bit with networks that have memory for all weights.
@Suite final class SparseNetworkTests {
  private let path = TemporaryFile.path("model.safetensors")

  deinit { TemporaryFile.remove(path) }

  static let networks = [
    "4x4 shared 0145 012 5", "4x4 separate 0246 159 3a7c", "4x4 shared largest=64 01456 0123",
    "4x4 shared sum=64,256 0145 5", "3x3 shared 01234 0134 8", "2x4 shared 0123 0145 367",
    // This network has more than 64 features, of which a batch keeps no indices.
    "4x4 shared 0123 4567 0145 1256 5689 0246 159d 26ae 3478",
  ]
  static let formats: [PlayFormat] = [.f32, .f16, .compact(step: 16, drop: 0)]

  @Test(.slow, arguments: networks, formats) func playsLikeAWholeNetwork(text: String, format: PlayFormat) throws {
    let saved = try NTupleNetwork(NetworkSpecification(canonicalText: text))
    var random = RandomPositions(seed: 3, shape: saved.specification.shape)
    for (number, table) in saved.specification.tables.enumerated() {
      let (stage, pattern) = number.quotientAndRemainder(dividingBy: saved.specification.patterns.count)
      // Some stretches have no weights, and later stages lack some weights.
      for index in 0..<table.size where index / 64 % 3 != stage && random.number(below: 2) == 0 {
        saved[pattern: pattern, standardIndex: index, stage: stage] = 0.7 * Float(random.number(in: -9000...9000))
      }
    }
    let metadata = saved.specification.stages.count > 1 ? [ModelFile.Key.filledStages: "yes"] : [:]
    try saved.save(to: path, format: format, metadata: metadata)
    let (whole, sparse) = (try NTupleNetwork(path: path), try SparseNetwork(path: path))
    #expect(sparse.specification == whole.specification)
    var boards: [Afterstate] = []
    for _ in 0..<200 {
      boards.append(
        try Afterstate(matrix: random.matrix(largest: 12), shape: whole.specification.shape))
    }
    #expect(boards.map { sparse.value(of: $0) } == boards.map { whole.value(of: $0) })
    #expect(try SparseNetwork.byteCount(of: SafetensorsFile(path: path)) == sparse.byteCount)
    let copied = try SparseNetwork(whole)
    #expect(boards.map { copied.value(of: $0) } == boards.map { whole.value(of: $0) })
    #expect(Set(boards.map { whole.value(of: $0) }).count > 100)
    var values = [Float](repeating: .nan, count: boards.count)
    var span = values.mutableSpan
    sparse.evaluate(boards.span, into: &span)
    #expect(values == boards.map { whole.value(of: $0) })
    expectMoveValues(of: sparse, sparse.makeMoveValues(boards: 3), on: boards, in: whole.specification.shape)
  }

  @Test func aSmallModelTakesLittleMemory() throws {
    let saved = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 012456 456789"))
    for index in 0..<1000 { saved[pattern: 1, standardIndex: index * 16_000] = 1 }
    try saved.save(to: path, format: .compact(step: 1, drop: 0))
    // The memory is a map of 4.2 MB and two megabytes of blocks.
    #expect(try SparseNetwork(path: path).byteCount == (1 << 25) / 8 + (2 << 20))
  }
}
