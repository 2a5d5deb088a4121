import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// The value of a network, compared with a dictionary that knows nothing of bits or storage orders.
@Suite struct ValueTests {
  struct Case: CustomTestStringConvertible {
    var rows = 4
    var columns = 4
    var patterns: [String]
    var shares = true
    var testDescription: String { "\(rows)x\(columns) \(patterns.joined(separator: " ")) \(shares)" }
  }

  static let cases: [Case] =
    NamedLayout.all.map {
      Case(patterns: $0.patterns.split(separator: " ").map(String.init), shares: $0.sharesSymmetries)
    } + [
      Case(patterns: ["0", "5", "f"]),
      Case(patterns: ["01", "56", "0f"]),
      Case(patterns: ["0246", "159", "3a7c"], shares: false),
      Case(patterns: ["fedcba", "0a5f3c", "7312"]),
      Case(patterns: ["0123456"]),
      // This network has more than 64 features, of which a batch keeps no indices.
      Case(patterns: ["0123", "4567", "0145", "1256", "5689", "0246", "159d", "26ae", "3478"]),
      // This network has more than 64 features, with a last vector that is not full, and 36 features.
      Case(
        rows: 2, columns: 4,
        patterns: [
          "0", "1", "4", "5", "01", "12", "04", "15", "26", "012", "123", "456", "014", "125", "0145", "1256", "047",
        ]),
      Case(rows: 2, columns: 4, patterns: ["01", "12", "04", "15", "26", "012", "456", "0145", "1256"]),
      Case(rows: 3, columns: 3, patterns: ["012345", "0134", "8"]),
      Case(rows: 2, columns: 2, patterns: ["0123"]),
      Case(rows: 2, columns: 3, patterns: ["012345", "14"]),
      Case(rows: 3, columns: 2, patterns: ["012345", "0"]),
      Case(rows: 2, columns: 4, patterns: ["0123", "0145", "367"]),
      Case(rows: 4, columns: 3, patterns: ["0134", "6789ab"], shares: false),
    ]

  @Test(arguments: cases) func equalsDictionary(_ test: Case) throws {
    let shape = try BoardShape(rows: test.rows, columns: test.columns)
    let specification = try NetworkSpecification(
      patterns: test.patterns.map { try TuplePattern(text: $0, shape: shape) }, shape: shape,
      sharesSymmetries: test.shares)
    let network = try NTupleNetwork(specification)
    var reference = DictionaryNetwork(
      rows: test.rows, columns: test.columns, patterns: test.patterns, sharesSymmetries: test.shares)
    var positions = RandomPositions(seed: 5, shape: shape)
    var matrices: [[[Int]]] = []
    for _ in 0..<50 {
      let matrix = positions.matrix(largest: 17)
      matrices.append(matrix)
      for feature in reference.features(of: matrix) where reference.weights[feature] == nil {
        let weight = positions.number(in: -1000...1000)
        reference.weights[feature] = weight
        network[pattern: feature.pattern, standardIndex: feature.standardIndex] = Float(weight)
      }
    }
    #expect(specification.featureCount == reference.features(of: matrices[0]).count)
    var features = network.indexer.makeBuffer(slots: 2)
    var batch: [Afterstate] = []
    for matrix in matrices {
      let afterstate = try Afterstate(matrix: matrix, shape: shape)
      batch.append(afterstate)
      let value = network.value(of: afterstate)
      #expect(abs(Double(value) - reference.value(of: matrix)) < 0.05)
      // The other functions that compute this value give the same bits.
      network.indexer.write(afterstate, into: &features, slot: 1)
      #expect(network.weights.sum(features, slot: 1) == value)
    }
    var values = [Float](repeating: .nan, count: batch.count)
    var span = values.mutableSpan
    network.evaluate(batch.span, into: &span)
    #expect(values == batch.map { network.value(of: $0) })
    expectMoveValues(of: network, network.makeMoveValues(boards: 3), on: batch, in: shape)
  }

  /// Adds 1 to each feature of one position and looks at the whole table.
  @Test(
    arguments: [
      Case(patterns: ["0123", "4567", "0145"]), Case(rows: 3, columns: 3, patterns: ["0134", "012"]),
      Case(patterns: ["0123", "159d"], shares: false),
    ] as [Case])
  func updateTouchesExactlyTheNamedWeights(_ test: Case) throws {
    let shape = try BoardShape(rows: test.rows, columns: test.columns)
    let specification = try NetworkSpecification(
      patterns: test.patterns.map { try TuplePattern(text: $0, shape: shape) }, shape: shape,
      sharesSymmetries: test.shares)
    let indexer = TupleIndexer(specification)
    let weights = try WeightStorage<CoherenceCell>(count: specification.weightCount)
    let reference = DictionaryNetwork(
      rows: test.rows, columns: test.columns, patterns: test.patterns, sharesSymmetries: test.shares)
    var positions = RandomPositions(seed: 9, shape: shape)
    let matrix = positions.matrix()
    var features = indexer.makeBuffer(slots: 1)
    indexer.write(try Afterstate(matrix: matrix, shape: shape), into: &features, slot: 0)
    weights.update(features, slot: 0, { $0.weight += 1 }, four: { _ in SIMD4(repeating: 1) })
    var expected: [Int: Float] = [:]
    for feature in reference.features(of: matrix) {
      expected[indexer.storageIndex(pattern: feature.pattern, standardIndex: feature.standardIndex), default: 0] += 1
    }
    for index in 0..<weights.count {
      #expect(weights[index].weight == expected[index, default: 0])
      #expect(weights[index].errorSum == 0 && weights[index].absoluteErrorSum == 0)
    }
  }
}
