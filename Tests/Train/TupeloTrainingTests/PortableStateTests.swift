import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloLearning
import TupeloNetwork
import TupeloTraining

/// A portable state is compared with the checkpoint that it was made from, number by number.
@Suite struct PortableStateTests {
  private static let planes = ["weights", "coherence.error", "coherence.absolute_error"]

  /// The numbers of a checkpoint's cells: weight, E and A; with a constant step the weight alone.
  private static func cells(_ file: SafetensorsFile) throws -> [[Float]] {
    try planes.filter { file.tensor(named: $0 + ".0") != nil }.map { plane in
      try (0..<3).flatMap { try file.array(of: "\(plane).\($0)", as: Float.self) }
    }
  }

  private static func checkpoint(
    _ stepSize: RunConfiguration.StepSize, initialValue: Float = 0, games: Int = 400, averaging: Int = 0
  ) throws -> Checkpoint {
    var configuration = try CheckpointTests.configuration(stepSize)
    configuration.initialValue = initialValue
    configuration.averaging.everyGames = averaging
    let trainer = try Trainer(configuration)
    try CheckpointTests.train(trainer, until: games)
    return try checkpoint(of: trainer)
  }

  private static func checkpoint(of trainer: Trainer) throws -> Checkpoint {
    let path = TemporaryFile.path("whole.safetensors")
    try trainer.save(to: path)
    defer { TemporaryFile.remove(path) }
    return try Checkpoint(file: SafetensorsFile(bytes: Data(contentsOf: URL(filePath: path)), name: "whole"))
  }

  private static func portable(_ checkpoint: Checkpoint, bytes: Int? = nil) throws -> Checkpoint {
    let path = TemporaryFile.path("portable.safetensors")
    defer { TemporaryFile.remove(path) }
    try Checkpoint.savePortable(checkpoint.file, to: path, bytes: bytes)
    return try Checkpoint(file: SafetensorsFile(bytes: Data(contentsOf: URL(filePath: path)), name: "portable"))
  }

  /// Each weight is off by half a step at most, A by a quarter of an octave, and E / A by a sixth of one.
  @Test func keepsWhatLearningNeeds() throws {
    let whole = try Self.checkpoint(.temporalCoherence(alpha: 1))
    let portable = try Self.portable(whole)
    #expect(portable.games == 400 && portable.moves == whole.moves && portable.roundedAt == [400])
    let read = try Self.cells(Self.checkpoint(of: portable.resume()).file)
    let cells = try Self.cells(whole.file)
    var kept = 0
    for index in cells[0].indices {
      let (weight, error, absolute) = (cells[0][index], cells[1][index], cells[2][index])
      guard absolute > 0 else {
        #expect(read[0][index] == 0 && read[1][index] == 0 && read[2][index] == 0)
        continue
      }
      kept += 1
      let isNear =
        abs(read[0][index] - weight) <= 4 && abs(log2(Double(read[2][index] / absolute))) <= 0.2501
        && (error == 0 ? read[1][index] == 0 : (read[1][index] < 0) == (error < 0))
        && (error == 0 || abs(log2(Double(read[1][index] / read[2][index] / (error / absolute)))) <= 0.1668)
      guard isNear else {
        Issue.record("cell \(index): \(cells.map { $0[index] }) was read as \(read.map { $0[index] })")
        return
      }
    }
    #expect(kept > 1000)
    // A player sees a compact model with the same rounded weights.
    let network = try NTupleNetwork(file: portable.file)
    #expect((0..<65536).allSatisfy { network[pattern: 0, standardIndex: $0] == read[0][$0] })
  }

  /// A small file keeps the weights that were updated most. All others get the mean sums of those that it leaves out.
  @Test func aSmallerFileKeepsTheMostUsedWeights() throws {
    let whole = try Self.checkpoint(.temporalCoherence(alpha: 1))
    let bytes = 20_000
    let portable = try Self.portable(whole, bytes: bytes)
    #expect(portable.file.tensors.reduce(0) { $0 + $1.byteCount } <= bytes)
    let (cells, read) = (try Self.cells(whole.file), try Self.cells(Self.checkpoint(of: portable.resume()).file))
    for table in 0..<3 {
      let range = table * 65536..<(table + 1) * 65536
      let unused = try #require(range.first { cells[2][$0] == 0 })
      let rest = range.filter { read[0][$0] == 0 && read[2][$0] == read[2][unused] && read[1][$0] == read[1][unused] }
      let left = rest.filter { cells[2][$0] > 0 }.map { Double(cells[2][$0]) }
      let least = try #require(Set(range).subtracting(rest).map { cells[2][$0] }.min())
      #expect(!left.isEmpty && left.count < range.count && (left.max() ?? 0) <= Double(least))
      #expect(abs(Double(read[2][unused]) / (left.reduce(0, +) / Double(left.count)) - 1) < 1e-4)
    }
    #expect(throws: PortableStateError.self) { try Self.portable(whole, bytes: 100) }
  }

  /// A stage that no game has reached keeps no weights.
  @Test func aStageMayBeUnused() throws {
    var configuration = try CheckpointTests.configuration(.temporalCoherence(alpha: 1))
    configuration.network = try NetworkSpecification(
      patterns: configuration.network.patterns, stages: StagePartition(.largest, at: [16384]))
    let trainer = try Trainer(configuration)
    try CheckpointTests.train(trainer, until: 20)
    let whole = try Self.checkpoint(of: trainer)
    let read = try Self.checkpoint(of: Self.portable(whole).resume()).file
    let before = try whole.file.array(of: "coherence.absolute_error.3", as: Float.self)
    #expect(before.allSatisfy { $0 == 0 })
    #expect(try read.array(of: "coherence.absolute_error.3", as: Float.self) == before)
  }

  /// An optimistic value stays in weights that were never updated, with either rule.
  @Test(arguments: [RunConfiguration.StepSize.constant(alpha: 0.1), .temporalCoherence(alpha: 1)])
  func unusedWeightsKeepTheInitialValue(_ stepSize: RunConfiguration.StepSize) throws {
    let whole = try Self.checkpoint(stepSize, initialValue: 24_000)
    let (cells, read) = (
      try Self.cells(whole.file), try Self.cells(Self.checkpoint(of: Self.portable(whole).resume()).file)
    )
    let unused = cells[0].indices.filter { cells[0][$0] == 1000 }
    #expect(unused.count > 100_000 && unused.allSatisfy { read[0][$0] == 1000 })
    #expect(cells[0].indices.allSatisfy { abs(read[0][$0] - cells[0][$0]) <= 4 })
  }

  /// A run continues at its games, with its random streams. Its later checkpoints say that it was rounded once.
  @Test func aRunContinues() throws {
    let whole = try Self.checkpoint(.temporalCoherence(alpha: 1), averaging: 100)
    var longer = whole.configuration
    longer.training.games = 1000
    let (own, other) = (try whole.resume(with: longer), try Self.portable(whole).resume(with: longer))
    #expect(own.note == nil && other.note == .rounded(path: "portable"))
    var (means, progress) = ([Double](), TrainingProgress())
    for trainer in [own, other] {
      progress = TrainingProgress()
      try trainer.train { progress.add($0) }
      means.append(progress.scoreMean)
    }
    #expect(own.games == 1000 && other.games == 1000)
    // The games of one run differ from those of the other by about 5% of their mean.
    #expect(abs(means[1] / means[0] - 1) < 0.2, "\(means)")
    #expect(try Self.checkpoint(of: other).roundedAt == [400])
    #expect(try Self.checkpoint(of: own).roundedAt.isEmpty)
  }

  /// A pruned network is fine-tuned: its zeros stay, and need no place in the file. What does not fit is such a zero.
  @Test(arguments: [nil, 16_000]) func zerosThatStayAreKept(bytes: Int?) throws {
    let source = TemporaryFile.path("source.safetensors")
    defer { TemporaryFile.remove(source) }
    try Self.checkpoint(.temporalCoherence(alpha: 1), games: 200).resume().network().save(to: source)
    var configuration = try CheckpointTests.configuration(.temporalCoherence(alpha: 0.1))
    (configuration.initialModel, configuration.zeros) = (source, .stay)
    let trainer = try Trainer(configuration)
    try CheckpointTests.train(trainer, until: 100)
    let whole = try Self.checkpoint(of: trainer)
    let portable = try Self.portable(whole, bytes: bytes)
    let (cells, read) = (try Self.cells(whole.file), try Self.cells(Self.checkpoint(of: portable.resume()).file))
    let kept = cells[0].indices.filter { read[2][$0] != .infinity }
    #expect(kept.allSatisfy { cells[2][$0] != .infinity && abs(read[0][$0] - cells[0][$0]) <= 4 })
    #expect(cells[0].indices.allSatisfy { read[2][$0] != .infinity || read[0][$0] == 0 && read[1][$0] == 0 })
    let learning = cells[2].count { $0 != .infinity }
    #expect(bytes == nil ? kept.count == learning : kept.count > learning / 20 && kept.count < learning)
    if let bytes { #expect(portable.file.tensors.reduce(0) { $0 + $1.byteCount } <= bytes) }
  }

  /// Until the next merge the present weights play, also after a resume, and then the average begins with them.
  @Test func theAverageBeginsAgain() throws {
    var own = try Self.portable(Self.checkpoint(.temporalCoherence(alpha: 1), averaging: 150)).resume()
    func model(_ trainer: Trainer) throws -> [Float] {
      try (0..<3).flatMap { try Self.checkpoint(of: trainer).file.array(of: "average.weights.\($0)", as: Float.self) }
    }
    func weights(_ trainer: Trainer) throws -> [Float] { try Self.cells(Self.checkpoint(of: trainer).file)[0] }
    #expect(try model(own) == weights(own))
    try CheckpointTests.train(own, until: 420)
    #expect(try model(own) == weights(own))
    let resumed = try Self.checkpoint(of: own).resume()
    for trainer in [own, resumed] { try CheckpointTests.train(trainer, until: 460) }
    #expect(try model(own) != weights(own) && model(own) == model(resumed))
    own = resumed
    try CheckpointTests.train(own, until: 700)
    #expect(try model(own) != weights(own))
  }

  @Test func otherFilesAreRefused() throws {
    let whole = try Self.checkpoint(.temporalCoherence(alpha: 1), games: 20)
    let path = TemporaryFile.path("model.safetensors")
    defer { TemporaryFile.remove(path) }
    try whole.resume().network().save(to: path)
    #expect(throws: CheckpointError.playOnly(path: path)) {
      try Checkpoint.savePortable(SafetensorsFile(path: path), to: path + ".state")
    }
    let portable = try Self.portable(whole)
    #expect(throws: PortableStateError.noTables(path: "portable")) { try Self.portable(portable) }
  }

  /// A file with a changed byte is refused in one line, or it is read as some sound state.
  @Test func damagedFilesAreRefused() throws {
    let whole = try Self.checkpoint(.temporalCoherence(alpha: 1), games: 50)
    let path = TemporaryFile.path("portable.safetensors")
    defer { TemporaryFile.remove(path) }
    try Checkpoint.savePortable(whole.file, to: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var refused = 0
    for place in stride(from: 8, to: bytes.count, by: max(bytes.count / 60, 1)) {
      var damaged = bytes
      damaged[place] ^= 0x55
      do {
        let file = try SafetensorsFile(bytes: damaged, name: "damaged")
        let weights = try Self.cells(Self.checkpoint(of: Checkpoint(file: file).resume()).file)
        #expect(weights.allSatisfy { $0.allSatisfy { abs($0) <= .greatestFiniteMagnitude } })
      } catch {
        refused += 1
        #expect("\(error)".hasPrefix("damaged") && !"\(error)".contains("\n"), "\(error)")
      }
    }
    #expect(refused > 30)
  }
}
