import Foundation
import Safetensors
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

/// A score is ranked only among scores that were measured alike.
@Suite struct EvaluationKindTests {
  private let run = RunFolder()
  private var folder: String { run.path }

  private func configuration() throws -> RunConfiguration {
    run.configuration {
      ($0.evaluation.games, $0.evaluation.everyGames, $0.evaluation.interimGames) = (30, 100, 30)
    }
  }

  private func bytes(_ name: String) throws -> Data { try run.bytes(name) }

  /// The best model is chosen by other games than those that measure it at the end. Each result repeats with its seed.
  @Test func theGamesThatChooseDoNotMeasure() throws {
    let configuration = try configuration()
    let session = try run.start(configuration)
    var interim: EvaluationReport?
    try session.train(shouldStop: { false }) { if case .evaluation(let report, _) = $0 { interim = report } }
    let best = try bytes("best.safetensors")
    let final = try #require(try session.evaluate())
    #expect(interim?.seed == 1_001_000_003 && final.seed == 1_000_003 && interim?.scoreMean != final.scoreMean)
    let contender = configuration.contender(try session.trainer.model())
    for (seed, report) in [(1_001_000_003, interim), (1_000_003, final)] {
      let again = try GameSeries(configuration.gameRules, games: 30, seed: UInt64(seed), threads: 1).run(makePlayer: {
        try contender.makePlayer()
      })
      #expect(again?.scoreMean == report?.scoreMean)
    }
    // The result at the end does not choose.
    #expect(try bytes("best.safetensors") == best)
    let metadata = try SafetensorsFile(path: folder + "/best.safetensors").metadata
    #expect(metadata["tupelo.best.score_mean"] == interim.map { "\($0.scoreMean)" })
    #expect(metadata["tupelo.best.evaluation_seed"] == "1001000003")
    #expect(metadata["tupelo.best.evaluation_plies"] == "1")
    // What the records say.
    let records = try run.records()
    func kinds(_ stage: EvaluationStage) -> [EvaluationKind] { records.compactMap { $0.evaluation(stage)?.kind } }
    #expect(kinds(.interim) == [EvaluationKind(games: 30, plies: 1, seed: 1_001_000_003)])
    #expect(kinds(.final) == [EvaluationKind(games: 30, plies: 1, seed: 1_000_003)])
  }

  /// Fading weights score less and less. A resumed run that evaluates otherwise than before keeps the first model that
  /// it evaluates, sets the former best aside, and counts its patience from there.
  @Test(arguments: ["evaluation.interim_games=20", "evaluation.seed=5", "evaluation.plies=2"])
  func anotherKindBeginsAgain(_ setting: String) throws {
    let fading: (inout RunConfiguration) -> Void = {
      $0.decay.share = 0.5
      $0.decay.everyGames = 1
      $0.evaluation.everyGames = 20
      $0.evaluation.patience = 3
      $0.training.games = 2000
    }
    try run.train(run.start(configuration()))
    try run.train(run.resume(fading))
    let best = try bytes("best.safetensors")
    let checkpoint = try run.checkpoint()
    #expect(
      checkpoint.games == 160 && !FileManager.default.fileExists(atPath: folder + "/best.safetensors.old"), "\(setting)"
    )
    var kept: [Bool] = []
    let other = try RunConfiguration.load(
      yaml: checkpoint.configuration.yaml, sourceName: "run", environment: [:], overrides: [setting], of: .program)
    try run.resume { $0.evaluation = other.evaluation }.train(shouldStop: { false }) {
      if case .evaluation(_, let isBest) = $0 { kept.append(isBest) }
    }
    let last = try #require(kept.lastIndex(of: true))
    #expect(kept.first == true && kept.count == last + 4, "\(setting): \(kept)")
    #expect(try bytes("best.safetensors.old") == best && bytes("best.safetensors") != best, "\(setting)")
    // Once more, and the former best is that of the second kind.
    let second = try bytes("best.safetensors")
    try run.train(
      run.resume {
        $0.evaluation = other.evaluation
        $0.evaluation.interimGames = 25
      })
    #expect(try bytes("best.safetensors.old") == second, "\(setting)")
  }

  /// Scores of two search depths are not compared, neither during training nor after it.
  @Test func otherDepthsAreNotCompared() throws {
    func run(_ name: String, plies: Int, agent: String) throws -> String {
      let path = folder + "/" + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      var record = MetricsRecord(games: 10, moves: 10, seconds: 1, time: 0)
      (record[.evalScoreMean], record[.evalScoreLow], record[.evalScoreHigh]) = (50, 40, 60)
      (record[.evalGames], record[.evalPlies], record[.evalSeed]) = (9, Double(plies), 7)
      let evaluation =
        #"{"agent": "\#(agent)", "games": 40, "seed": 7, "score_mean": 60, "score_margin_95": 5.5, "score_max": 99, "#
        + #""reach_rates": {}}"#
      for (name, text) in [
        ("metrics.jsonl", record.json + "\n"), ("config.yaml", "evaluation.plies: \(plies)\n"),
        ("evaluation.json", evaluation),
      ] { try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name)) }
      return path
    }
    let one = try run("one", plies: 1, agent: "expectimax(plies: 1)")
    let two = try run("two", plies: 2, agent: "expectimax(plies: 2)")
    let other = try run("other", plies: 2, agent: "expectimax(plies: 2)")
    let mixed = try RunComparison(one, two)
    #expect(mixed.scores.isEmpty && mixed.otherAgents == ["expectimax(plies: 1)", "expectimax(plies: 2)"])
    let equal = try RunComparison(two, other)
    #expect(equal.scores.map(\.kind) == [.evaluation, .interim(games: 10)] && equal.otherAgents == nil)
    #expect(try RunList(folder: two).runs.map { $0.score?.value.kind.plies } == [2])
  }
}
