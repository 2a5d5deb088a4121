import Foundation
import Safetensors
import SetAgents
import SetEngine
import SetTraining
import TestSupport
import Testing
import TupeloBase
import TupeloDense
import TupeloEngine
import TupeloModels
import TupeloNetwork
import TupeloTables

/// Dense models: their lines of text, their values one by one and in batches, and their files.
@Suite struct DenseModelTests {
  private static func architecture(
    _ hidden: [Int], embedding: Int, linear: Bool = true, sums: DenseArchitecture.Sums = .groups
  ) -> DenseArchitecture {
    var architecture = DenseArchitecture()
    (architecture.hidden, architecture.embedding) = (hidden, embedding)
    (architecture.linear, architecture.sums) = (linear, sums)
    return architecture
  }

  private static func board(_ patterns: [String], shared: Bool = true) throws -> NetworkSpecification {
    try NetworkSpecification(
      patterns: patterns.map { try TuplePattern(text: $0, shape: .standard) }, sharesSymmetries: shared)
  }

  private static func specifications() throws -> [DenseModelSpecification] {
    [
      try DenseModelSpecification(.tuples(board(["012", "014"])), architecture([16], embedding: 7)),
      try DenseModelSpecification(
        .tuples(board((0..<16).map { String($0, radix: 16) }, shared: false)),
        architecture([20, 9], embedding: 33, linear: false, sums: .all)),
      try DenseModelSpecification(.set(.standard), architecture([24], embedding: 5)),
      try DenseModelSpecification(
        .set(SetRules(features: 3, tableSize: 9)), architecture([8], embedding: 3, linear: false, sums: .all)),
    ]
  }

  private static func network(_ specification: DenseModelSpecification, seed: UInt64 = 7) throws -> DenseNetwork {
    try DenseNetwork(specification.network, DenseInitialization(seed: seed, outputScale: 1))
  }

  private static func boardModel(_ specification: DenseModelSpecification) throws -> DenseBoardModel {
    guard let tuples = (specification.features.base as? TupleFeatures)?.network else { throw Mismatch() }
    return DenseModel(specification, encoder: TupleIndexer(tuples), network: try network(specification))
  }

  private static func setModel(_ specification: DenseModelSpecification) throws -> DenseSetModel {
    guard let rules = (specification.features.base as? SetFeatures)?.rules else { throw Mismatch() }
    return DenseModel(specification, encoder: SetEmbeddingEncoder(rules), network: try network(specification))
  }

  private struct Mismatch: Error {}

  private static let kinds: [any DenseFeatures.Type] = [SetFeatures.self, TupleFeatures.self]

  /// Afterstates of random games.
  private static func afterstates(_ count: Int) -> [Afterstate] {
    var states: [Afterstate] = []
    var random = RandomStream(seed: 3)
    var game = Game(rules: .standard, seed: 3, number: 0)
    while states.count < count {
      let legal = MoveTable(.standard).successors(of: game.board)
      guard !legal.legal.isEmpty else {
        game = Game(rules: .standard, seed: 3, number: UInt64(states.count))
        continue
      }
      let move = legal.legal.move(ofRank: random.next(below: legal.legal.count))
      states.append(legal.afterstate(of: move))
      _ = game.play(move)
    }
    return states
  }

  private static func setAfterstates(_ rules: SetRules) -> [SetAfterstate] {
    var random = RandomStream(seed: 7)
    let deals = DealModel(rules)
    var states: [SetAfterstate] = []
    for _ in 0..<8 {
      var position = deals.position(after: SetAfterstate(startOf: rules), using: &random)
      while !position.isOver {
        let trio = position.table.set(ofRank: random.next(below: position.table.setCount))
        guard let state = position.afterstate(of: trio) else { break }
        states.append(state)
        position = deals.position(after: state, using: &random)
      }
    }
    return states
  }

  @Test func textReadsBack() throws {
    for specification in try Self.specifications() {
      let read = try DenseModelSpecification(canonicalText: specification.canonicalText, of: Self.kinds)
      #expect(read == specification && read?.network == specification.network && read?.game == specification.game)
    }
    #expect(
      try Self.specifications()[0].canonicalText
        == "dense hidden=16 embedding=7 linear=yes sums=groups unit=16384 of 4x4 shared 012 014")
    #expect(try DenseModelSpecification(canonicalText: "4x4 shared 012 014", of: Self.kinds) == nil)
    let chess = "dense hidden=16 embedding=7 linear=yes sums=groups unit=1 of chess"
    #expect(try DenseModelSpecification(canonicalText: chess, of: Self.kinds) == nil)
  }

  @Test(
    arguments: [
      "dense ", "dense hidden=16", "dense hidden= embedding=7 linear=yes sums=groups unit=1 of 4x4 shared 012",
      "dense hidden=0 embedding=7 linear=yes sums=groups unit=1 of 4x4 shared 012",
      "dense hidden=16 embedding=99999 linear=yes sums=groups unit=1 of 4x4 shared 012",
      "dense hidden=16 embedding=7 linear=yes sums=groups unit=0 of 4x4 shared 012",
      "dense hidden=16 embedding=7 linear=perhaps sums=groups unit=1 of 4x4 shared 012",
      "dense hidden=016 embedding=7 linear=yes sums=groups unit=1 of 4x4 shared 012",
      "dense hidden=16 embedding=7 linear=yes sums=groups unit=1 of 4x4 shared largest=1024 012",
      "dense hidden=16 embedding=7 linear=yes sums=groups more=1 unit=1 of 4x4 shared 012",
    ] as [String])
  func damagedTextIsRefused(_ text: String) {
    #expect(throws: (any Error).self) { try DenseModelSpecification(canonicalText: text, of: Self.kinds) }
  }

  /// Values one at a time and in batches of any size have the same bits. The values of the network alone agree within
  /// rounding.
  @Test func boardValues() throws {
    let states = Self.afterstates(300)
    for specification in try Self.specifications().prefix(2) {
      let model = try Self.boardModel(specification)
      let alone = states.map { model.value(of: $0) }
      for size in [1, 3, 50, 128, 129, 300] {
        var values: [Float] = []
        for first in stride(from: 0, to: states.count, by: size) {
          let part = Array(states[first..<min(first + size, states.count)])
          var found = [Float](repeating: .nan, count: part.count)
          var span = found.mutableSpan
          model.evaluate(part.span, into: &span)
          values += found
        }
        #expect(values == alone, "batches of \(size)")
      }
      var features = model.encoder.makeBuffer(slots: 1)
      var workspace = try DenseWorkspace(specification.network, capacity: 1)
      for (state, value) in zip(states, alone) {
        model.encoder.write(state, into: &features, slot: 0)
        model.network.forward(features, slots: 0..<1, &workspace)
        // BLAS adds up in another order: an ulp of 1 for each of at most 33 + 20 + 9 additions.
        #expect(abs(workspace.values[0] * 16384 - value) < 62 * .ulpOfOne * 16384)
      }
      #expect(Set(alone).count > 100)
    }
  }

  /// With an empty deck, the value is the number of Sets that can still be taken; otherwise it is the network's.
  @Test func setValues() throws {
    for specification in try Self.specifications().suffix(2) {
      let model = try Self.setModel(specification)
      guard let rules = (specification.features.base as? SetFeatures)?.rules else { throw Mismatch() }
      let states = Self.setAfterstates(rules)
      var values = [Float](repeating: .nan, count: states.count)
      var span = values.mutableSpan
      model.evaluate(states.span, into: &span)
      for (state, value) in zip(states, values) {
        #expect(model.value(of: state) == value && value.isFinite)
        if state.unseen.isEmpty { #expect(value == Float(state.table.mostSets)) }
      }
      #expect(states.contains { $0.unseen.isEmpty } && states.contains { !$0.unseen.isEmpty })
    }
  }

  /// Threads that evaluate at the same time get the results of one thread.
  @Test func manyThreads() throws {
    let model = try Self.boardModel(Self.specifications()[0])
    let states = Self.afterstates(200)
    let alone = states.map { model.value(of: $0) }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      var values = [Float](repeating: 0, count: states.count)
      var span = values.mutableSpan
      for _ in 0..<20 { model.evaluate(states.span, into: &span) }
      if values != alone { Issue.record("other values in a thread") }
    }
  }

  @Test func filesReadBack() throws {
    let path = TemporaryFile.path("dense.safetensors")
    defer { TemporaryFile.remove(path) }
    let specifications = try Self.specifications()
    let boards = try specifications.prefix(2).map { try Self.boardModel($0) }
    for model in boards {
      try model.save(to: path, metadata: ["a": "b"])
      let read = try DenseBoardModel(file: SafetensorsFile(path: path))
      #expect(read.identity == model.identity && read.specification == model.specification)
      #expect(throws: ModelFileError.self) { try DenseSetModel(file: SafetensorsFile(path: path)) }
    }
    #expect(boards[0].identity != boards[1].identity)
    for specification in specifications.suffix(2) {
      let model = try Self.setModel(specification)
      try model.save(to: path)
      let read = try DenseSetModel(file: SafetensorsFile(path: path))
      #expect(read.identity == model.identity)
      #expect(throws: ModelFileError.self) { try DenseBoardModel(file: SafetensorsFile(path: path)) }
    }
  }

  /// A kind of model does not accept files of other kinds and games. So a program may list its games in any order.
  @Test func everyKindKnowsItsOwnFiles() throws {
    let path = TemporaryFile.path("dense.safetensors")
    defer { TemporaryFile.remove(path) }
    let board = try Self.board(["012", "014"])
    let (dense, tuples) = (DenseKind(TupleFeatures.self), GameKind.twentyFortyEight.tables)
    func check(_ text: String, is own: GameKind) throws {
      let file = try SafetensorsFile(path: path)
      for games in [[GameKind.denseTwentyFortyEight, .set], [.set, .denseTwentyFortyEight]] {
        let found = try ModelDescription(in: file, of: GameCatalogue(games))
        #expect(found.canonicalText == text && found.game == own)
      }
      let isDense = text.hasPrefix("dense")
      #expect(try (dense.structure(canonicalText: text) != nil) == (isDense && own == .twentyFortyEight))
      #expect(try (tuples?.structure(canonicalText: text) != nil) == (!isDense && own == .twentyFortyEight))
    }
    try NTupleNetwork(board).save(to: path)
    try check(board.canonicalText, is: .twentyFortyEight)
    try SetNetwork(SetSpecification(.standard)).save(to: path)
    try check(SetSpecification(.standard).canonicalText, is: .set)
    let specifications = try Self.specifications()
    try Self.boardModel(specifications[0]).save(to: path)
    try check(specifications[0].canonicalText, is: .twentyFortyEight)
    try Self.setModel(specifications[2]).save(to: path)
    try check(specifications[2].canonicalText, is: .set)
  }

  /// A file of a later version: no kind of the catalogue knows its features.
  @Test func unknownFeaturesHaveARemedy() throws {
    let path = TemporaryFile.path("dense.safetensors")
    defer { TemporaryFile.remove(path) }
    let text = "dense hidden=16 embedding=7 linear=yes sums=groups unit=1 of chess"
    try SafetensorsWriter.write(to: path, metadata: ModelFile.metadata(for: text), tensors: []) { _, _ in }
    let error = ModelFileError.badNetwork(
      path: path, reason: "this program has no such network: use a newer tupelo")
    #expect(throws: error) {
      try ModelDescription(in: SafetensorsFile(path: path), of: GameCatalogue([.denseTwentyFortyEight, .set]))
    }
  }

  @Test func smallFormatsRound() throws {
    let path = TemporaryFile.path("dense.safetensors")
    defer { TemporaryFile.remove(path) }
    let model = try Self.boardModel(Self.specifications()[0])
    let states = Self.afterstates(100)
    for format in [PlayFormat.f16, .compact(step: 0.004, drop: 0)] {
      try model.save(to: path, format: format)
      let read = try DenseBoardModel(file: SafetensorsFile(path: path))
      #expect(read.identity != model.identity)
      for state in states { #expect(abs(read.value(of: state) - model.value(of: state)) < 0.3 * 16384) }
    }
  }

  /// A file that claims another architecture than its tensors have is refused, and so is one cut short.
  @Test func damagedFilesAreRefused() throws {
    let path = TemporaryFile.path("dense.safetensors")
    defer { TemporaryFile.remove(path) }
    let specification = try Self.specifications()[0]
    let wrong = specification.canonicalText.replacing("hidden=16", with: "hidden=24")
    let tensors = specification.tables.enumerated().map {
      TensorDescription(name: "weights.\($0)", type: .f32, shape: $1.axes)
    }
    let metadata = try Self.metadata(of: specification, path)
    for (text, value) in [(wrong, Float(0)), (specification.canonicalText, .nan)] {
      var metadata = metadata
      metadata["tupelo.network"] = text
      metadata["tupelo.fingerprint"] = Self.fingerprint(text)
      try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors) { tensor, sink in
        let zeros = [Float](repeating: value, count: tensor.shape.reduce(1, *))
        try sink.write(zeros.span)
      }
      #expect(throws: ModelFileError.self) { try DenseBoardModel(file: SafetensorsFile(path: path)) }
    }
  }

  private static func metadata(of specification: DenseModelSpecification, _ path: String) throws -> [String: String] {
    try boardModel(specification).save(to: path)
    return try SafetensorsFile(path: path).metadata
  }

  /// The FNV-1a hash of a text, 64 bits.
  private static func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
