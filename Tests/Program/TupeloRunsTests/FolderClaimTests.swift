import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloRuns
import TupeloTraining

/// Folders that the program names itself, and folders that pass from one run to another.
@Suite struct FolderClaimTests {
  private let own = RunFolder()
  private var folder: String { own.path }

  /// Sixteen claims of one name at the same moment: each gets a folder of its own, and none gets a folder that exists.
  @Test func eachClaimGetsAFolderOfItsOwn() throws {
    let wanted = folder + "/runs/sweep"
    try FileManager.default.createDirectory(atPath: wanted, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(fileURLWithPath: wanted + "/old"))
    let claimed = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      do {
        let path = try RunDirectory.claim(wanted)
        claimed.withLock { $0.append(path) }
      } catch {
        Issue.record(error)
      }
    }
    let paths = claimed.withLock { $0 }
    #expect(Set(paths) == Set((2...17).map { "\(wanted)-\($0)" }) && paths.count == 16)
    for path in paths { #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty) }
  }

  @Test func aClaimThatCannotBeMadeNamesThePath() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder + "/file"))
    let error = #expect(throws: RunDirectoryError.self) { try RunDirectory.claim(self.folder + "/file/run") }
    #expect(error.map { "\($0)".hasPrefix(folder + "/file") } == true)
  }

  /// A folder that was made for a run that does not start is removed, unless somebody else has a file in it.
  @Test func theFolderOfARunThatDoesNotStartIsRemoved() throws {
    let files = FileManager.default
    let configuration = own.configuration()
    var directory: RunDirectory? = try .create(for: configuration)
    withExtendedLifetime(directory) {}
    directory = nil
    #expect(!files.fileExists(atPath: folder))

    directory = try .create(for: configuration)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/notes"))
    directory = nil
    #expect(Set(try files.contentsOfDirectory(atPath: folder)) == [".lock", "notes"])

    try files.removeItem(atPath: folder)
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    directory = try .create(for: configuration)
    directory = nil
    #expect(try files.contentsOfDirectory(atPath: folder) == [".lock"])
  }

  /// Only checkpoints may be links, because the file that another link leads to may be anybody's. Nothing is written.
  @Test(
    arguments: [".lock", "config.yaml", "meta.json", "metrics.jsonl", "best.safetensors", "evaluation.json"],
    [false, true])
  func filesOfARunAreNotLinks(_ name: String, _ isDangling: Bool) throws {
    let (configuration, files) = (own.configuration(), FileManager.default)
    try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
      .train(shouldStop: { false })
    let checkpoint = try Checkpoint(path: folder + "/checkpoint.safetensors")
    let (link, victim) = (folder + "/" + name, folder + "/victim")
    if !files.fileExists(atPath: link) { try Data("mine".utf8).write(to: URL(fileURLWithPath: link)) }
    try files.moveItem(atPath: link, toPath: victim)
    let before = try Data(contentsOf: URL(fileURLWithPath: victim))
    if isDangling { try files.removeItem(atPath: victim) }
    try files.createSymbolicLink(atPath: link, withDestinationPath: "victim")
    let names = try Set(files.contentsOfDirectory(atPath: folder))
    #expect(throws: RunDirectoryError.linked(path: link)) {
      try RunDirectory.resume(checkpoint, with: checkpoint.configuration)
    }
    #expect(try Set(files.contentsOfDirectory(atPath: folder)) == names)
    if !isDangling { #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == before) }
  }

  /// A link that appears during a run is replaced by the run's file.
  @Test func aLateLinkIsReplaced() throws {
    let directory = try RunDirectory.create(for: own.configuration())
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/victim"))
    try FileManager.default.createSymbolicLink(atPath: directory.file("game-best.txt"), withDestinationPath: "victim")
    try directory.write("game", to: "game-best.txt")
    #expect(try String(contentsOfFile: folder + "/victim", encoding: .utf8) == "mine")
    #expect(try String(contentsOfFile: directory.file("game-best.txt"), encoding: .utf8) == "game")
  }

  /// A file that cannot be written is found before the first game.
  @Test(arguments: ["checkpoint.safetensors", "best.safetensors", "evaluation.json", "config.yaml"])
  func aFolderInPlaceOfAFileIsFoundAtOnce(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
    try Data("{\"sessions\": []}".utf8).write(to: URL(fileURLWithPath: folder + "/meta.json"))
    if name == "checkpoint.safetensors" {
      // A new checkpoint would be made where the link leads.
      try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: "nowhere/file")
    } else {
      try FileManager.default.moveItem(atPath: folder + "/files", toPath: folder + "/" + name)
    }
    let error = #expect(throws: RunDirectoryError.self) { try RunDirectory.create(for: own.configuration()) }
    #expect(error.map { "\($0)".hasPrefix("\(folder): cannot write there: \(name)") } == true, "\(error as Any)")
  }

  /// The folder was removed, and now belongs to another run, which is not touched.
  @Test(arguments: [false, true]) func theFolderOfAnotherRunIsNotTaken(_ isFinished: Bool) throws {
    let configuration = own.configuration()
    let run = try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
    run.lastCheckpoint.places = [folder + "-refuge"]
    try FileManager.default.createDirectory(atPath: folder + "-refuge", withIntermediateDirectories: true)
    defer { TemporaryFile.remove(folder + "-refuge") }
    var other: RunDirectory?
    var isGone = false
    let error = #expect(throws: CheckpointRescue.self) {
      try run.train(shouldStop: { false }) { event in
        guard case .round = event, !isGone else { return }
        isGone = true
        try FileManager.default.removeItem(atPath: folder)
        other = try RunDirectory.create(for: configuration)
        if isFinished {
          try Data("theirs".utf8).write(to: URL(fileURLWithPath: folder + "/checkpoint.safetensors"))
          other = nil
        }
      }
    }
    let (reason, copy) = (try #require(error).reason, try #require(error).copy)
    #expect(reason.contains(isFinished ? "already holds a checkpoint" : "another training is at work"), "\(reason)")
    #expect(try Checkpoint(path: copy).games == 100)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(names) == (isFinished ? [".lock", "checkpoint.safetensors"] : [".lock"]), "\(names)")
    _ = other
  }

  /// A run whose folder was moved to another disk, with a link in its place, continues in that folder.
  @Test func aCopyOfTheOwnFolderIsTaken() throws {
    var configuration = own.configuration()
    (configuration.output.checkpointGames, configuration.training.reportGames) = (20, 20)
    let run = try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
    let copy = folder + "-copy"
    defer { TemporaryFile.remove(copy) }
    var told: [String] = []
    try run.train(shouldStop: { false }) { event in
      if case .problem(let problem) = event { told.append("\(problem)") }
      guard case .round = event, run.trainer.games == 60 else { return }
      try FileManager.default.copyItem(atPath: folder, toPath: copy)
      try FileManager.default.removeItem(atPath: folder)
      try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: copy)
    }
    #expect(
      told == ["\(folder): the folder was exchanged for another folder, and the run continues in that folder"])
    #expect(try Checkpoint(path: copy + "/checkpoint.safetensors").games == 100)
    // The record of game 60 went to the file that was removed.
    #expect(try MetricsFile(path: copy + "/metrics.jsonl").records.map(\.games) == [20, 40, 80, 100])
    // The folder is locked, as every run's folder is.
    #expect(throws: RunDirectoryError.inUse(path: copy, process: Int(getpid()))) {
      try RunDirectory.resume(
        Checkpoint(path: copy + "/checkpoint.safetensors"), with: configuration, isFolderGiven: false)
    }
    withExtendedLifetime(run) {}
  }

  /// Without room anywhere, the error names the run's folder.
  @Test func whereNothingHelpsTheReasonIsTold() throws {
    let configuration = own.configuration()
    let run = try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
    run.lastCheckpoint.places = [folder + "-nowhere"]
    let error = #expect(throws: RunDirectoryError.self) {
      try run.train(shouldStop: { false }) { event in
        guard case .round = event, FileManager.default.fileExists(atPath: folder + "/meta.json") else { return }
        try FileManager.default.removeItem(atPath: folder)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder))
      }
    }
    #expect(error.map { "\($0)".hasPrefix("\(folder): cannot write there") } == true)
    #expect(try String(contentsOfFile: folder, encoding: .utf8) == "mine")
  }
}
