import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// Count-based exploration, against a learner that counts in a dictionary.
@Suite struct ExplorationTests {
  private static func configuration(bonus: Float, restarts: [Int] = []) throws -> RunConfiguration {
    let shape = try BoardShape(rows: 2, columns: 3)
    var configuration = RunConfiguration(seed: 3)
    configuration.rules = try Rules(shape: shape)
    configuration.network = try NetworkSpecification(
      patterns: [TuplePattern(text: "01234", shape: shape), TuplePattern(text: "12345", shape: shape)], shape: shape,
      sharesSymmetries: false)
    configuration.stepSize = .constant(alpha: 0.5)
    configuration.returns = LambdaReturn(lambda: 0.5, steps: nil)
    configuration.visits.bonus = bonus
    configuration.visits.restarts = restarts
    configuration.averaging.everyGames = 0
    return configuration
  }

  private static func train(_ trainer: Trainer, until games: Int) throws {
    try trainer.train(until: games, reportGames: 1000, shouldStop: { false }, onRound: { _ in })
  }

  /// Exponents of a board, as `DictionaryNetwork` takes them.
  private static func matrix(_ board: ReferenceBoard) -> [[Int]] {
    board.tiles.map { row in row.map { $0 == 0 ? 0 : $0.trailingZeroBitCount } }
  }

  /// Backward TD(0.5) from moves chosen with the bonus, the slow way. A move that explores cuts the look-ahead of the
  /// state before it.
  private struct Reference {
    var network = DictionaryNetwork(rows: 2, columns: 3, patterns: ["01234", "12345"], sharesSymmetries: false)
    var visits: [ReferenceBoard: Int] = [:]
    var random = RandomStream(seed: 3, stream: 0)
    var (moves, explored) = (0, 0)

    mutating func playEpisode(_ rules: Rules, bonus: Double) {
      var board = ReferenceBoard(rules.startBoard(using: &random), shape: rules.shape)
      let chance = ChanceModel(rules)
      var steps: [(after: ReferenceBoard, reward: Double, bestSum: Double?)] = []
      while true {
        let choices = [Move.up, .right, .down, .left].compactMap { board.moved($0) }.map { after, reward in
          (after, Double(reward), Double(reward) + network.value(of: matrix(after)))
        }
        guard let best = choices.map(\.2).max() else { break }
        let raised = choices.map { $0.2 + bonus / Double(1 + visits[$0.0, default: 0]) }
        let chosen = choices[raised.firstIndex(of: raised.max()!)!]
        let isBest = chosen.0 == choices[choices.firstIndex { $0.2 == best }!].0
        visits[chosen.0, default: 0] += 1
        explored += isBest ? 0 : 1
        moves += 1
        steps.append((chosen.0, chosen.1, isBest ? nil : best))
        board = ReferenceBoard(chance.board(after: chosen.0.engineAfterstate, using: &random), shape: rules.shape)
      }
      var (target, value) = (0.0, 0.0)
      for (index, step) in steps.enumerated().reversed() {
        if index + 1 < steps.count {
          let next = steps[index + 1]
          target = next.bestSum ?? next.reward + 0.5 * value + 0.5 * target
        }
        network.learnConstant(matrix(step.after), target: target, alpha: 0.5)
        value = network.value(of: matrix(step.after))
      }
    }
  }

  /// Weights are the slow learner's, with exploration that begins after 20 games and counts anew after 40.
  @Test(arguments: [[], [20, 40]]) func learnsAsTheReferenceDoes(_ restarts: [Int]) throws {
    let configuration = try Self.configuration(bonus: 200, restarts: restarts)
    let trainer = try Trainer(configuration)
    try Self.train(trainer, until: 60)
    var reference = Reference()
    for game in 0..<60 {
      if restarts.contains(game) { reference.visits = [:] }
      reference.playEpisode(configuration.rules, bonus: game < restarts.first ?? 0 ? 0 : 200)
    }
    #expect(trainer.moves == reference.moves && reference.explored > 100)
    let network = try trainer.network()
    for (feature, weight) in reference.network.weights {
      let own = Double(network[pattern: feature.pattern, standardIndex: feature.standardIndex])
      #expect(abs(own - weight) < 1e-3 * max(1, abs(weight)))
    }
    let learned = reference.network.weights.values.count { $0 != 0 }
    #expect((0..<network.weights.count).count { network.weights.weight(at: $0) != 0 } == learned)
  }

  /// In one go and in two, with a restart before, at and after the stop: the same file, byte for byte. Once with all
  /// that changes where visits are counted.
  @Test(arguments: [false, true]) func resumesBitForBit(_ isStaged: Bool) throws {
    var configuration = try Self.configuration(bonus: 300, restarts: [50, 100, 150])
    if isStaged {
      configuration.stepSize = .temporalCoherence(alpha: 1)
      configuration.network = try NetworkSpecification(
        patterns: configuration.network.patterns, shape: configuration.rules.shape,
        stages: StagePartition(.largest, at: [16, 32]))
      configuration.stages.afterGames = 110
      configuration.averaging.everyGames = 30
    }
    try expectResumesBitForBit(configuration, games: 200, stops: [30, 100, 120])
  }

  /// A configuration changed on the way counts anew where it says so, begins to count, or stops.
  @Test func changesOnTheWay() throws {
    let (counted, plain) = (TemporaryFile.path("counted.safetensors"), TemporaryFile.path("plain.safetensors"))
    defer { [counted, plain].forEach(TemporaryFile.remove) }
    func visits(_ path: String, _ bonus: Float, _ restarts: [Int] = []) throws -> Float {
      let configuration = try Self.configuration(bonus: bonus, restarts: restarts)
      let trainer = try Checkpoint(path: path).resume(with: configuration, allowingChanges: true)
      let again = TemporaryFile.path("again.safetensors")
      defer { TemporaryFile.remove(again) }
      try trainer.save(to: again)
      let file = try SafetensorsFile(path: again)
      guard file.tensor(named: "training.visit_counts") != nil else { return -1 }
      return try file.array(of: "training.visit_counts", as: Float.self).reduce(0, +)
    }
    for (path, bonus) in [(counted, 300), (plain, 0)] as [(String, Float)] {
      let trainer = try Trainer(Self.configuration(bonus: bonus))
      try Self.train(trainer, until: 10)
      try trainer.save(to: path)
      #expect(try visits(path, 300) == (bonus > 0 ? Float(trainer.moves) : 0))
      #expect(try visits(path, 300, [10]) == 0)
      #expect(try visits(path, 0) == -1)
    }
  }

  @Test func countsThatAreNoneAreRefused() throws {
    let path = TemporaryFile.path("visits.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(Self.configuration(bonus: 300))
    try Self.train(trainer, until: 10)
    try trainer.save(to: path)
    let visits = try SafetensorsFile(path: path).array(of: "training.visit_counts", as: Float.self)
    #expect(visits.count == 1 << 24 && visits.reduce(0, +) == Float(trainer.moves))
    // Where a count lies in the file: behind the eight bytes of the header's length and the header.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let length = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = try #require(try JSONSerialization.jsonObject(with: bytes[8..<8 + length]) as? [String: Any])
    let tensor = try #require(header["training.visit_counts"] as? [String: Any])
    let start = 8 + length + (try #require(tensor["data_offsets"] as? [Int]))[0]
    let place = start + 4 * (try #require(visits.firstIndex(of: 1)))
    // 1 becomes -1, and 0.5.
    #expect(bytes[place + 2] == 0x80 && bytes[place + 3] == 0x3f)
    for (byte, value) in [(place + 3, 0xbf), (place + 2, 0)] as [(Int, UInt8)] {
      var changed = bytes
      changed[byte] = value
      try changed.write(to: URL(fileURLWithPath: path))
      #expect(throws: CheckpointError.badState(path: path, name: "training.visit_counts")) {
        try Checkpoint(path: path).resume()
      }
    }
    let name = try #require(bytes.range(of: Data("training.visit_counts".utf8)))
    bytes.replaceSubrange(name, with: Data("training.virit_counts".utf8))
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(throws: ModelFileError.missingTensor(path: path, name: "training.visit_counts")) {
      try Checkpoint(path: path).resume()
    }
  }

  /// Symmetric boards are counted together, others on their own.
  @Test func countsAreThoseOfStatesUpToSymmetry() throws {
    let indexer = TupleIndexer(
      try NetworkSpecification(patterns: ["012345", "45689a"].map { try TuplePattern(text: $0) }))
    var features = indexer.makeBuffer(slots: 1)
    let visits = try VisitCounts()
    var random = RandomStream(seed: 5)
    var reference: [Set<ReferenceBoard>: Int] = [:]
    var boards: [ReferenceBoard] = []
    for _ in 0..<2000 {
      let tiles = (0..<4).map { _ in (0..<4).map { _ in [0, 2, 4, 1024][random.next(below: 4)] } }
      boards.append(ReferenceBoard(tiles))
    }
    boards += boards[..<500].flatMap(\.images)
    for board in boards {
      indexer.write(Afterstate(bits: board.engineBoard.bits), into: &features, slot: 0)
      visits.add(at: visits.place(features, slot: 0))
      reference[Set(board.images), default: 0] += 1
    }
    // 2,000 different boards: with a chance of an eighth some pair would meet in 2^24 places. None of these does.
    let wrong = boards.count { board in
      indexer.write(Afterstate(bits: board.engineBoard.bits), into: &features, slot: 0)
      return Int(visits.visits(at: visits.place(features, slot: 0))) != reference[Set(board.images)]
    }
    #expect(wrong == 0)
    // Counts are kept in files, so the hash may change only with the tensor's name.
    indexer.write(Afterstate(bits: 0x1234_5678_9abc_def0), into: &features, slot: 0)
    #expect(features.hash(ofSlot: 0) == 3_204_689_255_225_806_909)
    visits.clear()
    indexer.write(Afterstate(bits: boards[0].engineBoard.bits), into: &features, slot: 0)
    #expect(visits.visits(at: visits.place(features, slot: 0)) == 0)
  }
}
