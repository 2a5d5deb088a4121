import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Values of boards with 32768 and larger tiles, which networks look up as boards with smaller tiles.
@Suite struct LoweringTests {
  /// Boards, and the boards that are looked up, by the definition on paper.
  private static let boards: [(String, String)] = [
    ("fedc100100000100", "edcb100100000100"),
    ("1001023357abfedc", "10010233579aedcb"),
    ("f000000000000001", "e000000000000001"),
    ("ff00000000000001", "ee00000000000001"),
    ("g000000000000001", "e000000000000001"),
    ("gf00000000000001", "ed00000000000001"),
    ("hg00000000000001", "ed00000000000001"),
    ("hfedcba987654300", "fedcba9876543200"),
    // These boards have no missing tile, but for 2.
    ("fedcba9876543200", "fedcba9876543200"),
    ("gfedcba987654321", "gfedcba987654321"),
    // The largest tile is 16384.
    ("eecb100100000100", "eecb100100000100"),
  ]

  private static func network(_ text: String, positions: inout RandomPositions) throws -> NTupleNetwork {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: text))
    for (number, table) in network.specification.tables.enumerated() {
      let (stage, pattern) = number.quotientAndRemainder(dividingBy: network.specification.patterns.count)
      for index in 0..<table.size {
        network[pattern: pattern, standardIndex: index, stage: stage] = Float(positions.number(below: 1 << 12))
      }
    }
    return network
  }

  private static func afterstate(_ hex: String) throws -> Afterstate {
    let board = try Board(hex: hex)
    return Afterstate(bits: board.bits, overflow: board.overflow)
  }

  @Test(arguments: ["4x4 shared 0123 0145", "4x4 shared largest=8192,16384 0123 0145"])
  func valuesAreThoseOfLoweredBoards(text: String) throws {
    var positions = RandomPositions(seed: 5)
    let network = try Self.network(text, positions: &positions)
    for (board, lowered) in Self.boards {
      #expect(network.value(of: try Self.afterstate(board)) == network.value(of: try Self.afterstate(lowered)))
    }
    #expect(Set(try Self.boards.map { network.value(of: try Self.afterstate($0.1)) }).count == 8)
  }

  /// Every way to a value lowers boards, and the stage is that of the lowered board.
  @Test(arguments: ["0123 0145", "0123 4567 0145 1256 5689 0246 159d 26ae 3478"], [true, false])
  func everyLookupLowers(patterns: String, shares: Bool) throws {
    var positions = RandomPositions(seed: 11)
    let names = patterns.split(separator: " ").map(String.init)
    let network = try Self.network(
      "4x4 \(shares ? "shared" : "separate") largest=16384 \(patterns)", positions: &positions)
    let reference = DictionaryNetwork(patterns: names, sharesSymmetries: shares)
    let matrices = (0..<120).map { _ in Self.late(&positions) }
    let afterstates = try matrices.map { try Afterstate(matrix: $0) }
    var features = FeatureBuffer(network.indexer.layout, slots: 1)
    var stages = [0, 0]
    let expected = matrices.indices.map { index in
      let lowered = DictionaryNetwork.lowered(matrices[index])
      let stage = lowered.joined().max()! >= 14 ? 1 : 0
      stages[stage] += 1
      network.indexer.write(afterstates[index], into: &features, slot: 0)
      #expect(network.indexer.stage(of: features, slot: 0) == stage)
      #expect(network.specification.stages.stage(ofLowered: afterstates[index]) == stage)
      return reference.features(of: matrices[index]).reduce(Float(0)) {
        $0 + network[pattern: $1.pattern, standardIndex: $1.standardIndex, stage: stage]
      }
    }
    #expect(stages.min()! > 20)
    let sparse = try SparseNetwork(network)
    // All weights are small whole numbers, so sums are exact in any order.
    #expect(afterstates.map { network.value(of: $0) } == expected)
    #expect(afterstates.map { sparse.value(of: $0) } == expected)
    var values = [Float](repeating: .nan, count: afterstates.count)
    var span = values.mutableSpan
    network.evaluate(afterstates.span, into: &span)
    #expect(values == expected)
    expectMoveValues(of: network, network.makeMoveValues(boards: 3), on: afterstates)
  }

  /// A matrix with up to sixteen tiles: any tile up to 131072, or a chain from a large tile down with a few gaps.
  private static func late(_ positions: inout RandomPositions) -> [[Int]] {
    if positions.number(below: 3) == 0 { return positions.matrix(largest: 13 + positions.number(below: 5)) }
    var exponent = 13 + positions.number(below: 5)
    return (0..<4).map { _ in
      (0..<4).map { _ in
        exponent -= [0, 1, 1, 1, 1, 1, 1, 2][positions.number(below: 8)]
        return max(exponent, 0)
      }
    }
  }
}
