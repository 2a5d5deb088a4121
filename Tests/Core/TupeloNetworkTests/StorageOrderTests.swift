import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// The private order of weights in memory is a bijection of the order in files.
@Suite struct StorageOrderTests {
  @Test(
    .slow,
    arguments: [
      ["0123", "4567", "0145", "1256", "02", "7"], ["01234", "01245"], ["012345", "012456"], ["45689a"], ["01489a"],
      ["01259a"], ["fa50"], ["0246"],
    ] as [[String]]) func isBijective(_ texts: [String]) throws
  {
    let specification = try NetworkSpecification(patterns: texts.map { try TuplePattern(text: $0) })
    let indexer = TupleIndexer(specification)
    var seen = [Bool](repeating: false, count: specification.weightCount)
    for (number, pattern) in specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize {
        let position = indexer.storageIndex(pattern: number, standardIndex: index)
        let isFree = seen.indices.contains(position) && !seen[position]
        guard isFree else {
          Issue.record("\(pattern): standard index \(index) goes to \(position), which is taken or outside")
          return
        }
        seen[position] = true
      }
    }
    #expect(seen.allSatisfy { $0 })
  }

  /// Bits are ordered by planes: first the lowest bits of all cells' Gray codes, in the order of the cells, then the
  /// second ones.
  @Test(arguments: [(4, 4), (2, 4)]) func planesLieOneAfterTheOther(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let pattern = try TuplePattern(text: "3106", shape: shape)
    let indexer = TupleIndexer(try NetworkSpecification(patterns: [pattern], shape: shape, sharesSymmetries: false))
    for (digit, place) in [2, 1, 0, 3].enumerated() {
      for plane in 0..<4 {
        let index = indexer.storageIndex(pattern: 0, standardIndex: 1 << (digit * 4 + plane))
        // Bit n of an exponent is bits n and n - 1 of its Gray code.
        #expect(index == 1 << (plane * 4 + place) | (plane > 0 ? 1 << ((plane - 1) * 4 + place) : 0))
      }
    }
  }

  /// Pages of 1,024 weights, in sets by the lowest eight bits of their numbers: table accesses while the large tiles
  /// stay are spread over all sets. Without Gray codes and scatter the fullest set has five times as many pages as the
  /// average one.
  @Test(arguments: ["4x6", "8x6", "5x6"]) func pagesAreSpreadOverTheSetsOfATranslationBuffer(_ layout: String) throws {
    let specification = try #require(NamedLayout.named(layout)).specification()
    let indexer = TupleIndexer(specification)
    var features = indexer.makeBuffer(slots: 1)
    var pages: Set<UInt32> = []
    var positions = RandomPositions(seed: 8)
    for _ in 0..<150 {
      var matrix = positions.matrix(largest: 5)
      matrix[0].replaceSubrange(0..<3, with: [10, 9, 8])
      indexer.write(try Afterstate(matrix: matrix), into: &features, slot: 0)
      for index in features.features(ofSlot: 0) { pages.insert(UInt32(index) >> 10) }
    }
    var sets = [Int](repeating: 0, count: 256)
    for page in pages { sets[Int(page % 256)] += 1 }
    let fullest = try #require(sets.max())
    #expect(fullest * 256 < 3 * pages.count, "\(pages.count) pages, \(fullest) in one set")
  }

  /// The features of a board are the storage indices of its patterns' weights. This holds also for patterns with eight
  /// cells, whose tables are too large for the tests of values, and in the last of sixteen stages of the largest size.
  @Test(arguments: [
    (4, ["01234567"]), (4, ["fedcba98"]), (4, ["048c159d"]), (2, ["01234567"]), (4, ["0", "0123", "0145267"]),
  ])
  func featuresAreStorageIndices(_ rows: Int, _ texts: [String]) throws {
    let shape = try BoardShape(rows: rows, columns: 4)
    let indexer = TupleIndexer(
      try NetworkSpecification(patterns: texts.map { try TuplePattern(text: $0, shape: shape) }, shape: shape))
    let reference = DictionaryNetwork(rows: rows, columns: 4, patterns: texts)
    var features = indexer.makeBuffer(slots: 1)
    var positions = RandomPositions(seed: 6, shape: shape)
    for _ in 0..<100 {
      let matrix = positions.matrix(largest: 15)
      indexer.write(try Afterstate(matrix: matrix, shape: shape), into: &features, slot: 0)
      let expected = reference.features(of: matrix).map {
        indexer.storageIndex(pattern: $0.pattern, standardIndex: $0.standardIndex)
      }
      #expect(features.features(ofSlot: 0).sorted() == expected.sorted())
    }
  }

  @Test func featuresLieInTheirStages() throws {
    let stages = try StagePartition(text: "present=64,2048,8192,16384")
    let specification = try NetworkSpecification(patterns: [try TuplePattern(text: "0145267")], stages: stages)
    #expect(specification.weightCount == 1 << 32)
    let (indexer, unstaged) = (TupleIndexer(specification), TupleIndexer(specification, isStaged: false))
    let reference = DictionaryNetwork(rows: 4, columns: 4, patterns: ["0145267"])
    var features = indexer.makeBuffer(slots: 2)
    var positions = RandomPositions(seed: 7)
    var seen: Set<Int> = []
    for _ in 0..<300 {
      let matrix = positions.matrix(largest: 15)
      let bits = try Afterstate(matrix: matrix).bits
      indexer.write(Afterstate(bits: bits), into: &features, slot: 0)
      unstaged.write(Afterstate(bits: bits), into: &features, slot: 1)
      let stage = stages.stage(of: try Afterstate(matrix: DictionaryNetwork.lowered(matrix)).bits)
      seen.insert(stage)
      for (slot, stage) in [stage, 0].enumerated() {
        let expected = reference.features(of: matrix).map {
          indexer.storageIndex(pattern: 0, standardIndex: $0.standardIndex, stage: stage)
        }
        #expect(features.features(ofSlot: slot).sorted() == expected.sorted())
      }
    }
    // Lowering ends at 16384.
    #expect(seen.count > 8)
  }

  /// A file has the standard order: reading back through a file gives each weight its place.
  @Test func wholeTableMapAgreesWithSingleIndices() throws {
    let network = try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01456")]))
    for index in 0..<(1 << 20) { network[pattern: 0, standardIndex: index] = Float(index) }
    let path = TemporaryFile.path("order.safetensors")
    defer { TemporaryFile.remove(path) }
    try network.save(to: path)
    let loaded = try NTupleNetwork(path: path)
    for index in stride(from: 0, to: 1 << 20, by: 37) {
      #expect(loaded[pattern: 0, standardIndex: index] == Float(index))
    }
  }
}
