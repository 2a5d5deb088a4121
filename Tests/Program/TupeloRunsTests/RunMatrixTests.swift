import Foundation
import Testing
import TrainingSupport
import TupeloCluster
import TupeloRuns
import TupeloTraining

/// One thread, two threads, two replicas and two ranks do the same in kind: they average, fade, evaluate, stop and
/// resume alike. Threads race, so their runs do not repeat; that is the only difference. LawTests tries more settings.
@Suite struct RunMatrixTests {
  private let folder = RunFolder()

  private func configuration(_ sharing: Sharing, _ settings: [String]) throws -> RunConfiguration {
    try RunConfiguration.load(
      file: nil, environment: [:],
      overrides: [
        "network.patterns=0123 4567", "training.solo_games=20", "training.games=600", "evaluation.games=0",
        "evaluation.threads=1", "output.directory=\(folder.path)",
      ] + sharing.settings() + settings)
  }

  /// The average is the mean of the weights at its merges, with decay between them.
  @Test(arguments: Sharing.allCases, ["100", "4", "50%"])
  func theAverageIsThatOfTheWeights(_ sharing: Sharing, _ window: String) async throws {
    let configuration = try configuration(
      sharing,
      ["averaging.every_games=10", "averaging.window=\(window)", "learner.decay=0.01", "learner.decay_every_games=7"])
    let (worst, merges) = try await sharing.onRanks { communicator in
      let trainer = try Trainer(configuration, communicator: communicator)
      var (mean, worst) = (MeanOfSnapshots(), 0.0)
      try trainer.train(until: 300, reportGames: 0) { _ in worst = max(worst, try mean.add(trainer)) }
      return (worst, mean.merges)
    }
    #expect(worst < 1e-5 && merges == 30)
  }

  /// Every rank has the progress of all ranks.
  @Test func ranksHaveTheSameProgress() async throws {
    let configuration = try configuration(.twoRanks, [])
    let rounds = try await Sharing.twoRanks.onRanks { communicator in
      var rounds = 0
      try Trainer(configuration, communicator: communicator).train(until: 300, reportGames: 0) { round in
        let told = communicator.gather([
          Double(round.games), Double(round.moves), round.scoreSum, round.scoreMax, round.absoluteErrorSum,
        ])
        #expect(told[0] == told[1] && !told[0].contains(0))
        rounds += 1
      }
      return rounds
    }
    #expect(rounds > 3)
  }

  /// With hardly any learning, weights fade by the factor of all decays that have passed.
  @Test(arguments: Sharing.allCases) func weightsFadeByEachDecay(_ sharing: Sharing) async throws {
    let configuration = try configuration(
      sharing,
      [
        "averaging.every_games=0", "learner.step_size=constant", "learner.alpha=1e-9", "learner.initial_value=320000",
        "learner.decay=0.01", "learner.decay_every_games=10",
      ])
    let ends = try await sharing.onRanks { communicator in
      let trainer = try Trainer(configuration, communicator: communicator)
      let start = try numbers(of: trainer)["weights.0"]?.first ?? 0
      var ends: [Int] = []
      try trainer.train(until: 300, reportGames: 0) { _ in
        ends.append(trainer.games)
        let faded = start * Float(pow(0.99, Double(trainer.games / 10)))
        let weights = try ["weights.0", "weights.1"].flatMap { try numbers(of: trainer)[$0] ?? [] }
        #expect(start > 0 && weights.count == 1 << 17)
        #expect(weights.allSatisfy { abs($0 - faded) < 1e-4 * faded }, "after \(trainer.games) games")
      }
      return ends
    }
    #expect(ends.count > 3 && ends.last == 300)
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
    let whole = try await folder.session(sharing, configuration)
    let (curve, weights) = (try folder.curve(), try folder.numbers())
    #expect(whole.outcome == .stopped(.patience(2)) && whole.games < 600)
    #expect(try folder.checkpoint().games == whole.games)
    let best = try #require(curve.indices.max { (curve[$0].low, $1) < (curve[$1].low, $0) })
    #expect(best == curve.count - 3 && curve.last?.games == whole.games, "\(curve)")
    let every = curve.map { $0.games / 40 }
    #expect(zip(every, every.dropFirst()).allSatisfy { $0 < $1 }, "\(curve)")
    if sharing == .oneThread || sharing == .twoThreads { #expect(curve.allSatisfy { $0.games % 40 == 0 }) }
    // In sessions of a few dozen games.
    folder.clear()
    var (sessions, part) = (1, try await folder.session(sharing, configuration, stopAfter: 35))
    while part.outcome == .interrupted, sessions < 50 {
      #expect(try folder.checkpoint().games == part.games)
      part = try await folder.session(sharing, configuration, resuming: true, stopAfter: 35)
      sessions += 1
    }
    #expect(part.outcome == .stopped(.patience(2)) && sessions > 2, "\(sessions) sessions")
    guard sharing.repeats else { return }
    #expect(try part.games == whole.games && folder.curve() == curve && folder.numbers() == weights)
  }
}
