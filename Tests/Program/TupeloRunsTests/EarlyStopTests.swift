import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloNetwork
import TupeloRuns
import TupeloTraining

/// Runs that end after an evaluation, before their last game.
@Suite final class EarlyStopTests {
  private let folder = TemporaryFile.path("early")

  deinit { TemporaryFile.remove(folder) }

  private func configuration(_ change: (inout RunConfiguration) -> Void = { _ in }) throws -> RunConfiguration {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(
      patterns: ["0123", "4567"].map { try TuplePattern(text: $0) })
    configuration.averaging.everyGames = 0
    configuration.training.games = 2000
    configuration.evaluation.games = 10
    configuration.evaluation.everyGames = 100
    configuration.evaluation.interimGames = 20
    configuration.evaluation.threads = 1
    configuration.output.directory = folder
    change(&configuration)
    return configuration
  }

  private func start(_ configuration: RunConfiguration) throws -> TrainingRun {
    try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
  }

  private func resume(_ change: (inout RunConfiguration) -> Void = { _ in }) throws -> TrainingRun {
    let checkpoint = try Checkpoint(path: folder + "/checkpoint.safetensors")
    var configuration = checkpoint.configuration
    change(&configuration)
    let directory = try RunDirectory.resume(checkpoint, with: configuration)
    return try TrainingRun(
      checkpoint.resume(with: configuration, allowingChanges: true), in: directory, arguments: [])
  }

  /// The average scores of the evaluations during training, by games.
  private func scores() throws -> [(games: Int, mean: Double, low: Double)] {
    try MetricsFile(path: folder + "/metrics.jsonl").records.compactMap { record in
      guard let mean = record[.evalScoreMean], let low = record[.evalScoreLow] else { return nil }
      return (record.games, mean, low)
    }
  }

  @Test(.slow) func aTargetEndsTraining() throws {
    try start(configuration { $0.training.games = 600 }).train(shouldStop: { false })
    let curve = try scores()
    // The curve reaches this target in its course, and not at once.
    let target = try #require(curve.dropFirst(2).map(\.mean).max())
    let first = try #require(curve.first { $0.mean >= target })
    TemporaryFile.remove(folder)
    let run = try start(configuration { $0.evaluation.target = target })
    let reason = EarlyStop.target(target, score: first.mean, game: .twentyFortyEight)
    #expect(try run.train(shouldStop: { false }) == .stopped(reason))
    #expect(run.trainer.games == first.games)
    let text = try #require(run.text(of: .stopped(reason)))
    #expect(text.hasPrefix("stopped after \(first.games) of 2,000 games: an evaluation has an average score of "))
    #expect(text.hasSuffix("; resume with: tupelo train --resume \(folder) --set evaluation.target=0"))
    #expect(try Checkpoint(path: folder + "/checkpoint.safetensors").games == first.games)
    #expect(try run.evaluate()?.games == 10)
  }

  /// Weights that fade away get no better: the run ends after the best evaluation and `patience` further ones, as the
  /// curve says.
  @Test func patienceEndsTraining() throws {
    let settings = try configuration {
      $0.evaluation.patience = 3
      $0.evaluation.games = 300
      $0.decay.share = 0.5
      $0.decay.everyGames = 1
    }
    var curve: [(games: Int, mean: Double, low: Double)] = []
    let ended = try finish(start(settings)) { run in
      curve = try scores()
      let model = try SafetensorsFile(path: folder + "/best.safetensors")
      #expect(model.metadata["tupelo.games"] == curve.max { $0.low < $1.low }.map { "\($0.games)" })
      // The finished network is evaluated over more games, so its lower end is higher. That changes nothing later.
      #expect(try run.evaluate()?.games == 300)
    }
    let best = try #require(curve.max { $0.low < $1.low })
    #expect(ended.outcome == .stopped(.patience(3)))
    #expect(ended.games == best.games + 300 && ended.games < 2000)
    let text = "the last 3 evaluations found no better model (evaluation.patience)"
    #expect(EarlyStop.patience(3).description == text)

    // A resumed run has used up its patience, and continues when the setting is raised.
    let again = try finish(resume())
    #expect(again.games == ended.games && again.outcome == .stopped(.patience(3)))
    let longer = try finish(resume { $0.evaluation.patience = 5 })
    #expect(longer.outcome == .stopped(.patience(5)) && longer.games == best.games + 500)
    let free = try finish(
      resume {
        $0.evaluation.patience = 0
        $0.training.games = longer.games + 50
      })
    #expect(free.outcome == .finished && free.games == longer.games + 50)
  }

  /// Trains a run to its end, and releases its folder for the next one.
  private func finish(
    _ run: consuming TrainingRun, then body: (TrainingRun) throws -> Void = { _ in }
  ) throws -> (games: Int, outcome: Outcome) {
    let outcome = try run.train(shouldStop: { false })
    try body(run)
    return (run.trainer.games, outcome)
  }

  /// A run that is stopped and resumed ends at the same game as a run without a stop.
  @Test func sessionsDoNotChangeTheEnd() throws {
    let configuration = try configuration {
      $0.evaluation.patience = 2
      $0.decay.share = 0.5
      $0.decay.everyGames = 1
    }
    let whole = try start(configuration)
    try whole.train(shouldStop: { false })
    TemporaryFile.remove(folder)
    let limit = whole.trainer.games - 130
    let calls = Locked(0)
    let outcome = try start(configuration).train(shouldStop: {
      calls.withLock {
        $0 += 1
        return $0 > limit
      }
    })
    #expect(outcome == .interrupted)
    #expect(try Checkpoint(path: folder + "/checkpoint.safetensors").games < whole.trainer.games)
    let resumed = try resume()
    #expect(try resumed.train(shouldStop: { false }) == .stopped(.patience(2)))
    #expect(resumed.trainer.games == whole.trainer.games)
  }

  /// A target that is reached at the last game does not end the run early.
  @Test func theLastGameIsNoEarlyStop() throws {
    let run = try start(
      configuration {
        $0.training.games = 100
        $0.evaluation.target = 1
      })
    #expect(try run.train(shouldStop: { false }) == .finished)
    #expect(run.trainer.games == 100)
  }
}
