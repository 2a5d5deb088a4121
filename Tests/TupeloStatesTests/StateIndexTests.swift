import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloStates
import TupeloTables

/// Weights for whole states, on top of the patterns'.
@Suite final class StateIndexTests {
  private let path = TemporaryFile.path("states.safetensors")

  deinit { TemporaryFile.remove(path) }

  private static func specification(_ text: String) throws -> StateSpecification {
    try #require(try StateSpecification(canonicalText: text))
  }

  private static func index(_ text: String) throws -> StateIndex { try StateIndex(specification(text)) }

  /// Random weights everywhere, and some states, drawn from a small set, that the network knows.
  private static func network(_ text: String) throws -> StateNetwork {
    let network = try StateNetwork(specification(text))
    var random = RandomPositions(seed: 8)
    for weights in [network.patterns.weights, network.weights] {
      for index in 0..<weights.count { weights[index] = PlainCell(weight: Float(random.number(in: -1000...1000))) }
    }
    let shape = network.specification.patterns.shape
    for matrix in known(shape) {
      let afterstate = try Afterstate(matrix: matrix, shape: shape)
      _ = network.states.slot(adding: network.states.hash(afterstate.bits))
    }
    return network
  }

  private static func known(_ shape: BoardShape) -> [[[Int]]] {
    var positions = RandomPositions(seed: 6, shape: shape)
    return (0..<100).map { positions.matrix(largest: $0 % 12 + 1) }
  }

  /// Golden: the least of the symmetric boards, found by turning lists, and the hash, computed by a few lines of
  /// Python. Files depend on it, so it must never change.
  @Test(
    arguments: [
      ("3x3 shared 01234 states=12", [[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0x1628_b970_d8d2_b778),
      ("3x3 separate 01234 states=24", [[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0x65a5_b135_9186_ab92),
      (
        "4x4 shared 0123 states=28", [[15, 14, 13, 12], [11, 10, 9, 8], [7, 6, 5, 4], [3, 2, 1, 0]],
        0x5fdb_d9a4_cdad_3244
      ),
      ("2x3 shared 01234 states=16", [[1, 0, 3], [2, 0, 5]], 0x8f55_aa49_db4c_19b0),
    ] as [(String, [[Int]], UInt64)]) func hashesAreGolden(_ text: String, _ matrix: [[Int]], _ hash: UInt64) throws
  {
    let index = try Self.index(text)
    #expect(index.hash(try Afterstate(matrix: matrix, shape: Self.specification(text).patterns.shape).bits) == hash)
    // Sixteen slots share a line, and the bucket is what the hash begins with.
    #expect(index.hash.bucket(of: hash) == Int(hash >> UInt64(64 - (try Self.specification(text).bits - 4))) * 16)
  }

  /// Symmetric boards are one state, others are others, and all are found where they were put.
  @Test(arguments: [(4, 4, true), (3, 3, true), (2, 4, true), (3, 2, true), (4, 4, false)])
  func statesAreBoardsUpToSymmetry(_ rows: Int, _ columns: Int, _ shares: Bool) throws {
    let text = "\(rows)x\(columns) \(shares ? "shared" : "separate") 012 states=13"
    let (index, shape) = (try Self.index(text), try Self.specification(text).patterns.shape)
    let reference = DictionaryNetwork(rows: rows, columns: columns, patterns: [])
    var positions = RandomPositions(seed: 4, shape: shape)
    var slots: [Set<[[Int]]>: Int] = [:]
    for _ in 0..<2000 {
      let matrix = positions.matrix(largest: 11)
      let images = Set(reference.boards(of: matrix))
      let state = shares ? images : [matrix]
      let hash = index.hash(try Afterstate(matrix: matrix, shape: shape).bits)
      #expect(index.slot(of: hash) == slots[state])
      let slot = try #require(index.slot(adding: hash))
      #expect(slots.updateValue(slot, forKey: state) ?? slot == slot && slot & ~15 == index.hash.bucket(of: hash))
      for image in images where shares || image == matrix {
        #expect(index.slot(of: index.hash(try Afterstate(matrix: image, shape: shape).bits)) == slot)
      }
    }
    #expect(Set(slots.values).count == slots.count && slots.count > 1000)
  }

  /// With as many states as slots, most are given one, some find their bucket full, and none loses its slot.
  @Test func fullBucketsTurnStatesAway() throws {
    let index = try Self.index("4x4 separate 012 states=10")
    let hashes = (1...1024).map { index.hash(UInt64($0)) }
    let slots = hashes.map { index.slot(adding: $0) }
    let given = slots.compactMap(\.self)
    #expect(Set(given).count == given.count && given.count > 800 && given.count < 1024)
    #expect(hashes.map { index.slot(of: $0) } == slots && hashes.map { index.slot(adding: $0) } == slots)
    // A bucket turns away only when it is full.
    let buckets = Dictionary(grouping: given) { $0 / 16 }
    for (hash, slot) in zip(hashes, slots) where slot == nil {
      #expect(buckets[index.hash.bucket(of: hash) / 16]?.count == 16)
    }
  }

  /// Threads that add the same states at once agree on their slots.
  @Test func threadsAgree() async throws {
    let index = try Self.index("4x4 separate 012 states=14")
    let found = await withTaskGroup(of: [Int?].self) { group in
      for _ in 0..<4 {
        group.addTask { (1...8000).map { index.slot(adding: index.hash(UInt64($0))) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(found).count == 1 && Set(found[0].compactMap(\.self)).count == found[0].count { $0 != nil })
  }

  /// The value is that of the same network without states, but no less than 0, plus the weight of a state that is
  /// known, whichever way it is asked for: with up to 32, up to 64 and more features.
  @Test(arguments: [
    ("3x3 shared", "01234 01345 01245"), ("3x3 shared largest=64,512", "0134 012"), ("2x3 separate", "012 345 0"),
    ("4x4 shared", "0123 4567 0145 5 1 012 12"), ("4x4 shared", "0 1 5 01 12 45 56 012 123"),
  ]) func addsTheStatesWeight(_ head: String, _ patterns: String) throws {
    let network = try Self.network("\(head) \(patterns) states=10")
    let (states, shape, plain) = (network.states, network.specification.patterns.shape, network.patterns)
    #expect(network.weights.count == 1024 && network.specification.weightCount == plain.weights.count + 1024)
    var positions = RandomPositions(seed: 7, shape: shape)
    var (batch, expected): ([Afterstate], [Float]) = ([], [])
    var negative = 0
    for (round, matrix) in (Self.known(shape) + (0..<100).map { positions.matrix(largest: $0 % 12 + 1) }).enumerated() {
      let afterstate = try Afterstate(matrix: matrix, shape: shape)
      let slot = states.slot(of: states.hash(afterstate.bits))
      #expect(round >= 100 || slot != nil)
      let own = slot.map { network.weights[$0].weight } ?? 0
      let base = plain.value(of: afterstate)
      negative += base < 0 ? 1 : 0
      let value = network.value(of: afterstate)
      #expect(abs(value - (max(base, 0) + own)) < 0.05)
      batch.append(afterstate)
      expected.append(value)
    }
    #expect(negative > 20)
    var values = [Float](repeating: .nan, count: batch.count)
    var span = values.mutableSpan
    network.evaluate(batch.span, into: &span)
    #expect(values == expected)
  }

  /// Written and read in every format; in single precision the last tensor has the weights, slot by slot, and `states`
  /// which state has which slot.
  @Test func filesHoldTheStates() throws {
    let network = try Self.network("3x3 shared largest=64 0134 012 states=12")
    try network.save(to: path)
    let file = try SafetensorsFile(path: path)
    #expect(file.tensors.count == 6 && file.tensor(named: "weights.4")?.shape == [4096])
    let table = try file.array(of: "weights.4", as: Float.self)
    let states = network.states
    #expect(table.indices.allSatisfy { table[$0] == network.weights[$0].weight })
    let tags = try file.array(of: "states", as: UInt32.self)
    for matrix in Self.known(network.specification.patterns.shape) {
      let hash = states.hash(try Afterstate(matrix: matrix, shape: network.specification.patterns.shape).bits)
      let slot = try #require(states.slot(of: hash))
      #expect(tags[slot] == max(UInt32(truncatingIfNeeded: hash), 1) && slot / 16 == hash >> 56)
    }
    for format in [PlayFormat.f32, .f16, .compact(step: 1, drop: 0)] {
      try network.save(to: path, format: format)
      let loaded = try StateNetwork(file: SafetensorsFile(path: path))
      #expect(loaded.specification == network.specification)
      for matrix in Self.known(network.specification.patterns.shape) {
        let hash = states.hash(try Afterstate(matrix: matrix, shape: network.specification.patterns.shape).bits)
        #expect(loaded.states.slot(of: hash) == states.slot(of: hash))
      }
      for (own, read) in [(network.weights, loaded.weights), (network.patterns.weights, loaded.patterns.weights)] {
        #expect((0..<own.count).allSatisfy { abs(read[$0].weight - own[$0].weight) <= 0.5 })
      }
    }
  }

  @Test func filesWithoutTheirStatesAreRefused() throws {
    let network = try Self.network("3x3 shared 012 states=12")
    for (states, error) in [
      (nil, ModelFileError.missingTensor(path: path, name: "states")),
      (
        TensorDescription(name: "states", type: .u32, shape: [2048]),
        StateModelError.otherStates(path: path, expected: 4096)
      ),
      (
        TensorDescription(name: "states", type: .f32, shape: [4096]),
        StateModelError.otherStates(path: path, expected: 4096)
      ),
    ] as [(TensorDescription?, any Error)] {
      try ModelWriter(
        text: network.specification.canonicalText,
        parts: [
          ModelWriter.Part(weights: network.patterns.weights, map: network.patterns.indexer.tableMap),
          ModelWriter.Part(weights: network.weights, map: network.specification.tableMap),
        ],
        extras: states.map { tensor in
          [ModelWriter.Extra(tensor) { try $0.write([UInt32](repeating: 7, count: tensor.shape[0]).span) }]
        } ?? []
      ).write(to: path, format: .f32, metadata: [:])
      let thrown = #expect(throws: (any Error).self) { try StateNetwork(file: SafetensorsFile(path: path)) }
      #expect(thrown.map { "\($0)" } == "\(error)")
    }
  }

  /// The example of the README.
  @Test func readmeExample() throws {
    try Self.network("3x3 shared 012 states=12").save(to: path)
    let shape = try BoardShape(rows: 3, columns: 3)
    let afterstate = try Afterstate(matrix: Self.known(shape)[0], shape: shape)
    let network = try StateNetwork(file: SafetensorsFile(path: path))
    let value = network.value(of: afterstate)
    #expect(value.isFinite)
  }

  /// Each kind of file is refused where the other is wanted.
  @Test func kindsAreNotMistaken() throws {
    try Self.network("3x3 shared 012 states=12").save(to: path)
    #expect(throws: ModelFileError.self) { try NTupleNetwork(path: path) }
    try NTupleNetwork(NetworkSpecification(canonicalText: "3x3 shared 012")).save(to: path)
    #expect(throws: StateModelError.noStates(path: path)) { try StateNetwork(file: SafetensorsFile(path: path)) }
  }

  @Test func namesReadBack() throws {
    for text in ["3x3 shared 01234 states=24", "4x4 separate largest=2048 0123 4567 states=10"] {
      #expect(try Self.specification(text).canonicalText == text)
    }
    for text in [
      "3x3 shared states=24", "3x3 shared 012 states=9", "3x3 shared 012 states=29", "3x3 shared 012 states=",
      "3x3 shared 012 states=0",
    ] {
      #expect(throws: NetworkSpecificationError.badCanonicalText(text)) { try Self.specification(text) }
    }
    #expect(try StateSpecification(canonicalText: "3x3 shared 01234") == nil)
  }

  @Test func foldedNetworksKeepIt() throws {
    let network = try Self.network("3x3 shared sum=100 0134 01 345 012 states=12")
    let folded = try network.folded()
    #expect(folded.specification.canonicalText == "3x3 shared sum=100 0134 345 012 states=12")
    for matrix in Self.known(network.specification.patterns.shape) {
      let afterstate = try Afterstate(matrix: matrix, shape: network.specification.patterns.shape)
      #expect(abs(folded.value(of: afterstate) - network.value(of: afterstate)) < 0.05)
    }
  }
}
