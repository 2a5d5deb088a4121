import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Weights for whole states, on top of the patterns'.
@Suite final class StateIndexTests {
  private let path = TemporaryFile.path("states.safetensors")

  deinit { TemporaryFile.remove(path) }

  private static func specification(_ text: String) throws -> NetworkSpecification {
    try NetworkSpecification(canonicalText: text)
  }

  private static func index(_ text: String) throws -> StateIndex {
    try #require(try StateIndex(specification(text)))
  }

  /// Random weights everywhere, and some states, drawn from a small set, that the network knows.
  private static func network(_ text: String) throws -> NTupleNetwork {
    let network = try NTupleNetwork(specification(text))
    var random = RandomPositions(seed: 8)
    for index in 0..<network.weights.count {
      network.weights[index] = PlainCell(weight: Float(random.number(in: -1000...1000)))
    }
    for matrix in known(network.specification.shape) {
      let states = try #require(network.states)
      let afterstate = try Afterstate(matrix: matrix, shape: network.specification.shape)
      _ = states.slot(adding: states.hash(afterstate.bits))
    }
    return network
  }

  private static func known(_ shape: BoardShape) -> [[[Int]]] {
    var positions = RandomPositions(seed: 6, shape: shape)
    return (0..<100).map { positions.matrix(largest: $0 % 12 + 1) }
  }

  /// Golden: the least of the symmetric boards, found by turning lists, and the hash, computed by a few lines of Python. Files depend on it, so it
  /// must never change.
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
    #expect(index.hash(try Afterstate(matrix: matrix, shape: Self.specification(text).shape).bits) == hash)
    // Sixteen slots share a line, and the bucket is what the hash begins with.
    #expect(index.hash.bucket(of: hash) == Int(hash >> UInt64(64 - (try Self.specification(text).stateBits - 4))) * 16)
  }

  /// Symmetric boards are one state, others are others, and all are found where they were put.
  @Test(arguments: [(4, 4, true), (3, 3, true), (2, 4, true), (3, 2, true), (4, 4, false)])
  func statesAreBoardsUpToSymmetry(_ rows: Int, _ columns: Int, _ shares: Bool) throws {
    let text = "\(rows)x\(columns) \(shares ? "shared" : "separate") 012 states=13"
    let (index, shape) = (try Self.index(text), try Self.specification(text).shape)
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

  /// The value is that of the same network without states, but no less than 0, plus the weight of a state that is known, whichever way it is asked
  /// for: with up to 32, up to 64 and more features.
  @Test(arguments: [
    ("3x3 shared", "01234 01345 01245"), ("3x3 shared largest=64,512", "0134 012"), ("2x3 separate", "012 345 0"),
    ("4x4 shared", "0123 4567 0145 5 1 012 12"), ("4x4 shared", "0 1 5 01 12 45 56 012 123"),
  ]) func addsTheStatesWeight(_ head: String, _ patterns: String) throws {
    let network = try Self.network("\(head) \(patterns) states=10")
    let (states, shape) = (try #require(network.states), network.specification.shape)
    let plain = try NTupleNetwork(Self.specification("\(head) \(patterns)"))
    for index in 0..<plain.weights.count { plain.weights[index] = network.weights[index] }
    #expect(plain.states == nil && network.weights.count == plain.weights.count + 1024)
    var positions = RandomPositions(seed: 7, shape: shape)
    var (batch, expected): ([Afterstate], [Float]) = ([], [])
    var negative = 0
    for (round, matrix) in (Self.known(shape) + (0..<100).map { positions.matrix(largest: $0 % 12 + 1) }).enumerated() {
      let afterstate = try Afterstate(matrix: matrix, shape: shape)
      let slot = states.slot(of: states.hash(afterstate.bits))
      #expect(round >= 100 || slot != nil)
      let own = slot.map { network.weights[plain.weights.count + $0].weight } ?? 0
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
    expectMoveValues(of: network, on: batch, in: network.specification.shape)
  }

  /// Written and read in every format; in single precision the last tensor has the weights, slot by slot, and `states` which state has which slot.
  @Test func filesHoldTheStates() throws {
    let network = try Self.network("3x3 shared largest=64 0134 012 states=12")
    try network.save(to: path)
    let file = try SafetensorsFile(path: path)
    #expect(file.tensors.count == 6 && file.tensor(named: "weights.4")?.shape == [4096])
    let table = try file.array(of: "weights.4", as: Float.self)
    let states = try #require(network.states)
    #expect(table.indices.allSatisfy { table[$0] == network.weights[states.first + $0].weight })
    let tags = try file.array(of: "states", as: UInt32.self)
    for matrix in Self.known(network.specification.shape) {
      let hash = states.hash(try Afterstate(matrix: matrix, shape: network.specification.shape).bits)
      let slot = try #require(states.slot(of: hash))
      #expect(tags[slot] == max(UInt32(truncatingIfNeeded: hash), 1) && slot / 16 == hash >> 56)
    }
    for format in [PlayFormat.f32, .f16, .compact(step: 1, drop: 0)] {
      try network.save(to: path, format: format)
      let loaded = try NTupleNetwork(path: path)
      #expect(loaded.specification == network.specification)
      for matrix in Self.known(network.specification.shape) {
        let afterstate = try Afterstate(matrix: matrix, shape: network.specification.shape)
        let place = network.states?.slot(of: states.hash(afterstate.bits))
        #expect(loaded.states?.slot(of: states.hash(afterstate.bits)) == place)
      }
      #expect(
        (0..<network.weights.count).allSatisfy { abs(loaded.weights[$0].weight - network.weights[$0].weight) <= 0.5 })
    }
  }

  @Test func filesWithoutTheirStatesAreRefused() throws {
    let network = try Self.network("3x3 shared 012 states=12")
    let tensors = WeightStorage<PlainCell>.tensors(of: network.specification)
    for (states, error) in [
      ([], ModelFileError.missingTensor(path: path, name: "states")),
      ([TensorDescription(name: "states", type: .u32, shape: [2048])], .wrongStates(path: path, expected: 4096)),
      ([TensorDescription(name: "states", type: .f32, shape: [4096])], .wrongStates(path: path, expected: 4096)),
    ] as [([TensorDescription], ModelFileError)] {
      try SafetensorsWriter.write(
        to: path, metadata: ModelFile.metadata(for: network.specification), tensors: tensors + states
      ) { tensor, sink in
        if try network.weights.write(tensor, indexer: network.indexer, to: &sink) { return }
        try sink.write([UInt32](repeating: 7, count: tensor.shape[0]).span)
      }
      #expect(throws: error) { try NTupleNetwork(path: path) }
    }
  }

  @Test func namesReadBack() throws {
    for text in ["3x3 shared 01234 states=24", "4x4 separate largest=2048 0123 4567 states=10"] {
      #expect(try Self.specification(text).canonicalText == text)
    }
    for text in [
      "3x3 shared states=24", "3x3 shared 012 states=9", "3x3 shared 012 states=29", "3x3 shared 012 states=",
      "3x3 shared states=24 012", "3x3 shared 012 states=0",
    ] {
      #expect(throws: NetworkSpecificationError.badCanonicalText(text)) { try Self.specification(text) }
    }
    #expect(throws: NetworkSpecificationError.badStateBits(9)) {
      try NetworkSpecification(patterns: [TuplePattern(text: "0123")], stateBits: 9)
    }
  }

  @Test func foldedNetworksKeepIt() throws {
    let network = try Self.network("3x3 shared sum=100 0134 01 345 012 states=12")
    let folded = try network.folded()
    #expect(folded.specification.canonicalText == "3x3 shared sum=100 0134 345 012 states=12")
    for matrix in Self.known(network.specification.shape) {
      let afterstate = try Afterstate(matrix: matrix, shape: network.specification.shape)
      #expect(abs(folded.value(of: afterstate) - network.value(of: afterstate)) < 0.05)
    }
  }

  /// The weights are taken over with their stages' worth of patterns, and left empty where there are not as many slots.
  @Test func widenedNetworksTakeItOver() throws {
    let source = try Self.network("3x3 shared largest=64 0134 states=12")
    try source.save(to: path)
    for (text, isTaken) in [
      ("3x3 shared largest=64 012 0134 states=12", true), ("3x3 shared 0134 states=12", true),
      ("3x3 shared largest=64 0134 states=13", false), ("3x3 shared largest=64 0134", false),
    ] {
      let network = try NTupleNetwork(Self.specification(text))
      try network.weights.read(initial: SafetensorsFile(path: path), indexer: network.indexer)
      let (start, own) = (source.specification.patternWeightCount, network.specification.patternWeightCount)
      for place in 0..<network.weights.count - own {
        #expect(network.weights[own + place].weight == (isTaken ? source.weights[start + place].weight : 0))
      }
      let pattern = network.specification.patterns.count - 1
      for stage in 0..<network.specification.stages.count {
        #expect(
          network[pattern: pattern, standardIndex: 77, stage: stage]
            == source[pattern: 0, standardIndex: 77, stage: stage])
      }
    }
  }

  /// What later stages take over from earlier ones is theirs alone.
  @Test func stagesLeaveItAlone() throws {
    let specification = try Self.specification("3x3 shared largest=8,64 0134 states=10")
    let weights = try WeightStorage<PlainCell>(count: specification.weightCount)
    for index in 0..<specification.stageWeightCount { weights[index] = PlainCell(weight: 7) }
    weights.exclusively { $0.fillStages(of: specification) }
    weights.exclusively { $0.copyFirstStage(of: specification) }
    for index in 0..<weights.count {
      #expect(weights[index].weight == (index < specification.patternWeightCount ? 7 : 0))
    }
  }

  @Test func otherProgramsCannotReadIt() throws {
    let network = try Self.network("4x4 shared 0123 states=10")
    #expect(throws: TDLWeightFileError.states(path: path)) { try network.saveTDLWeightFile(to: path) }
  }
}
