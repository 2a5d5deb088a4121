import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

/// A run that another program trains, by a learner of its own.
@Suite struct ExternalRunTests {
  private let own = RunFolder()

  private func configuration(_ change: (inout RunConfiguration) -> Void = { _ in }) -> RunConfiguration {
    own.configuration {
      $0.own.learner = "Residual"
      $0.own["window"] = "50"
      ($0.evaluation.games, $0.evaluation.interimGames) = (20, 10)
      change(&$0)
    }
  }

  private func model() throws -> TrainedModel {
    let trainer = try Trainer(own.configuration())
    try trainer.train(until: 50)
    return try trainer.model()
  }

  @Test func theCommandsReadItsFolder() throws {
    let model = try model()
    let run = try ExternalRun(configuration(), arguments: ["mine.py", "5"])
    try run.log(games: 100, moves: 9000, seconds: 2, values: ["rollout/score_mean": 800, "surprise": 0.25])
    let interim = try #require(try run.evaluate(model, as: .interim))
    try run.log(games: 300, moves: 29_000, seconds: 4, values: ["own/surprise": 0.5])
    try run.save(model)
    let report = try #require(try run.evaluate(model))
    try run.end(.finished)

    let records = try own.records()
    #expect(records.map(\.games) == [100, 100, 300, 300] && records.map(\.seconds) == [2, 2, 4, 4])
    #expect(records[0].values["own/surprise"] == 0.25 && records[2].values["own/surprise"] == 0.5)
    #expect(records[0][.rolloutScoreMean] == 800 && records[0][.rolloutMovesMean] == 90)
    #expect(records[2][.rolloutMovesMean] == 100 && records[2][.movesPerSecond] == 10_000)
    #expect(records[1][.evalScoreMean] == interim.scoreMean && records[1][.evalGames] == 10)
    #expect(records[3][.finalScoreMean] == report.scoreMean && records[3][.finalGames] == 20)
    // The evaluations are those of a training of this package with the same settings.
    #expect(interim.seed == configuration().evaluation.interimSeed && report.seed == configuration().evaluation.seed)

    let names = try own.names()
    #expect(names.isSuperset(of: ["config.yaml", "meta.json", "metrics.jsonl", "model.safetensors", "game-best.txt"]))
    #expect(names.contains { $0.hasPrefix("events.out.tfevents.") })
    #expect(try TrainedModel(path: own.path).identity == model.identity)
    let session = try #require((own.json("meta.json")["sessions"] as? [[String: Any]])?.first)
    #expect(session["arguments"] as? [String] == ["mine.py", "5"] && session["learner"] as? String == "Residual")
    #expect(session["ending"] as? String == "finished")
    let listed = try #require(try RunList(folder: own.path, allKeys: true).runs.first)
    #expect(listed.games == 300 && listed.score?.value.mean == report.scoreMean && listed.score?.games == 300)
    #expect(listed.value(of: "own.learner") == "Residual" && listed.value(of: "own.window") == "50")
  }

  @Test func itGoesOnAfterItsLastRecord() throws {
    let model = try model()
    func first() throws {
      let run = try ExternalRun(configuration(), arguments: [])
      try run.log(games: 100, moves: 9000, seconds: 2)
      _ = try run.evaluate(model)
      // A program that is killed does not end the run.
    }
    try first()
    #expect(throws: RunDirectoryError.held(path: own.path)) { try ExternalRun(configuration(), arguments: []) }
    func second() throws {
      let run = try ExternalRun(configuration { $0.own["window"] = "60" }, arguments: [], isResumed: true)
      #expect(run.progress == (100, 9000, 2))
      try run.log(games: 150, moves: 14_000)
      #expect(run.progress.seconds >= 2)
      try run.end(.interrupted)
      #expect(throws: ExternalRunError.ended(path: own.path)) { try run.log(games: 200, moves: 20_000) }
    }
    try second()
    #expect(try own.records().map(\.games) == [100, 100, 150])
    let names = try own.names()
    // The evaluation is that of an earlier model now.
    #expect(names.contains("config-1.yaml") && !names.contains("evaluation.json"))
    let sessions = try #require(own.json("meta.json")["sessions"] as? [[String: Any]])
    #expect(sessions.map { $0["games"] as? Int } == [0, 100])
    #expect(sessions.map { $0["ending"] as? String } == [nil, "interrupted"])
  }

  @Test func runsOfTheProgramAndOfOthersStayApart() throws {
    let ours = own.configuration()
    func external(isResumed: Bool = false) throws -> ExternalRun {
      try ExternalRun(configuration(), arguments: [], isResumed: isResumed)
    }
    #expect(throws: RunDirectoryError.noExternalRun(path: own.path)) { try external(isResumed: true) }
    #expect(!FileManager.default.fileExists(atPath: own.path))
    try own.start(ours).train(shouldStop: { false })
    #expect(throws: RunDirectoryError.held(path: own.path)) { try external() }
    #expect(throws: RunDirectoryError.noExternalRun(path: own.path)) { try external(isResumed: true) }

    let theirs = RunFolder()
    let run = try ExternalRun(configuration { $0.output.directory = theirs.path }, arguments: [])
    let refusal = RunDirectoryError.ofLearner(path: theirs.path, learner: "Residual")
    let other = configuration { ($0.own.learner, $0.output.directory) = ("Other", theirs.path) }
    #expect(throws: refusal) { try ExternalRun(other, arguments: [], isResumed: true) }
    #expect(throws: refusal) {
      try RunDirectory.create(for: own.configuration { $0.output.directory = theirs.path })
    }
    #expect(try RunDirectory.unsaved(at: theirs.path) == refusal)
    #expect(throws: RunDirectoryError.self) {
      try ExternalRun(run.configuration, arguments: [], isResumed: true)
    }
  }

  @Test func wrongNumbersAndNamesAreRefusedInOneLine() throws {
    #expect(throws: ExternalRunError.missing(key: "own.learner")) {
      try ExternalRun(own.configuration(), arguments: [])
    }
    let run = try ExternalRun(configuration { $0.evaluation.games = 0 }, arguments: [])
    try run.log(games: 100, moves: 9000, seconds: 2)
    let before = try own.bytes("metrics.jsonl")
    func refusal(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "none"
      } catch {
        return "\(error)"
      }
    }
    let start = ", counted since the start of the run"
    for (found, expected) in [
      (refusal { try run.log(games: 99, moves: 9000) }, "games is 99: give a number from 100 to 2^53" + start),
      (refusal { try run.log(games: 100, moves: 8) }, "moves is 8: give a number from 9000 to 2^53" + start),
      (
        refusal { try run.log(games: 100, moves: 9000, seconds: 1.5) },
        "seconds is 1.5: give a number from 2 to 2^53" + start
      ),
      (
        refusal { try run.log(games: 100, moves: 9000, seconds: .nan) },
        "seconds is nan: give a number from 2 to 2^53" + start
      ),
      (
        refusal { try run.log(games: 101, moves: 9000, values: ["loss": .infinity]) },
        "loss is inf: give a finite number"
      ),
      (
        refusal { try run.log(games: 101, moves: 9000, values: ["rolout/score_mean": 1]) },
        "'rolout/score_mean' is not the tag of a metric, did you mean rollout/score_mean?"
      ),
      (
        refusal { try run.log(games: 101, moves: 9000, values: ["my loss": 1]) },
        "'my loss' is not a name: give at most 100 letters, digits and . _ + -"
      ),
      (
        refusal { _ = try run.evaluate(try model()) },
        "evaluation.games is not set: give it in the configuration of the run"
      ),
    ] { #expect(found == expected) }
    let many = Dictionary(uniqueKeysWithValues: (0..<5000).map { ("value\($0)", 1 / 3.0) })
    #expect(throws: ExternalRunError.tooManyValues(5000)) { try run.log(games: 101, moves: 9000, values: many) }
    #expect(try own.bytes("metrics.jsonl") == before)
  }

  @Test func aFolderThatIsGoneIsNoticed() throws {
    let run = try ExternalRun(configuration(), arguments: [])
    own.clear()
    #expect(throws: RunDirectoryError.self) { try run.log(games: 1, moves: 100) }
  }

  @Test func aPlayerOfTheProgramIsEvaluatedToo() throws {
    let run = try ExternalRun(configuration(), arguments: [])
    try run.log(games: 10, moves: 900)
    let results = [120, 480, 300].map { GameResult(score: $0, moves: 40, outcome: 6) }
    let report = try #require(EvaluationReport(results: results, seed: 7, seconds: 1))
    #expect(throws: ExternalRunError.badName("<lambda>")) { try run.add(report, by: "<lambda>") }
    try run.add(report, by: "policy", as: .interim)
    try run.add(report, by: "policy")
    #expect(try own.records().map { $0[.evalScoreMean] ?? $0[.finalScoreMean] } == [nil, 300, 300])
    let evaluation = try ModelEvaluation(path: own.path + "/evaluation.json")
    #expect(evaluation.scoreMean == 300 && evaluation.agent == "policy" && evaluation.model == nil)
  }
}
