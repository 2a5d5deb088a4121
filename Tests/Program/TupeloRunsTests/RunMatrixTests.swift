import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloCluster
import TupeloLearning
import TupeloNetwork
import TupeloRuns
import TupeloTraining

/// One thread, two threads, two replicas and two ranks do the same in kind: they average, fade, evaluate, stop, resume
/// and count alike. Threads race, so their runs do not repeat; that is the only difference.
@Suite final class RunMatrixTests {
  /// A way to share a run's work.
  enum Sharing: String, CaseIterable, CustomTestStringConvertible {
    case oneThread, twoThreads, twoReplicas, twoRanks

    var settings: [String] {
      switch self {
      case .oneThread: []
      case .twoThreads: ["training.threads=2"]
      case .twoReplicas: ["training.replicas=2", "training.merge_moves=2000"]
      case .twoRanks: ["training.merge_moves=2000"]
      }
    }
    var ranks: Int { self == .twoRanks ? 2 : 1 }
    var repeats: Bool { self != .twoThreads }
    var testDescription: String { rawValue }
  }

  private let folder = TemporaryFile.path("matrix")

  deinit { TemporaryFile.remove(folder) }

  private func configuration(_ sharing: Sharing, _ settings: [String]) throws -> RunConfiguration {
    try RunConfiguration.load(
      file: nil, environment: [:],
      overrides: [
        "network.patterns=0123 4567", "training.solo_games=20", "training.games=600", "evaluation.games=0",
        "evaluation.threads=1", "output.directory=\(folder)",
      ] + sharing.settings + settings)
  }

  /// Does the same on each rank, here a thread.
  ///
  /// - Returns: the result of the first rank
  private func onRanks<Value: Sendable>(
    _ sharing: Sharing, _ body: @Sendable @escaping (any Communicator) throws -> Value
  ) async throws -> Value {
    guard sharing.ranks > 1 else { return try await OwnThread.run { try body(SoloCommunicator()) } }
    return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      for communicator in ThreadCommunicator.ranks(sharing.ranks) {
        group.addTask { try await OwnThread.run { (communicator.rank, try body(communicator)) } }
      }
      let results = try await group.reduce(into: [Int: Value]()) { $0[$1.0] = $1.1 }
      return try #require(results[0])
    }
  }

  /// The values of some tensors in a run's checkpoint, table after table.
  private static func tensors(_ trainer: Trainer, _ prefix: String) throws -> [Double] {
    let path = TemporaryFile.path("tensors.safetensors")
    defer { TemporaryFile.remove(path) }
    try trainer.save(to: path)
    let file = try SafetensorsFile(path: path)
    return try file.tensors.filter { $0.name.hasPrefix(prefix) }
      .flatMap { try file.array(of: $0.name, as: Float.self).map(Double.init) }
  }

  // MARK: Average and decay

  /// The average is the mean of the weights at its merges, calculated in double precision from the weights after each
  /// round. A round that passes several merges counts for all of them.
  @Test(arguments: Sharing.allCases) func theAverageIsThatOfTheWeights(_ sharing: Sharing) async throws {
    let configuration = try configuration(
      sharing,
      ["averaging.every_games=10", "averaging.window=50%", "learner.decay=0.01", "learner.decay_every_games=7"])
    let worst = try await onRanks(sharing) { communicator in
      let trainer = try Trainer(configuration, communicator: communicator)
      var expected = [Double](repeating: 0, count: try Self.tensors(trainer, "weights.").count)
      var (merges, worst) = (0, 0.0)
      try trainer.train(until: 300, reportGames: 0) { _ in
        let passed = trainer.games / 10
        guard passed > merges else { return }
        let weights = try Self.tensors(trainer, "weights.")
        for merge in merges..<passed {
          let share = 1 / max(1, 0.5 * Double(merge + 1))
          for index in expected.indices { expected[index] += share * (weights[index] - expected[index]) }
        }
        merges = passed
        let average = try Self.tensors(trainer, "average.weights.")
        let scale = expected.reduce(0) { max($0, abs($1)) }
        worst = max(worst, zip(average, expected).reduce(0) { max($0, abs($1.0 - $1.1)) } / scale)
      }
      #expect(merges == 30)
      return worst
    }
    #expect(worst < 1e-5)
  }

  /// With hardly any learning, weights fade by the factor of all decays that have passed.
  @Test(arguments: Sharing.allCases) func weightsFadeByEachDecay(_ sharing: Sharing) async throws {
    let configuration = try configuration(
      sharing,
      [
        "averaging.every_games=0", "learner.step_size=constant", "learner.alpha=1e-9", "learner.initial_value=320000",
        "learner.decay=0.01", "learner.decay_every_games=10",
      ])
    let ends = try await onRanks(sharing) { communicator in
      let trainer = try Trainer(configuration, communicator: communicator)
      let start = try Self.tensors(trainer, "weights.")
      var ends: [Int] = []
      try trainer.train(until: 300, reportGames: 0) { _ in
        ends.append(trainer.games)
        let factor = pow(0.99, Double(trainer.games / 10))
        let weights = try Self.tensors(trainer, "weights.")
        #expect(start[0] > 0 && zip(start, weights).allSatisfy { abs($0 * factor - $1) < 1e-4 * $0 * factor })
      }
      return ends
    }
    #expect(ends.count > 3 && ends.last == 300)
  }

  // MARK: Evaluation, checkpoints, interruption

  /// Plays a session of a run in its folder. The first rank has the folder, and the other ranks follow.
  private func session(
    _ sharing: Sharing, _ configuration: RunConfiguration, resuming: Bool = false,
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) async throws -> (outcome: Outcome?, games: Int) {
    let path = folder + "/checkpoint.safetensors"
    let bytes = resuming ? try Data(contentsOf: URL(fileURLWithPath: path)) : nil
    return try await onRanks(sharing) { communicator in
      func trainer() throws -> (Trainer, Checkpoint?) {
        guard let bytes else { return (try Trainer(configuration, communicator: communicator), nil) }
        let own = TemporaryFile.path("own.safetensors")
        defer { TemporaryFile.remove(own) }
        try bytes.write(to: URL(fileURLWithPath: own))
        let checkpoint = try Checkpoint(path: communicator.rank == 0 ? path : own)
        return (
          try checkpoint.resume(with: configuration, allowingChanges: true, communicator: communicator), checkpoint
        )
      }
      let (trainer, checkpoint) = try trainer()
      guard communicator.rank == 0 else {
        try TrainingRun.follow(trainer)
        return (nil, trainer.games)
      }
      let directory =
        try checkpoint.map { try RunDirectory.resume($0, with: configuration) }
        ?? RunDirectory.create(for: configuration)
      let run = try TrainingRun(trainer, in: directory, arguments: [])
      return (try run.train(shouldStop: shouldStop), trainer.games)
    }
  }

  private func weights() throws -> [[Float]] {
    let file = try SafetensorsFile(path: folder + "/checkpoint.safetensors")
    return try file.tensors.filter { $0.type == .f32 }.map { try file.array(of: $0.name, as: Float.self) }
  }

  private struct Point: Equatable {
    let games: Int
    let mean, low: Double
  }

  /// The evaluations in the records.
  private func curve() throws -> [Point] {
    try MetricsFile(path: folder + "/metrics.jsonl").records.compactMap { record in
      guard let score = record.evaluation(.interim), let margin = score.margin else { return nil }
      return Point(games: record.games, mean: score.mean, low: score.mean - margin)
    }
  }

  /// A run of fading weights ends by its patience, two evaluations after the best one. Evaluations come at their games,
  /// or at the end of the round of replicas in which these fall. Interrupted at any game and resumed, it ends at the
  /// same game with the same weights and the same curve.
  @Test(arguments: Sharing.allCases) func patienceEndsARunAlsoInSessions(_ sharing: Sharing) async throws {
    let configuration = try configuration(
      sharing,
      [
        "averaging.every_games=0", "learner.decay=0.5", "learner.decay_every_games=1", "evaluation.every_games=40",
        "evaluation.interim_games=20", "evaluation.patience=2",
      ])
    let whole = try await session(sharing, configuration)
    let (curve, weights) = (try curve(), try weights())
    #expect(whole.outcome == .stopped(.patience(2)) && whole.games < 600)
    #expect(try Checkpoint(path: folder + "/checkpoint.safetensors").games == whole.games)
    let best = try #require(curve.indices.max { (curve[$0].low, $1) < (curve[$1].low, $0) })
    #expect(best == curve.count - 3 && curve.last?.games == whole.games, "\(curve)")
    let every = curve.map { $0.games / 40 }
    #expect(zip(every, every.dropFirst()).allSatisfy { $0 < $1 }, "\(curve)")
    if sharing == .oneThread || sharing == .twoThreads { #expect(curve.allSatisfy { $0.games % 40 == 0 }) }
    // In sessions of a few dozen games.
    TemporaryFile.remove(folder)
    var (sessions, part) = (1, try await session(sharing, configuration, shouldStop: Self.after(35)))
    while part.outcome == .interrupted, sessions < 50 {
      #expect(try Checkpoint(path: folder + "/checkpoint.safetensors").games == part.games)
      part = try await session(sharing, configuration, resuming: true, shouldStop: Self.after(35))
      sessions += 1
    }
    #expect(part.outcome == .stopped(.patience(2)) && sessions > 2, "\(sessions) sessions")
    guard sharing.repeats else { return }
    #expect(try part.games == whole.games && self.curve() == curve && self.weights() == weights)
  }

  /// Wants to stop once it was asked this many times.
  private static func after(_ count: Int) -> @Sendable () -> Bool {
    let calls = Counter()
    return { calls.add(1) > count }
  }

  /// An interrupted run stops soon, with a checkpoint of all games that are counted; the resumed run plays the rest.
  /// Runs that repeat have the weights of an undivided run.
  @Test(arguments: Sharing.allCases) func anInterruptedRunIsResumed(_ sharing: Sharing) async throws {
    let configuration = try configuration(sharing, ["averaging.every_games=30", "training.games=300"])
    let whole = try await session(sharing, configuration)
    let expected = try weights()
    #expect(whole.outcome == .finished && whole.games == 300)
    TemporaryFile.remove(folder)
    // One thread and two ask before each game, replicas before each round.
    let calls = sharing == .oneThread || sharing == .twoThreads ? 40 : 3
    var (stops, before) = (0, 0)
    var part = try await session(sharing, configuration, shouldStop: Self.after(calls))
    while part.outcome == .interrupted, stops < 50 {
      let checkpoint = try Checkpoint(path: folder + "/checkpoint.safetensors")
      #expect(checkpoint.games == part.games && part.games > before && part.games < 300)
      #expect(try MetricsFile(path: folder + "/metrics.jsonl").records.last?.games == part.games)
      (stops, before) = (stops + 1, part.games)
      part = try await session(sharing, configuration, resuming: true, shouldStop: Self.after(calls))
    }
    #expect(part.outcome == .finished && part.games == 300 && stops > 1, "\(stops) stops")
    guard sharing.repeats else { return }
    #expect(try weights() == expected)
  }
}
