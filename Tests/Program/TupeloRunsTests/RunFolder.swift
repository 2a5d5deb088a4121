import Foundation
import Safetensors
import TestSupport
import TrainingSupport
import TupeloBase
import TupeloCluster
import TupeloNetwork
import TupeloReports
import TupeloRuns
import TupeloTraining

/// A run in a folder of its own, which is removed at the end.
final class RunFolder: Sendable {
  let path: String
  var checkpointPath: String { path + "/checkpoint.safetensors" }

  init(_ path: String = TemporaryFile.path("run")) { self.path = path }

  deinit { TemporaryFile.remove(path) }

  /// A small run of 2048 on one thread, without an average and without evaluations.
  func configuration(games: Int = 100, _ change: (inout RunConfiguration) -> Void = { _ in }) -> RunConfiguration {
    var configuration = RunConfiguration()
    configuration.network = Self.network
    configuration.averaging.everyGames = 0
    configuration.training.games = games
    configuration.evaluation.games = 0
    configuration.evaluation.threads = 1
    configuration.output.directory = path
    change(&configuration)
    return configuration
  }

  private static let network: NetworkSpecification = {
    do {
      return try NetworkSpecification(patterns: ["0123", "4567"].map { try TuplePattern(text: $0) })
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  func start(_ configuration: RunConfiguration, arguments: [String] = []) throws -> TrainingRun {
    try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: arguments)
  }

  /// Resumes the run as the command line does.
  func resume(
    arguments: [String] = [], _ change: (inout RunConfiguration) throws -> Void = { _ in }
  ) throws -> TrainingRun {
    let checkpoint = try checkpoint()
    var configuration = checkpoint.configuration
    try change(&configuration)
    let directory = try RunDirectory.resume(checkpoint, with: configuration)
    return try TrainingRun(
      checkpoint.resume(with: configuration, allowingChanges: true), in: directory, arguments: arguments)
  }

  /// Trains to the end, and releases the folder for the next session.
  @discardableResult func train(_ run: consuming TrainingRun) throws -> (outcome: Outcome, games: Int) {
    let outcome = try run.train(shouldStop: { false })
    return (outcome, run.trainer.games)
  }

  /// A session of a run that is shared in some way. The first rank has the folder, and the other ranks follow.
  ///
  /// - Parameter limit: how many times the run may ask whether to stop before it has to
  func session(
    _ sharing: Sharing, _ configuration: RunConfiguration, resuming: Bool = false, stopAfter limit: Int = .max
  ) async throws -> (outcome: Outcome?, games: Int) {
    let bytes = resuming ? try self.bytes("checkpoint.safetensors") : nil
    let calls = Counter()
    return try await sharing.onRanks { [self] communicator in
      guard communicator.rank == 0 else {
        let trainer =
          try bytes.map { try Self.resume($0, configuration, communicator) }
          ?? Trainer(configuration, communicator: communicator)
        try TrainingRun.follow(trainer)
        return (nil, trainer.games)
      }
      let old = resuming ? try checkpoint() : nil
      let trainer =
        try old?.resume(with: configuration, allowingChanges: true, communicator: communicator)
        ?? Trainer(configuration, communicator: communicator)
      let directory =
        try old.map { try RunDirectory.resume($0, with: configuration) } ?? RunDirectory.create(for: configuration)
      let run = try TrainingRun(trainer, in: directory, arguments: [])
      let outcome = try run.train(shouldStop: { calls.add(1) > limit })
      if outcome != .interrupted { _ = try run.evaluate() }
      return (outcome, trainer.games)
    }
  }

  private static func resume(
    _ bytes: Data, _ configuration: RunConfiguration, _ communicator: any Communicator
  ) throws -> Trainer {
    let own = TemporaryFile.path("own.safetensors")
    defer { TemporaryFile.remove(own) }
    try bytes.write(to: URL(fileURLWithPath: own))
    return try Checkpoint(path: own, of: .program)
      .resume(with: configuration, allowingChanges: true, communicator: communicator)
  }

  // MARK: What its files say

  func checkpoint() throws -> Checkpoint { try Checkpoint(path: checkpointPath, of: .program) }
  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) }
  func names() throws -> Set<String> { try Set(FileManager.default.contentsOfDirectory(atPath: path)) }
  func records() throws -> [MetricsRecord] { try MetricsFile(path: path + "/metrics.jsonl").records }
  func numbers() throws -> [String: [Float]] { try TrainingSupport.numbers(ofFile: checkpointPath) }
  func clear() { TemporaryFile.remove(path) }

  func json(_ name: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: bytes(name)) as? [String: Any] ?? [:]
  }

  /// Evaluations during training.
  func curve() throws -> [Evaluation] {
    try records().compactMap { record in
      guard let score = record.evaluation(.interim), let low = record[.evalScoreLow] else { return nil }
      return Evaluation(games: record.games, mean: score.mean, low: low)
    }
  }

  struct Evaluation: Equatable {
    let games: Int
    let mean, low: Double
  }
}
