import Testing
import TupeloNetwork
import TupeloTraining
import TupeloWebLearning

/// The learner of the page, compiled for this machine, compared with a run of the program. The module has one run at a
/// time. Tests in a browser compare what the page itself learns.
@Suite(.serialized) struct LearnerTests {
  private static let room = 256

  /// Begins a run of patterns of four cells.
  private static func begin(_ patterns: [[UInt8]], coherent: Bool, optimism: Float, gamesAtOnce: Int32) -> Int32 {
    let memory = exchange()
    let bytes = patterns.map { $0 + [255] }.joined() + [255]
    for (place, byte) in bytes.enumerated() {
      memory.storeBytes(of: byte, toByteOffset: room + place, as: UInt8.self)
    }
    return TupeloWebLearning.begin(coherent ? 1 : 0, coherent ? 1 : 0.25, 0.5, optimism, 7, 0, gamesAtOnce)
  }

  /// All weights of the run's tables, in the order of files.
  private static func weights(tables: Int) -> [[Float]] {
    (0..<tables).map { table in
      let count = Int(piece(Int32(table), 0))
      return (0..<count).map { exchange().load(fromByteOffset: room + 4 * $0, as: Float.self) }
    }
  }

  @Test(arguments: [(true, 0, 1), (true, 0, 2), (false, 20_000, 1)] as [(Bool, Float, Int)])
  func weightsAreThoseOfTheProgram(_ coherent: Bool, _ optimism: Float, _ gamesAtOnce: Int) throws {
    let patterns: [[UInt8]] = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 4, 5]]
    #expect(Self.begin(patterns, coherent: coherent, optimism: optimism, gamesAtOnce: Int32(gamesAtOnce)) == 0)
    for _ in 0..<10 { #expect(learn(20) == 0) }
    let found = Self.weights(tables: patterns.count)
    var configuration = RunConfiguration(
      seed: 7, network: try NetworkSpecification(patterns: patterns.map { try TuplePattern(cells: $0.map(Int.init)) }),
      stepSize: coherent ? .temporalCoherence(alpha: 1) : .constant(alpha: 0.25),
      returns: LambdaReturn(lambda: 0.5, steps: nil), initialValue: optimism)
    configuration.training.gamesAtOnce = gamesAtOnce
    configuration.averaging.everyGames = 0
    let trainer = try Trainer(configuration)
    try trainer.train(until: 200)
    let network = try trainer.network()
    for (pattern, table) in found.enumerated() {
      #expect(table.count == 65_536)
      let expected = table.indices.map {
        network.weights.weight(at: network.indexer.storageIndex(pattern: pattern, standardIndex: $0))
      }
      #expect(table.map(\.bitPattern) == expected.map(\.bitPattern), "pattern \(pattern)")
    }
  }

  /// Counts go on beyond 2^31.
  @Test func totalsHave64Bits() {
    #expect(Self.begin([[0, 1, 2, 3]], coherent: true, optimism: 0, gamesAtOnce: 1) == 0)
    let before = (Int64(1) << 31) - 5
    for place in [64, 72] { exchange().storeBytes(of: before, toByteOffset: place, as: Int64.self) }
    #expect(learn(10) == 0)
    #expect(exchange().load(fromByteOffset: 64, as: Int64.self) == before + 10)
    #expect(exchange().load(fromByteOffset: 72, as: Int64.self) > before + 500)
  }

  @Test func impossiblePatternsAreRefused() {
    #expect(Self.begin([[0, 0]], coherent: true, optimism: 0, gamesAtOnce: 1) != 0)
    #expect(Self.begin([], coherent: true, optimism: 0, gamesAtOnce: 1) != 0)
  }
}
