import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

@Suite struct StageTests {
  /// The stage of a matrix of exponents, by the definition.
  private static func stage(_ partition: StagePartition, of matrix: [[Int]]) -> Int {
    let tiles = matrix.flatMap { $0 }.map { $0 == 0 ? 0 : 1 << min($0, 15) }
    switch partition.measure {
    case .largest: return partition.thresholds.count { $0 <= tiles.max()! }
    case .sum: return partition.thresholds.count { $0 <= tiles.reduce(0, +) }
    case .present:
      return partition.thresholds.enumerated().reduce(0) { $0 + (tiles.contains($1.element) ? 1 << $1.offset : 0) }
    }
  }

  static let partitions = [
    "single", "largest=16384", "largest=4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384", "sum=100,5000,30000",
    "present=1024", "present=64,2048,8192,16384",
  ]

  @Test(arguments: partitions) func stagesAreTheirDefinition(_ text: String) throws {
    let partition = try StagePartition(text: text)
    #expect("\(partition)" == text)
    var positions = RandomPositions(seed: 3)
    var seen: Set<Int> = []
    for round in 0..<3000 {
      let matrix = positions.matrix(largest: round % 16 + 1)
      let stage = partition.stage(of: try Afterstate(matrix: matrix).bits)
      #expect(stage == Self.stage(partition, of: matrix))
      seen.insert(stage)
    }
    #expect(seen.count > partition.count / 2 && seen.isSubset(of: Set(0..<partition.count)))
  }

  @Test(
    arguments: [
      ("largest=", "'largest=' does not describe stages"), ("largst=4", "'largst=4' does not describe stages"),
      ("largest=16384,8192", "the stages 16384 and 8192 are not in ascending order"),
      ("largest=1000", "1000 is not a tile at which a stage can begin: give a power of two from 4 to 16384"),
      ("largest=32768", "32768 is not a tile at which a stage can begin"),
      ("sum=32768", "32768 is not a sum at which a stage can begin: give 4 to 32767"),
      ("largest=65536", "65536 is not a tile at which a stage can begin"),
      ("sum=2", "2 is not a sum at which a stage can begin"),
      ("present=4,8,16,32,64", "5 tiles make 2^5 stages: 4 tiles, which make 16, are the most"),
      (
        "sum=4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19", "16 sums make 17 stages: 16 stages are the most"
      ),
    ] as [(String, String)])
  func badPartitionsSayWhy(_ text: String, _ reason: String) {
    let error = #expect(throws: StagePartitionError.self) { try StagePartition(text: text) }
    #expect("\(error!)".hasPrefix(reason))
  }

  private static let patterns = ["0123", "4567", "01245"]

  private static func specification(_ stages: String, patterns: [String] = patterns, shares: Bool = true) throws
    -> NetworkSpecification
  {
    try NetworkSpecification(
      patterns: patterns.map { try TuplePattern(text: $0) }, sharesSymmetries: shares,
      stages: StagePartition(text: stages))
  }

  /// Each stage has a network of its own.
  @Test(arguments: [true, false]) func valuesAreThoseOfTheStage(_ shares: Bool) throws {
    let specification = try Self.specification("largest=64,1024", shares: shares)
    #expect(try NetworkSpecification(canonicalText: specification.canonicalText) == specification)
    let network = try NTupleNetwork(specification)
    var references = (0..<3).map { _ in DictionaryNetwork(patterns: Self.patterns, sharesSymmetries: shares) }
    var positions = RandomPositions(seed: 9)
    let matrices = (0..<60).map { positions.matrix(largest: $0 % 12 + 1) }
    for matrix in matrices {
      let stage = Self.stage(specification.stages, of: matrix)
      for feature in references[stage].features(of: matrix) where references[stage].weights[feature] == nil {
        let weight = positions.number(in: -1000...1000)
        references[stage].weights[feature] = weight
        network[pattern: feature.pattern, standardIndex: feature.standardIndex, stage: stage] = Float(weight)
      }
    }
    var features = network.indexer.makeBuffer(slots: 1)
    for matrix in matrices {
      let stage = Self.stage(specification.stages, of: matrix)
      let afterstate = try Afterstate(matrix: matrix)
      #expect(abs(Double(network.value(of: afterstate)) - references[stage].value(of: matrix)) < 0.05)
      network.indexer.write(afterstate, into: &features, slot: 0)
      #expect(network.weights.sum(features, slot: 0) == network.value(of: afterstate))
      #expect(network.indexer.stage(of: features, slot: 0) == stage)
    }
    let batch = try matrices.map { try Afterstate(matrix: $0) }
    // The buffer is longer than the number of requested values, as in search.
    var values = [Float](repeating: .nan, count: batch.count + 5)
    var span = values.mutableSpan
    network.evaluate(batch.span, into: &span)
    #expect(
      values.prefix(batch.count) == batch.map { network.value(of: $0) }[...] && values.suffix(5).allSatisfy(\.isNaN))
    expectMoveValues(of: network, network.makeMoveValues(boards: 3), on: batch)
    let path = TemporaryFile.path("stages.safetensors")
    defer { TemporaryFile.remove(path) }
    try network.save(to: path)
    let loaded = try NTupleNetwork(path: path)
    #expect(loaded.specification == specification)
    for matrix in matrices {
      #expect(loaded.value(of: try Afterstate(matrix: matrix)) == network.value(of: try Afterstate(matrix: matrix)))
    }
    // An indexer without stages puts every board into stage 0.
    let unstaged = TupleIndexer(specification, isStaged: false)
    for matrix in matrices {
      unstaged.write(try Afterstate(matrix: matrix), into: &features, slot: 0)
      #expect(unstaged.stage(of: features, slot: 0) == 0)
    }
  }

  /// A weight of zero takes the weight of the nearest earlier stage, any other weight stays, and stage 0 is never
  /// changed.
  @Test func promotionFillsZeros() throws {
    let specification = try Self.specification("largest=64,1024", patterns: ["0123"])
    let indexer = TupleIndexer(specification)
    let size = specification.stageWeightCount
    var features = indexer.makeBuffer(slots: 1)
    indexer.write(Afterstate(bits: 0x3a21), into: &features, slot: 0)
    let indices = features.features(ofSlot: 0)
    #expect(indices.allSatisfy { $0 >= 2 * size })
    let first = indices[0]
    func storage(_ weights: [Float]) throws -> WeightStorage<CoherenceCell> {
      let storage = try WeightStorage<CoherenceCell>(count: specification.weightCount)
      for (stage, weight) in weights.enumerated() { storage[first - (2 - stage) * size].weight = weight }
      return storage
    }
    for (before, after) in [
      ([1, 2, 0], [1, 2, 2]), ([1, 0, 0], [1, 0, 1]), ([1, 2, 3], [1, 2, 3]), ([0, 0, 0], [0, 0, 0]),
      ([0, 5, 0], [0, 5, 5]),
    ] as [([Float], [Float])] {
      let read = try storage(before)
      read.promote(features, slot: 0, stageSize: indexer.stageSize)
      #expect((0..<3).map { read[first - (2 - $0) * size].weight } == after)
    }
    let filled = try storage([1, 0, 0])
    filled.exclusively { $0.fillStages(of: specification) }
    #expect((0..<3).map { filled[first - (2 - $0) * size].weight } == [1, 1, 1])
    let copied = try storage([7, 2, 3])
    copied.exclusively { $0.copyFirstStage(of: specification) }
    #expect((0..<3).map { copied[first - (2 - $0) * size].weight } == [7, 7, 7])
  }

  private static func read<Cell: WeightCell>(
    _ path: String, into weights: WeightStorage<Cell>, _ indexer: TupleIndexer
  ) throws {
    let file = try SafetensorsFile(path: path)
    let other = try ModelFile.specification(in: file)
    var stored = try StoredWeights(file, tables: other.tables)
    try weights.read(initial: file, &stored, of: other, indexer: indexer)
  }

  /// A trained network that is widened by a pattern, and cut into stages, gives the same values as before.
  @Test func aWidenedNetworkKeepsItsValues() throws {
    let path = TemporaryFile.path("narrow.safetensors")
    defer { TemporaryFile.remove(path) }
    let narrow = try NTupleNetwork(Self.specification("single"))
    var positions = RandomPositions(seed: 4)
    for index in 0..<65536 { narrow[pattern: 1, standardIndex: index] = Float(positions.number(in: -9...9)) }
    try narrow.save(to: path)
    let wide = try Self.specification("largest=64", patterns: ["37bf", "01245", "0123", "4567", "0"])
    let storage = try WeightStorage<CoherenceCell>(count: wide.weightCount)
    let indexer = TupleIndexer(wide)
    try Self.read(path, into: storage, indexer)
    let network = try NTupleNetwork(wide)
    for index in 0..<storage.count { network.weights[index] = PlainCell(weight: storage[index].weight) }
    for round in 0..<200 {
      let afterstate = try Afterstate(matrix: positions.matrix(largest: round % 15 + 1))
      #expect(abs(network.value(of: afterstate) - narrow.value(of: afterstate)) < 0.001)
    }
    let other = try Self.specification("single", patterns: ["37bf"])
    let error = #expect(throws: ModelFileError.self) {
      try Self.read(path, into: WeightStorage<PlainCell>(count: other.weightCount), TupleIndexer(other))
    }
    #expect(error == .nothingInCommon(path: path, network: "4x4 shared 0123 4567 01245"))
  }
}
