import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloTables

@Suite struct FoldTests {
  /// The weights are random everywhere; the folded network must give the same values for random boards.
  @Test(
    .slow,
    arguments: [
      ("0123 4567 0145 1256 012 456 5", "single", true, "0123 4567 0145 1256"),
      ("fb73 012 01234", "largest=64,512", true, "01234"),
      ("01 0123 12", "single", false, "0123"),
      ("0123 cdef 37bf", "single", true, "0123"),
      ("0145 1045 0145 14", "sum=500", false, "0145"),
    ] as [(String, String, Bool, String)])
  func foldedValuesAreTheSame(_ patterns: String, _ stages: String, _ shares: Bool, _ kept: String) throws {
    let specification = try NetworkSpecification(
      patterns: patterns.split(separator: " ").map { try TuplePattern(text: $0) }, sharesSymmetries: shares,
      stages: StagePartition(text: stages))
    let network = try NTupleNetwork(specification)
    var positions = RandomPositions(seed: 8)
    for index in 0..<network.weights.count {
      network.weights[index] = PlainCell(weight: Float(positions.number(in: -1000...1000)))
    }
    let folded = try network.folded()
    #expect(folded.specification.patterns.map(\.text).joined(separator: " ") == kept)
    #expect(folded.specification.stages == specification.stages)
    for round in 0..<500 {
      let afterstate = try Afterstate(matrix: positions.matrix(largest: round % 17 + 1))
      #expect(abs(folded.value(of: afterstate) - network.value(of: afterstate)) < 0.05)
    }
    #expect(throws: FoldError.self) { try folded.folded() }
  }
}
