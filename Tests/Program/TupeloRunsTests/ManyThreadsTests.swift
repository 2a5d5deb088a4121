import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloRuns
import TupeloSearch
import TupeloTraining

/// Training with three threads on shared weights, with everything beside it that reads them: averaging, evaluations,
/// snapshots. RunMatrixTests and LawTests check the results; these tests are for the sanitizers (`.ci/sanitize`).
@Suite struct ManyThreadsTests {
  private static func configuration(_ learner: [String], in folder: String) throws -> RunConfiguration {
    try RunConfiguration.load(
      file: nil, environment: [:],
      overrides: [
        "network.patterns=0123 0145", "training.games=80", "training.threads=3", "training.solo_games=20",
        "training.report_games=20", "averaging.every_games=10", "evaluation.games=4", "evaluation.every_games=40",
        "evaluation.interim_games=4", "evaluation.threads=3", "output.directory=\(folder)",
      ] + learner)
  }

  private static let learners = [
    ["learner.lambda=0"], ["learner.lambda=0.5", "learner.steps=4"], ["learner.lambda=0.5", "learner.steps=episode"],
    ["learner.batch=8"], ["learner.step_size=constant", "learner.exploration=0.1"],
    ["network.stages=largest=64", "stages.after_games=40", "episodes.start=restart"],
  ]

  @Test(arguments: learners)
  func aRunWithAllThatGoesOnBesideIt(learner: [String]) throws {
    let folder = TemporaryFile.path("threads")
    defer { TemporaryFile.remove(folder) }
    let configuration = try Self.configuration(learner, in: folder)
    let run = try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
    try run.train(shouldStop: { false })
    #expect(try run.evaluate()?.games == 4)
    #expect(run.trainer.games == 80)
  }

  /// A snapshot is read while the network that it was taken from learns, and does not change.
  @Test func aSnapshotStandsStillWhileTrainingGoesOn() async throws {
    let trainer = try Trainer(Self.configuration([], in: "unused"))
    try trainer.train(until: 40, reportGames: 20, shouldStop: { false }, onRound: { _ in })
    let network = try trainer.network()
    let afterstates = try (0..<8).map {
      try #require(Board(hex: "\($0)123456700000000").afterstate(of: .down)?.afterstate)
    }
    let before = afterstates.map { network.value(of: $0) }
    async let after = OwnThread.run { (0..<100).map { _ in afterstates.map { network.value(of: $0) } } }
    try trainer.train(until: 80, reportGames: 20, shouldStop: { false }, onRound: { _ in })
    #expect(try await after.allSatisfy { $0 == before })
  }
}
