import Safetensors
import TestSupport
import Testing
import TupeloRuns
import TupeloTraining

/// Runs that end after an evaluation, before their last game.
@Suite struct EarlyStopTests {
  private let folder = RunFolder()

  private func configuration(_ change: (inout RunConfiguration) -> Void = { _ in }) throws -> RunConfiguration {
    folder.configuration(games: 2000) {
      ($0.evaluation.games, $0.evaluation.everyGames, $0.evaluation.interimGames) = (10, 100, 20)
      change(&$0)
    }
  }

  @Test(.slow) func aTargetEndsTraining() throws {
    try folder.start(configuration { $0.training.games = 600 }).train(shouldStop: { false })
    let curve = try folder.curve()
    // The curve reaches this target in its course, and not at once.
    let target = try #require(curve.dropFirst(2).map(\.mean).max())
    let first = try #require(curve.first { $0.mean >= target })
    folder.clear()
    let run = try folder.start(configuration { $0.evaluation.target = target })
    let reason = EarlyStop.target(target, score: first.mean, game: .twentyFortyEight)
    #expect(try run.train(shouldStop: { false }) == .stopped(reason))
    #expect(run.trainer.games == first.games)
    let text = try #require(run.text(of: .stopped(reason)))
    #expect(text.hasPrefix("stopped after \(first.games) of 2,000 games: an evaluation has an average score of "))
    #expect(text.hasSuffix("; resume with: tupelo train --resume \(folder.path) --set evaluation.target=0"))
    #expect(try folder.checkpoint().games == first.games)
    #expect(try run.evaluate()?.games == 10)
  }

  /// A score exactly at the target ends the run, and one that equals the best keeps the first model. The weights are so
  /// large that each step is lost in rounding, so all scores are equal.
  @Test func equalScoresReachTheTargetAndAreNoBetter() throws {
    func still(_ target: Double = 0) throws -> RunConfiguration {
      try configuration {
        ($0.stepSize, $0.initialValue, $0.training.games) = (.constant(alpha: 1e-9), 1_000_000, 300)
        $0.evaluation.target = target
      }
    }
    #expect(try folder.train(folder.start(still())).outcome == .finished)
    let curve = try folder.curve()
    #expect(curve.map(\.games) == [100, 200, 300] && Set(curve.map(\.mean)).count == 1, "\(curve)")
    let best = try SafetensorsFile(path: folder.path + "/best.safetensors")
    #expect(best.metadata["tupelo.games"] == "100")
    folder.clear()
    #expect(try folder.train(folder.start(still(curve[0].mean))).games == 100)
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
    var run: TrainingRun? = try folder.start(settings)
    #expect(try run?.train(shouldStop: { false }) == .stopped(.patience(3)))
    let curve = try folder.curve()
    let best = try #require(curve.max { $0.low < $1.low })
    let model = try SafetensorsFile(path: folder.path + "/best.safetensors")
    #expect(model.metadata["tupelo.games"] == "\(best.games)")
    // The finished network is evaluated over more games, so its lower end is higher. That changes nothing later.
    #expect(try run?.evaluate()?.games == 300)
    run = nil
    let ended = try folder.checkpoint()
    #expect(ended.games == best.games + 300 && ended.games < 2000)
    let text = "the last 3 evaluations found no better model (evaluation.patience)"
    #expect(EarlyStop.patience(3).description == text)

    // A resumed run has used up its patience, and continues when the setting is raised.
    let again = try folder.train(folder.resume())
    #expect(again.games == ended.games && again.outcome == .stopped(.patience(3)))
    let longer = try folder.train(folder.resume { $0.evaluation.patience = 5 })
    #expect(longer.outcome == .stopped(.patience(5)) && longer.games == best.games + 500)
    let free = try folder.train(
      folder.resume {
        $0.evaluation.patience = 0
        $0.training.games = longer.games + 50
      })
    #expect(free.outcome == .finished && free.games == longer.games + 50)
  }

  /// A target that is reached at the last game does not end the run early.
  @Test func theLastGameIsNoEarlyStop() throws {
    let run = try folder.start(
      configuration {
        $0.training.games = 100
        $0.evaluation.target = 1
      })
    #expect(try run.train(shouldStop: { false }) == .finished)
    #expect(run.trainer.games == 100)
  }
}
