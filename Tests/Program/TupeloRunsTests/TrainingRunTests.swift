import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloReports
import TupeloRuns
import TupeloSearch
import TupeloTraining

/// A run in its folder.
@Suite struct TrainingRunTests {
  private let own = RunFolder()
  private var folder: String { own.path }

  private func configuration(games: Int = 600) -> RunConfiguration {
    own.configuration(games: games) {
      ($0.averaging.everyGames, $0.training.reportGames) = (50, 100)
      ($0.evaluation.games, $0.evaluation.threads) = (30, 2)
    }
  }

  @Test func leavesAllThatIsNamed() throws {
    let configuration = configuration()
    // The example of the README.
    let directory = try RunDirectory.create(for: configuration)
    let run = try TrainingRun(Trainer(configuration), in: directory, arguments: [])
    try run.train(shouldStop: { false })
    let report = try run.evaluate()
    let names = try own.names()
    for name in ["config.yaml", "meta.json", "metrics.jsonl", "checkpoint.safetensors", "evaluation.json"] {
      #expect(names.contains(name))
    }
    #expect(names.contains { $0.hasPrefix("events.out.tfevents.") })
    #expect(!names.contains("best.safetensors") && !names.contains { $0.hasPrefix("checkpoint-") })
    let records = try own.records()
    #expect(records.map(\.games) == [100, 200, 300, 400, 500, 600, 600])
    #expect(records.last?[.finalScoreMean] == report?.scoreMean && records.last?[.finalGames] == 30)
    #expect(records.allSatisfy { $0[.evalScoreMean] == nil })
    #expect(records[0][.weightNorm] != nil && records[5][.weightNorm] != nil && records[5][.rolloutScoreMean] != nil)
    let json = try own.json("evaluation.json")
    #expect(json["score_mean"] as? Double == report?.scoreMean)
    #expect(json["agent"] as? String == "expectimax(plies: 1)")
    // The records belong to the games that the report counts.
    let best = try GameRecord(text: String(decoding: own.bytes("game-best.txt"), as: UTF8.self))
    #expect(try best.replay().last?.score == report?.scoreMax)
    let meta = try own.json("meta.json")
    let session = try #require((meta["sessions"] as? [[String: Any]])?.first)
    #expect((session["arguments"] as? [String])?.isEmpty == true && session["games"] as? Int == 0)
    #expect(session["version"] as? String == tupeloVersion && (session["cores"] as? Int ?? 0) >= 1)
  }

  @Test func settingsFromTheEnvironmentAreKept() throws {
    let configuration = configuration(games: 20)
    let variables = ["TUPELO_LEARNER_ALPHA": "0.5"]
    _ = try TrainingRun(
      Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: ["train"], environment: variables)
    let meta = try own.json("meta.json")
    let session = try #require((meta["sessions"] as? [[String: Any]])?.first)
    #expect(session["environment"] as? [String: String] == variables)
  }

  @Test func sessionsAreCounted() throws {
    try own.train(own.start(configuration(games: 100), arguments: ["train", "--x"]))
    try own.train(own.resume(arguments: ["train", "--resume"]) { $0.training.games = 200 })
    let sessions = try #require(own.json("meta.json")["sessions"] as? [[String: Any]])
    #expect(sessions.map { $0["games"] as? Int } == [0, 100])
    #expect(sessions.map { $0["ending"] as? String } == ["finished", "finished"])
    #expect(sessions.allSatisfy { $0["environment"] == nil })
    #expect(sessions.map { $0["arguments"] as? [String] } == [["train", "--x"], ["train", "--resume"]])
  }

  /// A run whose folder was moved continues in the new place.
  @Test func aMovedRunGoesOnInItsNewPlace() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    let moved = folder + "-moved"
    defer { TemporaryFile.remove(moved) }
    try FileManager.default.moveItem(atPath: folder, toPath: moved)
    let checkpoint = try Checkpoint(path: moved + "/checkpoint.safetensors")
    #expect(try RunDirectory.resume(checkpoint, with: checkpoint.configuration).path == moved)
    var elsewhere = checkpoint.configuration
    elsewhere.output.directory = folder
    #expect(try RunDirectory.resume(checkpoint, with: elsewhere).path == moved)
    elsewhere.output.directory = folder + "/other"
    #expect(try RunDirectory.resume(checkpoint, with: elsewhere).path == folder + "/other")
  }

  /// A refused resume does not change the configuration in the folder.
  @Test func aRefusedResumeChangesNothing() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    let before = try own.bytes("config.yaml")
    let checkpoint = try own.checkpoint()
    var changed = checkpoint.configuration
    changed.stepSize = .temporalCoherence(alpha: 0.5)
    #expect(throws: CheckpointError.self) {
      let directory = try RunDirectory.resume(checkpoint, with: changed)
      _ = try TrainingRun(checkpoint.resume(with: changed), in: directory, arguments: [])
    }
    #expect(try own.bytes("config.yaml") == before)
  }

  @Test func aResumedRunDoesNotTakeTheFolderOfAnother() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    let other = folder + "-other"
    defer { TemporaryFile.remove(other) }
    try FileManager.default.copyItem(atPath: folder, toPath: other)
    let checkpoint = try own.checkpoint()
    var changed = checkpoint.configuration
    changed.output.directory = other
    #expect(throws: RunDirectoryError.taken(path: other)) { try RunDirectory.resume(checkpoint, with: changed) }
    // The checkpoint of a copy names the folder of the original run, which has a checkpoint, too. A user who names that
    // folder means it.
    let copy = try Checkpoint(path: other + "/checkpoint.safetensors")
    #expect(throws: RunDirectoryError.taken(path: folder)) {
      try RunDirectory.resume(copy, with: copy.configuration, isFolderGiven: true)
    }
    #expect(try RunDirectory.resume(copy, with: copy.configuration).path == other)
  }

  /// A checkpoint of another run that was put into a run's folder does not replace that run's checkpoint.
  @Test func theCheckpointOfAnotherRunIsNotReplaced() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    let own = folder + "/checkpoint.safetensors"
    let (other, copy) = (folder + "/other.safetensors", folder + "/copy.safetensors")
    var another = configuration(games: 100)
    another.seed += 1
    try Trainer(another).save(to: other)
    try FileManager.default.copyItem(atPath: own, toPath: copy)
    let checkpoint = try Checkpoint(path: other)
    #expect(throws: RunDirectoryError.wouldBeLost(path: own)) {
      try RunDirectory.resume(checkpoint, with: checkpoint.configuration)
    }
    // A copy of the run's own checkpoint is resumed, even if the run's checkpoint is damaged.
    let same = try Checkpoint(path: copy)
    #expect(try RunDirectory.resume(same, with: same.configuration).path == folder)
    try Data("cut".utf8).write(to: URL(fileURLWithPath: own))
    #expect(try RunDirectory.resume(same, with: same.configuration).path == folder)
  }

  /// In a folder without a run, files with the names of a run belong to somebody else.
  @Test(arguments: ["config.yaml", "evaluation.json", "best.safetensors"])
  func aResumedRunReplacesNobodysFiles(_ name: String) throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    let other = folder + "-other"
    defer { TemporaryFile.remove(other) }
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: other + "/" + name))
    let lost = RunDirectoryError.wouldBeLost(path: other + "/" + name)
    let checkpoint = try own.checkpoint()
    var elsewhere = checkpoint.configuration
    elsewhere.output.directory = other
    #expect(throws: lost) { try RunDirectory.resume(checkpoint, with: elsewhere) }
    let path = other + "/checkpoint.safetensors"
    try FileManager.default.copyItem(atPath: folder + "/checkpoint.safetensors", toPath: path)
    let moved = try Checkpoint(path: path)
    #expect(throws: lost) { try RunDirectory.resume(moved, with: moved.configuration) }
    // The run's own configuration, which was moved with it, is accepted.
    try FileManager.default.removeItem(atPath: other + "/" + name)
    try Data(moved.configuration.yaml.utf8).write(to: URL(fileURLWithPath: other + "/config.yaml"))
    #expect(try RunDirectory.resume(moved, with: moved.configuration).path == other)
  }

  /// A time limit stops a run as Ctrl-C does: the resumed run learns the same as without a stop.
  @Test(.slow) func aTimeLimitChangesNothingOfWhatIsLearned() throws {
    try own.start(configuration(games: 6000)).train(shouldStop: { false })
    let whole = try own.bytes("checkpoint.safetensors")
    TemporaryFile.remove(folder)
    var limited = configuration(games: 6000)
    // The limit is some hundredths of a second; the whole training takes more than ten times as long.
    limited.training.minutes = 0.0008
    try own.start(limited).train(shouldStop: { false })
    #expect(try own.checkpoint().games < 6000)
    try own.resume { $0.training.minutes = 0 }.train(shouldStop: { false })
    #expect(try own.bytes("checkpoint.safetensors") == whole)
  }

  /// The configuration in a model contains no time limit: it would make the model differ between machines.
  @Test func modelsKnowNoTimeLimit() throws {
    var configuration = configuration(games: 20)
    configuration.training.minutes = 60
    try own.start(configuration).train(shouldStop: { false })
    let file = try SafetensorsFile(path: folder + "/checkpoint.safetensors")
    let origin = try ModelOrigin.metadata(of: file, in: .program)
    #expect(file.metadata["tupelo.configuration"]?.contains("minutes: 60.0") == true)
    #expect(origin["tupelo.configuration"]?.contains("  minutes:") == false)
  }

  @Test func aDiskThatIsTooSmallIsNamedWithItsSizes() {
    let error = RunDirectoryError.noSpace(path: "runs/x", needed: 1_610_000_000, free: 900_000_000, isFatal: true)
    #expect(
      "\(error)" == "runs/x: a checkpoint needs 1.61 GB and the disk has 900 MB free: free space, or name a folder on "
        + "another disk with --output")
    let warning = RunDirectoryError.noSpace(path: "runs/x", needed: 5000, free: 4000, isFatal: false)
    #expect("\(warning)".hasPrefix("runs/x: checkpoints may need 5 kB and the disk has 4 kB free: "))
  }

  /// The best model is the one with the highest lower end of its interval, as the curve says; weights that fade away do
  /// not take its place.
  @Test func aCollapsedModelDoesNotReplaceTheBest() throws {
    var configuration = configuration(games: 400)
    configuration.evaluation.everyGames = 100
    configuration.averaging.everyGames = 0
    try own.start(configuration).train(shouldStop: { false })
    let before = try own.bytes("best.safetensors")
    let lows = try own.records().compactMap { $0[.evalScoreLow] }
    let metadata = try SafetensorsFile(path: folder + "/best.safetensors").metadata
    #expect(lows.count == 4)
    #expect(metadata["tupelo.best.score_low"].flatMap { Double($0) } == lows.max())
    try own.resume {
      $0.training.games = 800
      $0.decay.share = 0.5
      $0.decay.everyGames = 1
    }.train(shouldStop: { false })
    let after = try own.records().compactMap { $0[.evalScoreLow] }
    #expect(try #require(after.last) < #require(lows.max()))
    #expect(try own.bytes("best.safetensors") == before)
  }

  @Test func twoTrainingsDoNotShareAFolder() throws {
    let configuration = configuration()
    var first: RunDirectory? = try RunDirectory.create(for: configuration)
    #expect(throws: RunDirectoryError.inUse(path: folder, process: Int(getpid()))) {
      try RunDirectory.create(for: configuration)
    }
    _ = first
    first = nil
    _ = try RunDirectory.create(for: configuration)
  }

  /// No process has a number beyond 4194304, and process 1 is always alive.
  @Test func whatAKilledProcessWasWritingIsRemoved() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let remains = ["checkpoint.safetensors.4194305.abc.partial", "config.yaml.4194306.ffffffffffffffff.partial"]
    let others = [
      "notes.partial", "checkpoint.safetensors.partial", "a.b.c.partial", "config.yaml.17.abc",
      "model.safetensors.1.abc.partial",
    ]
    // Another command writes a file of this folder now.
    let writer = try ReplacementFile(path: folder + "/curve.svg")
    for name in remains + others {
      try Data("half".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    _ = try RunDirectory.create(for: configuration())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.filter(remains.contains) == [])
    #expect(Set(others).isSubset(of: names))
    try writer.commit()
    #expect(try own.names().contains("curve.svg"))
  }

  /// After a stopped evaluation the next session finds no result, and evaluates.
  @Test func aStoppedEvaluationLeavesNoResult() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    _ = try own.resume().evaluate()
    #expect(try own.names().contains("evaluation.json"))
    let cancellation = SearchCancellation()
    let report = try own.resume { $0.training.games = 200 }.evaluate(cancellation: cancellation) { _ in
      cancellation.cancel()
    }
    #expect(try report == nil && !own.names().contains("evaluation.json"))
    // The earlier result stays until there is a new one.
    #expect(try own.names().contains("evaluation.json.old"))
    #expect(try own.resume().evaluate()?.games == 30)
    #expect(try own.names().contains("evaluation.json") && !own.names().contains("evaluation.json.old"))
  }

  /// The report of an evaluation is returned even if its files cannot be written, and the earlier result stays.
  @Test func aResultThatCannotBeWrittenIsReturned() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    _ = try own.resume().evaluate()
    TemporaryFile.remove(folder + "/game-best.txt")
    try FileManager.default.createDirectory(
      atPath: folder + "/game-best.txt/inner", withIntermediateDirectories: true)
    var problems: [String] = []
    let report = try own.resume().evaluate(onProblem: { problems.append("\($0)") })
    #expect(report?.games == 30 && problems.count == 1, "\(problems)")
    #expect(problems.first?.contains("game-best.txt") == true, "\(problems)")
    #expect(try own.names().contains("evaluation.json.old") && !own.names().contains("evaluation.json"))
    #expect(throws: RunDirectoryError.self) { try own.resume().evaluate() }
  }

  /// A stop also ends an evaluation during training, and the next session repeats it.
  @Test func aStoppedInterimEvaluationIsMadeUpFor() throws {
    var configuration = configuration(games: 200)
    configuration.evaluation.everyGames = 100
    configuration.evaluation.interimGames = 100_000_000
    let cancellation = SearchCancellation()
    let calls = Counter()
    var reports: [Int] = []
    // The stop is checked before each game, also during the first evaluation, after 100 games.
    try own.start(configuration).train(
      shouldStop: {
        if calls.add(1) == 500 { cancellation.cancel() }
        return false
      }, cancellation: cancellation
    ) { if case .evaluation(let report, _) = $0 { reports.append(report.games) } }
    #expect(reports == [] && calls.value >= 500)
    try own.resume { $0.evaluation.interimGames = 3 }.train(shouldStop: { false }) {
      if case .evaluation(let report, _) = $0 { reports.append(report.games) }
    }
    #expect(reports == [3])
  }

  @Test func aForeignBestModelIsNotJudged() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    try NTupleNetwork(RunConfiguration.standardNetwork.smallest).save(to: folder + "/best.safetensors")
    let error = try #require(throws: CheckpointError.self) { try own.resume() }
    #expect("\(error)".contains("best.safetensors") && "\(error)".contains("score_low"))
  }

  private struct Killed: Error {}

  /// Ends a run as SIGKILL does, so that nothing more is written. It ends between two rounds, once `isOver` is true.
  private func kill(_ run: TrainingRun, when isOver: (Int) -> Bool) throws {
    #expect(throws: Killed.self) {
      try run.train(shouldStop: { false }) { _ in if isOver(run.trainer.games) { throw Killed() } }
    }
  }

  /// The records of a killed run cover all its training up to its checkpoint.
  @Test(.slow) func theCurveOfAKilledRunHasNoHoles() throws {
    var configuration = configuration(games: 600)
    configuration.training.reportGames = 500
    configuration.output.checkpointGames = 1
    configuration.evaluation.everyGames = 70
    configuration.evaluation.interimGames = 2
    configuration.evaluation.threads = 1
    try kill(own.start(configuration)) { $0 > 300 }
    let stop = try own.checkpoint().games
    #expect((1..<500).contains(stop))
    #expect(try own.records().last?.games == stop)
    try own.resume { $0.evaluation.everyGames = 0 }.train(shouldStop: { false })
    let records = try own.records()
    #expect(records.last?.games == 600)
    var before = (games: 0, moves: 0)
    for record in records where record.games > before.games {
      let moves = Double(record.moves - before.moves) / Double(record.games - before.games)
      #expect(record[.rolloutMovesMean].map { abs($0 - moves) < 1e-9 } == true, "\(record)")
      before = (record.games, record.moves)
    }
  }

  /// Interleaved games are played in groups of 20: a report that is due within a group is recorded at its end, once.
  @Test func interleavedGamesAreObservedBetweenGroups() throws {
    var configuration = configuration(games: 300)
    configuration.training.gamesAtOnce = 2
    configuration.training.reportGames = 130
    configuration.evaluation.everyGames = 90
    configuration.evaluation.interimGames = 2
    try own.start(configuration).train(shouldStop: { false })
    let records = try own.records()
    #expect(records.map(\.games) == [100, 140, 180, 260, 280, 300])
    #expect(records.filter { $0[.evalScoreMean] != nil }.map(\.games) == [100, 180, 280])
  }

  /// A checkpoint that another process has replaced in the meantime is not resumed.
  @Test func aCheckpointThatWentOnMeanwhileIsNotResumed() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    let old = try own.checkpoint()
    try own.resume { $0.training.games = 200 }.train(shouldStop: { false })
    let error = #expect(throws: RunDirectoryError.self) {
      try RunDirectory.resume(old, with: old.configuration)
    }
    #expect(error.map { "\($0)".contains("another process has continued") } == true)
    #expect(try own.checkpoint().games == 200)
  }

  /// A checkpoint may be a link to a file elsewhere; temporary files lie beside that file.
  @Test func remainsBesideALinkedCheckpointAreRemoved() throws {
    try own.start(configuration(games: 100)).train(shouldStop: { false })
    let elsewhere = folder + "-elsewhere"
    defer { TemporaryFile.remove(elsewhere) }
    let files = FileManager.default
    try files.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try files.moveItem(atPath: folder + "/checkpoint.safetensors", toPath: elsewhere + "/big.safetensors")
    try files.createSymbolicLink(
      atPath: folder + "/checkpoint.safetensors", withDestinationPath: elsewhere + "/big.safetensors")
    let others = [
      "other.safetensors.4194305.abc.partial", "big.safetensors.partial", "big.safetensors.1.abc.partial",
    ]
    for name in others + ["big.safetensors.4194305.abc.partial"] {
      try Data("half".utf8).write(to: URL(fileURLWithPath: elsewhere + "/" + name))
    }
    _ = try own.resume { $0.training.games = 200 }
    #expect(try Set(files.contentsOfDirectory(atPath: elsewhere)) == Set(others + ["big.safetensors"]))
  }

  @Test func aDanglingLinkIsCalledSo() throws {
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: folder + "-nowhere")
    let error = #expect(throws: RunDirectoryError.self) { try RunDirectory.create(for: configuration()) }
    #expect(error.map { "\($0)".contains("link") && !"\($0)".contains("exists") } == true)
  }
}

extension NetworkSpecification {
  fileprivate var smallest: NetworkSpecification {
    get throws { try NetworkSpecification(patterns: [TuplePattern(text: "01")]) }
  }
}
