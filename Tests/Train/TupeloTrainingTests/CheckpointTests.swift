import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables
import TupeloTraining

@Suite struct CheckpointTests {
  static func configuration(
    _ stepSize: RunConfiguration.StepSize, patterns: [String] = ["0123", "4567", "0145"], threads: Int = 1
  ) throws -> RunConfiguration {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(patterns: patterns.map { try TuplePattern(text: $0) })
    configuration.stepSize = stepSize
    configuration.training.threads = threads
    configuration.averaging.everyGames = 0
    return configuration
  }

  static func train(_ trainer: Trainer, until games: Int) throws {
    try trainer.train(until: games, reportGames: 100, shouldStop: { false }, onRound: { _ in })
  }

  @Test(arguments: [RunConfiguration.StepSize.constant(alpha: 0.1), .temporalCoherence(alpha: 1)])
  func resumesBitForBit(_ stepSize: RunConfiguration.StepSize) throws {
    var configuration = try Self.configuration(stepSize)
    configuration.averaging.everyGames = 90
    configuration.averaging.window = .merges(2)
    // One stop is at the first merge of the average.
    try expectResumesBitForBit(configuration, games: 600, stops: [90, 300])
  }

  /// A change to the copy of a network changes nothing in the run, which has averaged weights here.
  @Test func aCopyOfTheNetworkIsOne() throws {
    var configuration = try Self.configuration(.constant(alpha: 0.1))
    configuration.averaging.everyGames = 100
    let (trainer, untouched) = (try Trainer(configuration), try Trainer(configuration))
    try [trainer, untouched].forEach { try Self.train($0, until: 200) }
    let copy = try trainer.network()
    for index in 0..<100 { copy[pattern: 0, standardIndex: index] = 1e6 }
    #expect(try trainer.model().identity == untouched.model().identity)
    try [trainer, untouched].forEach { try Self.train($0, until: 300) }
    #expect(try trainer.model().identity == untouched.model().identity)
    #expect(try trainer.model().identity != copy.identity)
  }

  /// Python's own safetensors package reads the weights that the network has.
  @Test(.enabled(if: Python.hasSafetensors, "\(Python.isMissing)"))
  func isReadableByPython() throws {
    let path = TemporaryFile.path("python.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(Self.configuration(.temporalCoherence(alpha: 1)))
    try Self.train(trainer, until: 50)
    try trainer.save(to: path)
    let network = try trainer.network()
    // The standard index of exponents (1, 2, 0, 0) on cells 0 to 3; the last cell is the first axis.
    let script = """
      import sys
      from safetensors import safe_open
      with safe_open(sys.argv[1], 'np') as f:
          w = f.get_tensor('weights.0')
          c = f.get_tensor('training.counters')
          print(sorted(f.keys())[0], w.dtype, w.shape, float(w.min()).hex(), float(w[0, 0, 2, 1]).hex(), c[0], \
          f.metadata()['tupelo.network'])
      """
    let weight = network[pattern: 0, standardIndex: 1 + 2 * 16]
    let lowest = (0..<65536).map { network[pattern: 0, standardIndex: $0] }.min() ?? 0
    let output = try Python.run(script, path)
    #expect(
      output
        == "coherence.absolute_error.0 float32 (16, 16, 16, 16) \(Python.hex(lowest)) \(Python.hex(weight)) 50"
        + " 4x4 shared 0123 4567 0145\n")
  }

  private static func smallFile() throws -> (bytes: Data, headerEnd: Int) {
    let path = TemporaryFile.path("small.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(configuration(.temporalCoherence(alpha: 1), patterns: ["01"]))
    try train(trainer, until: 5)
    try trainer.save(to: path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let length = bytes.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
    return (bytes, 8 + length)
  }

  private static func open(_ bytes: Data, at path: String) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
    _ = try Checkpoint(path: path).resume()
  }

  /// A checkpoint plays with the average, or with the weights themselves before the first merge.
  @Test func averagedWeightsPlay() throws {
    let path = TemporaryFile.path("average.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try Self.configuration(.temporalCoherence(alpha: 1))
    configuration.averaging.everyGames = 100
    configuration.averaging.window = .merges(8)
    let trainer = try Trainer(configuration)
    for games in [50, 400] {
      try Self.train(trainer, until: games)
      try trainer.save(to: path)
      let file = try SafetensorsFile(path: path)
      let (running, average) = try (
        file.array(of: "weights.1", as: Float.self), file.array(of: "average.weights.1", as: Float.self)
      )
      #expect((running == average) == (games == 50))
      let network = try NTupleNetwork(path: path)
      let own = try trainer.network()
      for index in 0..<65536 {
        #expect(network[pattern: 1, standardIndex: index] == average[index])
        #expect(own[pattern: 1, standardIndex: index] == average[index])
      }
    }
  }

  @Test(.slow) func refusesEveryTruncation() throws {
    let (bytes, _) = try Self.smallFile()
    let path = TemporaryFile.path("cut.safetensors")
    defer { TemporaryFile.remove(path) }
    for length in 0..<bytes.count {
      let error = #expect(throws: (any Error).self) { try Self.open(bytes.prefix(length), at: path) }
      #expect(String(describing: error!).hasPrefix(path) && !"\(error!)".contains("\n"))
    }
  }

  /// A header with a flipped bit is refused in one line that names the file, or is still that of a whole checkpoint (if
  /// a digit of alpha changed).
  @Test(.slow) func survivesEveryFlippedHeaderBit() throws {
    let (bytes, headerEnd) = try Self.smallFile()
    let path = TemporaryFile.path("flip.safetensors")
    defer { TemporaryFile.remove(path) }
    var refused = 0
    for position in 0..<headerEnd {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        do {
          try Self.open(damaged, at: path)
        } catch {
          refused += 1
          #expect("\(error)".contains(path), "\(error)")
        }
      }
    }
    #expect(refused > headerEnd * 4)
  }

  @Test func refusesOtherNetworksAndNewerFormats() throws {
    let (bytes, _) = try Self.smallFile()
    let path = TemporaryFile.path("other.safetensors")
    defer { TemporaryFile.remove(path) }
    func replaced(_ old: String, _ new: String) throws -> Data {
      let range = try #require(bytes.range(of: Data(old.utf8)))
      var copy = bytes
      copy.replaceSubrange(range, with: Data(new.utf8))
      return copy
    }
    let newer = #expect(throws: ModelFileError.self) {
      try Self.open(replaced("\"tupelo.format\":\"1\"", "\"tupelo.format\":\"9\""), at: path)
    }
    #expect(newer == .newerFormat(path: path, found: 9, supported: ModelFile.formatVersion))
    let other = #expect(throws: ModelFileError.self) {
      try Self.open(replaced("4x4 shared 01", "4x4 shared 12"), at: path)
    }
    #expect("\(other!)".contains("the file is damaged"))
    let separate = try Self.configuration(.temporalCoherence(alpha: 1), patterns: ["02"])
    try bytes.write(to: URL(fileURLWithPath: path))
    let changed = #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume(with: separate) }
    #expect(
      changed
        == .changed(path: path, key: "network.patterns", before: "\"01\"", now: "\"02\"", isFixed: true))
    var slower = try Self.configuration(.temporalCoherence(alpha: 0.5), patterns: ["01"])
    let refusal = #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume(with: slower) }
    #expect(
      "\(refusal!)" == "\(path): learner.alpha was 1.0 and is 0.5 now: leave it as it was, or add --allow-changes")
    #expect(try Checkpoint(path: path).resume(with: slower, allowingChanges: true).configuration == slower)
    slower.training.threads = 2
    #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume(with: slower) }
  }

  @Test func playOnlyModelsCannotBeResumed() throws {
    let path = TemporaryFile.path("model.safetensors")
    defer { TemporaryFile.remove(path) }
    let network = try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01")]))
    try network.save(to: path)
    let error = #expect(throws: CheckpointError.self) { try Checkpoint(path: path) }
    #expect(error == .playOnly(path: path))
  }

  @Test func aFailedSaveLeavesTheOldCheckpoint() throws {
    let path = TemporaryFile.path("folder")
    defer { TemporaryFile.remove(path) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let trainer = try Trainer(Self.configuration(.constant(alpha: 0.1)))
    // There is a folder in the place of the file: the rename fails after everything has been written.
    #expect(throws: SystemError.self) { try trainer.save(to: path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    let beside = try FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent)
    #expect(!beside.contains { $0.contains((path as NSString).lastPathComponent) && $0.hasSuffix(".partial") })
  }

  @Test func weightsThatExplodeStopTheRun() throws {
    let path = TemporaryFile.path("huge.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(Self.configuration(.constant(alpha: 1), patterns: ["01"]))
    try trainer.save(to: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var largest = Float(9e8).bitPattern.littleEndian
    let pattern = withUnsafeBytes(of: &largest) { Data($0) }
    for position in stride(from: bytes.count - 256 * 4, to: bytes.count, by: 4) {
      bytes.replaceSubrange(position..<position + 4, with: pattern)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let resumed = try Checkpoint(path: path).resume()
    #expect(throws: TrainingError.self) { try Self.train(resumed, until: 100) }
  }

  @Test func severalThreadsShareTheWork() throws {
    let trainer = try Trainer(Self.configuration(.constant(alpha: 0.1), threads: 3))
    var progress = TrainingProgress()
    try trainer.train(until: 500, reportGames: 100, shouldStop: { false }) { progress.add($0) }
    #expect(progress.games == 500 && trainer.games == 500 && trainer.moves == progress.moves)
    let path = TemporaryFile.path("threads.safetensors")
    defer { TemporaryFile.remove(path) }
    try trainer.save(to: path)
    #expect(try Checkpoint(path: path).resume().configuration.training.threads == 3)
  }

  /// The numbers of games and of reports come from the configuration, unless the caller gives them.
  @Test func trainingNeedsNoNumbers() throws {
    var configuration = try Self.configuration(.constant(alpha: 0.1), patterns: ["01"])
    configuration.training.gamesAtOnce = 1
    configuration.training.games = 130
    configuration.training.reportGames = 50
    let trainer = try Trainer(configuration)
    var games = 0
    var ends: Set<Int> = []
    try trainer.train { progress in
      games += progress.games
      ends.insert(trainer.games)
    }
    #expect(games == 130 && trainer.games == 130 && ends.isSuperset(of: [50, 100, 130]))
    try trainer.train()
    #expect(trainer.games == 130)
    try trainer.train(until: 150)
    #expect(trainer.games == 150)
    // Another run of the same number of games has learned the same, with or without an observer.
    let silent = try Trainer(configuration)
    try silent.train()
    #expect(silent.games == 130)
    try silent.train(until: 150, reportGames: 0, shouldStop: { false }) { _ in }
    #expect(try silent.model().identity == trainer.model().identity)
    struct Enough: Error {}
    let stopped = try Trainer(configuration)
    #expect(throws: Enough.self) { try stopped.train { _ in throw Enough() } }
    #expect(stopped.games > 0 && stopped.games <= 50)
  }

  /// A number that is not a tile has a share of 0.
  @Test func sharesOfAnyTile() {
    var progress = TrainingProgress()
    progress.freshGames = 4
    progress.outcomes[11] = 1
    progress.outcomes[9] = 3
    #expect(progress.rate(of: 2048) == 0.25 && progress.rate(of: 512) == 1)
    for tile in [0, 1 << 28, 1 << 40, .min] { #expect(progress.rate(of: tile) == 0) }
  }

  /// A stop between the check of the loop and that of the first game leads to no empty report.
  @Test func aRoundWithoutGamesIsNotReported() throws {
    let trainer = try Trainer(Self.configuration(.constant(alpha: 0.1), patterns: ["01"]))
    try Self.train(trainer, until: 20)
    let questions = Counting()
    var rounds: [Int] = []
    try trainer.train(until: 100, reportGames: 1, shouldStop: { questions.next() > 1 }) { rounds.append($0.games) }
    #expect(rounds == [] && trainer.games == 20)
  }

  /// Counts its calls, on one thread.
  private final class Counting: @unchecked Sendable {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }

  /// The seed has been used, and games that were played cannot be undone.
  @Test func optionsWithoutEffectAreRefused() throws {
    let path = TemporaryFile.path("options.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try Self.configuration(.constant(alpha: 0.1), patterns: ["01"])
    configuration.training.games = 50
    let trainer = try Trainer(configuration)
    try Self.train(trainer, until: 30)
    try trainer.save(to: path)
    var other = configuration
    other.seed = 99
    let seed = #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume(with: other) }
    #expect(seed.map { "\($0)".contains("seed was 1 and is 99 now") } == true)
    // If it is allowed, it changes the random numbers from here on.
    let own = try Self.streams(of: Checkpoint(path: path).resume())
    let changed = try Self.streams(of: Checkpoint(path: path).resume(with: other, allowingChanges: true))
    let fresh = try Self.streams(of: Trainer(other))
    #expect(changed != own && changed != fresh)
    other = configuration
    other.training.games = 20
    let games = #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume(with: other) }
    #expect(games.map { "\($0)".contains("training.games is 20, but 30 games have been played") } == true)
    other.training.games = 30
    #expect(try Checkpoint(path: path).resume(with: other).games == 30)
  }

  /// The random streams of a trainer's threads, from its checkpoint.
  private static func streams(of trainer: Trainer) throws -> [[UInt64]] {
    let path = TemporaryFile.path("streams.safetensors")
    defer { TemporaryFile.remove(path) }
    try trainer.save(to: path)
    let words = try SafetensorsFile(path: path).array(of: "training.random", as: UInt64.self)
    return stride(from: 0, to: words.count, by: 4).map { Array(words[$0..<$0 + 4]) }
  }

  /// Workers that join a run draw from streams that no worker of any session has, also beyond 1,024 workers.
  @Test func manyWorkersHaveStreamsOfTheirOwn() throws {
    let path = TemporaryFile.path("many.safetensors")
    defer { TemporaryFile.remove(path) }
    let configuration = try Self.configuration(.constant(alpha: 0.1), patterns: ["01"])
    let trainer = try Trainer(configuration)
    var found: Set<RandomStream> = []
    for games in 1...3 {
      try Self.train(trainer, until: games)
      try trainer.save(to: path)
      found.formUnion(try Checkpoint(path: path).streams(for: configuration, workers: 3000).dropFirst())
    }
    #expect(found.count == 3 * 2999)
  }

  /// A run may move to a machine with more cores, or fewer.
  @Test func aRunGoesOnWithOtherThreads() throws {
    let path = TemporaryFile.path("threads.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try Self.configuration(.constant(alpha: 0.1), patterns: ["01"])
    configuration.training.threads = 2
    let trainer = try Trainer(configuration)
    try Self.train(trainer, until: 30)
    try trainer.save(to: path)
    for threads in [1, 4] {
      configuration.training.threads = threads
      #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume(with: configuration) }
      let other = try Checkpoint(path: path).resume(with: configuration, allowingChanges: true)
      let streams = try Self.streams(of: other)
      #expect(streams.count == threads && Set(streams).count == threads)
      let before = try Self.streams(of: trainer)
      #expect(zip(streams, before).allSatisfy { $0 == $1 })
      try Self.train(other, until: 60)
      #expect(other.games == 60)
    }
  }

  /// The memory limit applies to the sum of all tables, not to each table.
  @Test func memoryIsSummed() throws {
    var configuration = try Self.configuration(.constant(alpha: 0.1), patterns: ["01234567"])
    configuration.averaging.everyGames = 1000
    let bytes = Trainer.memory(of: configuration)
    #expect(bytes == 2 * 4 << 32)
    let error = #expect(throws: WeightStorageError.self) { try Trainer.check(bytes, available: 25_300_000_000) }
    #expect(
      error.map { "\($0)" }
        == "the weights need 34.4 GB and this process may use 25.3 GB of memory: use fewer or shorter patterns")
    #expect(throws: Never.self) { try Trainer.check(bytes, available: bytes) }
  }

  /// A checkpoint of a program with other behaviour gives a note, and can be resumed.
  @Test func otherBehaviourIsNoted() throws {
    let path = TemporaryFile.path("behaviour.safetensors")
    defer { TemporaryFile.remove(path) }
    try Trainer(Self.configuration(.constant(alpha: 0.1), patterns: ["01"])).save(to: path)
    #expect(try Checkpoint(path: path).resume().note == nil)
    for version in ["3", "99"] {
      try ChangedCheckpointTests.change(path, metadata: ["tupelo.behaviour": version])
      let note = try #require(try Checkpoint(path: path).resume().note)
      #expect("\(note)".contains("behaviour \(version)"))
    }
  }

  /// Reports, and their times, do not change the result of training, also where games are interleaved.
  @Test func observingChangesNothing() throws {
    let paths = (0..<3).map { TemporaryFile.path("observed-\($0).safetensors") }
    defer { paths.forEach(TemporaryFile.remove) }
    var configuration = try Self.configuration(.constant(alpha: 0.1))
    configuration.training.gamesAtOnce = 2
    for (path, period) in zip(paths, [1000, 130, 7]) {
      let trainer = try Trainer(configuration)
      var ends: [Int] = []
      try trainer.train(until: 500, reportGames: period, shouldStop: { false }) { _ in ends.append(trainer.games) }
      #expect(ends.allSatisfy { $0.isMultiple(of: 20) })
      if period == 130 { #expect(Set([140, 260, 400]).isSubset(of: ends)) }
      try trainer.save(to: path)
    }
    let files = FileManager.default
    #expect(paths.dropFirst().allSatisfy { files.contentsEqual(atPath: paths[0], andPath: $0) })
  }
}
