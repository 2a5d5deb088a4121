import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// Fine-tuning of a pruned model, and the games that determine which weights are pruned.
@Suite final class PruningTests {
  private let start = TemporaryFile.path("start.safetensors")

  deinit { TemporaryFile.remove(start) }

  private func configuration(_ more: String...) throws -> RunConfiguration {
    try RunConfiguration.load(
      yaml: """
        network: {patterns: "0123 0145", initial_model: \(start)}
        learner: {zeros: stay, lambda: 0.5, steps: episode}
        averaging: {every_games: 40}
        """, sourceName: "test", environment: [:], overrides: more)
  }

  /// Saves a network in which every third weight is not zero.
  private func saveStart() throws {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 0123 0145"))
    for number in 0..<2 {
      for index in stride(from: number, to: 1 << 16, by: 3) { network[pattern: number, standardIndex: index] = 10 }
    }
    try network.save(to: start)
  }

  private func train(_ trainer: Trainer, until games: Int) throws {
    try trainer.train(until: games, reportGames: games, shouldStop: { false }) { _ in }
  }

  /// Only weights of the initial model learn; other weights are zero, and so is their average.
  @Test(arguments: ["averaging.every_games=40", "averaging.every_games=0", "training.threads=2"])
  func zerosStay(_ setting: String) throws {
    try saveStart()
    let trainer = try Trainer(configuration(setting))
    try train(trainer, until: 120)
    let network = try trainer.network()
    var changed = 0
    for number in 0..<2 {
      for index in 0..<1 << 16 {
        let weight = network[pattern: number, standardIndex: index]
        if index % 3 == number { changed += weight == 10 ? 0 : 1 } else { #expect(weight == 0) }
      }
    }
    #expect(changed > 500, "\(changed)")
    // Without the setting, other weights learn, too.
    let free = try Trainer(configuration(setting, "learner.zeros=learn"))
    try train(free, until: 120)
    let other = try free.network()
    #expect((0..<1 << 16).contains { $0 % 3 != 0 && other[pattern: 0, standardIndex: $0] != 0 })
  }

  @Test func resumesBitForBit() throws {
    try saveStart()
    try expectResumesBitForBit(configuration(), games: 100, stops: [20, 50])
  }

  /// A checkpoint marks the weights that stay zero. They do not count as visited, small files leave them out, and a
  /// later run that begins with the checkpoint may learn them.
  @Test func fixedWeightsAreMarked() throws {
    try saveStart()
    let trainer = try Trainer(configuration("averaging.every_games=0"))
    try train(trainer, until: 100)
    let path = TemporaryFile.path("fixed.safetensors")
    defer { TemporaryFile.remove(path) }
    try trainer.save(to: path)
    let diagnostics = trainer.diagnostics()
    #expect(diagnostics.allSatisfy { (0.001...1.0 / 3).contains($0.visitedShare) }, "\(diagnostics)")
    let file = try SafetensorsFile(path: path)
    #expect(try WeightDiagnostics.diagnostics(of: file).map(\.visitedShare) == diagnostics.map(\.visitedShare))

    let whole = try NTupleNetwork(path: path)
    let dropped = try NTupleNetwork(path: path)
    try dropped.dropLittleUsed(in: file, loss: 0)
    let small = try NTupleNetwork(path: path)
    try small.dropLittleUsed(in: file, loss: 1)
    func zeros(_ network: NTupleNetwork) -> Int { (0..<1 << 16).count { network[pattern: 0, standardIndex: $0] == 0 } }
    #expect(zeros(dropped) == zeros(whole) && zeros(whole) < zeros(small) && zeros(small) < 1 << 16)

    try FileManager.default.removeItem(atPath: start)
    try FileManager.default.copyItem(atPath: path, toPath: start)
    let free = try Trainer(configuration("learner.zeros=learn", "averaging.every_games=0"))
    // E of a fixed weight has counted all errors. A weight that learns again begins with neither sum, so that |E| is
    // never larger than A.
    #expect(try sums(path).contains { $1 == .infinity && $0 != 0 })
    try free.save(to: path)
    let begun = try sums(path)
    #expect(begun.contains { $1 > 0 } && begun.allSatisfy { abs($0) <= $1 && $1 < .infinity })
    #expect(try zip(begun, sums(start)).allSatisfy { $1.1 == .infinity ? $0 == (0, 0) : $0 == $1 })
    try train(free, until: 100)
    #expect(try zeros(free.network()) < zeros(whole))
  }

  /// E and A of each weight of a checkpoint.
  private func sums(_ path: String) throws -> [(Float, Float)] {
    let file = try SafetensorsFile(path: path)
    return try (0..<2).flatMap { number in
      try zip(
        file.array(of: "coherence.error.\(number)", as: Float.self),
        file.array(of: "coherence.absolute_error.\(number)", as: Float.self))
    }
  }

  /// An average by visits takes fixed weights as weights without visits.
  @Test func fixedWeightsAreAveraged() throws {
    try saveStart()
    let paths = ["a", "b"].map { TemporaryFile.path("fixed-\($0).safetensors") }
    let output = TemporaryFile.path("average.safetensors")
    defer { (paths + [output]).forEach(TemporaryFile.remove) }
    for (seed, path) in zip(["seed=1", "seed=2"], paths) {
      let trainer = try Trainer(configuration(seed, "averaging.every_games=0"))
      try train(trainer, until: 40)
      try trainer.save(to: path)
    }
    try ReplicaMerge.merge(paths, by: .visits, to: output)
    let average = try NTupleNetwork(path: output)
    #expect((0..<1 << 16).allSatisfy { (average[pattern: 0, standardIndex: $0] != 0) == ($0 % 3 == 0) })
  }

  /// Only zeros can be fixed: an infinite A of another weight is damage.
  @Test func onlyZerosAreFixed() throws {
    let path = TemporaryFile.path("infinite.safetensors")
    defer { TemporaryFile.remove(path) }
    try saveStart()
    let trainer = try Trainer(configuration("averaging.every_games=0"))
    try trainer.save(to: path)
    // The A of the last weight of the second table, which is 10, becomes infinite.
    let file = try SafetensorsFile(path: path)
    let tensor = try #require(file.tensor(named: "coherence.absolute_error.1"))
    let weights = try file.array(of: "weights.1", as: Float.self)
    let index = try #require(weights.lastIndex { $0 != 0 })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try Self.start(of: tensor.name, in: bytes) + 4 * index
    bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0x80, 0x7f])
    try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
    let error = ModelFileError.notFinite(path: path, name: tensor.name, index: index)
    #expect(throws: error) { try Checkpoint(path: path).resume() }
  }

  /// The place of the first byte of a tensor in a safetensors file.
  private static func start(of name: String, in bytes: Data) throws -> Int {
    let length = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = try JSONSerialization.jsonObject(with: bytes[8..<8 + length]) as? [String: Any]
    let tensor = try #require(header?[name] as? [String: Any])
    return 8 + length + (try #require(tensor["data_offsets"] as? [Int]))[0]
  }

  /// The refusal names the values that were given, and not how the file stores them.
  @Test func aResumedRunKeepsItsZeros() throws {
    try saveStart()
    let path = TemporaryFile.path("stay.safetensors")
    defer { TemporaryFile.remove(path) }
    try Trainer(configuration()).save(to: path)
    let error = CheckpointError.changed(path: path, key: "learner.zeros", before: "stay", now: "learn", isFixed: true)
    #expect(throws: error) {
      try Checkpoint(path: path).resume(with: self.configuration("learner.zeros=learn"), allowingChanges: true)
    }
  }

  @Test func otherNetworksAreRefused() throws {
    try saveStart()
    #expect(throws: ModelFileError.self) { try Trainer(self.configuration("network.patterns=0123")) }
  }

  @Test(
    arguments: [
      ("learner.zeros: stay", "learner.zeros: has no meaning without network.initial_model and learner.step_size"),
      ("learner: {zeros: stay, step_size: constant}\nnetwork.initial_model: x", "learner.zeros: has no meaning"),
      ("learner.zeros: stay\nnetwork.initial_model: x\nnetwork.dense.hidden: 8", "learner.zeros: has no meaning"),
      ("game: set\nlearner.zeros: stay", "learner.zeros: has no meaning without game 2048"),
      ("learner: {zeros: stay, warm_up_games: 5}\nnetwork.initial_model: x", "learner.zeros: a warm-up moves all"),
      ("learner.zeros: stay\nnetwork: {initial_model: x, stages: largest=64}", "learner.zeros: later stages take"),
      ("learner.zeros: stay\nnetwork.initial_model: x\ntraining.replicas: 2", "training.replicas: replicas cannot be"),
    ] as [(String, String)])
  func badSettingsAreNamed(_ yaml: String, _ text: String) {
    let problems = configurationProblems(yaml: yaml)
    #expect(problems.contains { $0.contains(text) }, "\(problems)")
  }

  /// A network whose values are all zero plays by rewards alone, and its games are counted by hand.
  @Test func countsGreedyGames() throws {
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 3))
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "2x3 separate 012"))
    var games = 0
    let usage = try WeightUsage(playing: network, games: 20, seed: 5, rules: rules) { games += 1 }
    #expect(games == 20)
    var expected: [Int: Int] = [:]
    for number in 0..<20 {
      var game = Game(rules: rules, seed: 5, number: UInt64(number))
      while true {
        var best: (move: Move, reward: Int)?
        for move in Move.allCases {
          guard let outcome = game.board.afterstate(of: move, in: rules.shape) else { continue }
          let cells = (0..<3).map { Int(outcome.afterstate.bits >> UInt64(4 * $0) & 15) }
          expected[cells[0] + cells[1] << 4 + cells[2] << 8, default: 0] += 1
          if best.map({ outcome.reward > $0.reward }) ?? true { best = (move, outcome.reward) }
        }
        guard let best else { break }
        _ = game.play(best.move)
      }
    }
    for index in 0..<4096 {
      #expect(usage.count(pattern: 0, standardIndex: index) == expected[index, default: 0], "index \(index)")
    }
  }
}
