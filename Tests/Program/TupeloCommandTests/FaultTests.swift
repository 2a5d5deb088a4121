import Foundation
import TestSupport
import Testing
import Tupelo
import TupeloReports
import TupeloTraining
import TupeloRuns

/// Faults during training: the disk fills up, the folder is closed, or the process is killed. Disks are small file
/// systems in memory. `.ci/faults` lets single system calls fail.
@Suite(.serialized) final class FaultTests {
  private let folder: String
  private var disk: SmallDisk?

  init() throws {
    folder = TemporaryFile.path("faults")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    disk = nil
    TemporaryFile.remove(folder)
  }

  private func smallDisk() throws -> SmallDisk {
    let disk = try SmallDisk(folder + "/disk", megabytes: 12)
    self.disk = disk
    return disk
  }

  /// Three tables of 65,536 weights: a checkpoint takes 2.4 MB, or 3.1 MB with an average.
  private func config(games: String, _ more: String = "") throws -> String {
    let path = folder + "/config.yaml"
    let text = """
      network:
        patterns: "0123 4567 0145"
      averaging:
        every_games: 0
      training:
        games: \(games)
      evaluation:
        games: 0
      output:
        checkpoint_games: 20
      \(more)
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func games(_ run: String) throws -> Int { try Checkpoint(path: run + "/checkpoint.safetensors").games }

  /// A record that cannot be saved is found before the game, and a run that cannot begin leaves no folder behind.
  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func aFullDiskIsFoundAtOnce() throws {
    let disk = try smallDisk()
    let large = disk.path + "/large"
    let training = try Program.run(
      ["train", "--set", "network.patterns=012345", "--games", "1", "--output", large])
    #expect(training.status == 1 && training.errors.contains("a checkpoint needs "), "\(training)")
    #expect(!FileManager.default.fileExists(atPath: large))
    try disk.fill(bytes: 20_000_000)
    let record = disk.path + "/game.txt"
    for game in ["2048", "set"] {
      let result = try Program.run(["autoplay", "--game", game, "--agent", "random", "--record", record])
      #expect(result.status == 1 && result.output.isEmpty, "\(result)")
      #expect(result.errors.hasPrefix("Error: \(record): a game's record needs up to "), "\(result)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["filler"])
  }

  @Test(.slow, .enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func aDiskThatIsFullForAWhileDoesNotEndTraining() throws {
    let disk = try smallDisk()
    let run = disk.path + "/run"
    let first = try Program.run(["train", "--config", config(games: "100"), "--output", run])
    #expect(first.status == 0, "\(first)")
    let process = try begun(run, errors: folder + "/errors.txt")
    // The disk has room for metrics, but not for a second checkpoint beside the first.
    try disk.fill(bytes: 8_500_000)
    let errors = try waitForText(in: folder + "/errors.txt")
    #expect(errors.hasPrefix("warning: ") && errors.contains("checkpoint.safetensors") && errors.contains("space"))
    let before = try games(run)
    try disk.free()
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try games(run) > before)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: run).contains { $0.hasSuffix(".partial") })
  }

  /// Resumes a run that ended after 100 games, and waits until it has written a checkpoint of its own.
  private func begun(_ run: String, errors: String) throws -> Process {
    let process = try Program.start(["train", "--resume", run, "--games", "100M"], errors: errors)
    try Program.wait { try !process.isRunning || games(run) > 100 }
    return process
  }

  /// A disk without room for a checkpoint is found before a game is played, because nothing could be saved on it.
  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func aDiskThatIsTooSmallIsFoundBeforeTraining() throws {
    let disk = try smallDisk()
    let run = disk.path + "/run"
    // Four kilobytes of other files, and 2.4 MB for the checkpoint: there is no room for a second one.
    try disk.fill(bytes: 8_500_000)
    let tight = try Program.run([
      "train", "--config", config(games: "100"), "--output", run, "--set", "output.checkpoint_games=0",
    ])
    let warning = tight.errors.split(separator: "\n").first ?? ""
    #expect(warning.hasPrefix("warning: \(run): checkpoints may need 5 MB and the disk has 4 MB free: "), "\(tight)")
    #expect(tight.status == 0 && tight.output.contains("trained 100 games in "), "\(tight)")
    let again = try Program.run(["train", "--resume", run, "--games", "200"])
    let needs = "Error: \(run): a checkpoint needs 2 MB and the disk has 2 MB free: free space, or name a folder on "
    #expect(again.status == 1 && again.errors.hasPrefix(needs), "\(again)")
    #expect(!again.output.contains("games=") && again.errors.split(separator: "\n").count == 1, "\(again)")
    #expect(try games(run) == 100)
    let other = try Program.run(["train", "--config", config(games: "100"), "--output", disk.path + "/other"])
    let otherNeeds = "Error: \(disk.path)/other: a checkpoint needs 2 MB"
    #expect(other.status == 1 && other.errors.hasPrefix(otherNeeds), "\(other)")
    #expect(!FileManager.default.fileExists(atPath: disk.path + "/other/config.yaml"))
  }

  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func aFolderThatCannotBeWrittenIsNamed() throws {
    let disk = try smallDisk()
    let run = disk.path + "/run"
    _ = try Program.run(["train", "--config", config(games: "100"), "--output", run])
    _ = try Program.shell("mount -o remount,ro \(Program.quoted(disk.path))")
    let result = try Program.run(["train", "--resume", run, "--games", "200"])
    #expect(result.status != 0 && result.errors.contains(run) && result.errors.contains("ead-only"), "\(result)")
    #expect(try games(run) == 100)
  }

  /// A process that is killed at 50 moments, most of them around a write, always leaves a whole checkpoint, which is
  /// never older than the one before.
  @Test(.slow) func aKilledTrainingGoesOn() throws {
    let run = folder + "/run"
    let config = try config(games: "100M")
    var random = RandomStream(seed: 7, stream: 0)
    var last = 0
    var advances = 0
    for kill in 0..<50 {
      let before = try identity(run)
      let hasCheckpoint = before != nil
      let process = try Program.start(
        hasCheckpoint ? ["train", "--resume", run] : ["train", "--config", config, "--output", run])
      // Every fifth process is killed at any moment after its start, the other ones once they have written.
      try Program.wait { try kill.isMultiple(of: 5) || !process.isRunning || identity(run) != before }
      // This pause waits for nothing: it chooses the moment.
      Thread.sleep(forTimeInterval: Double(random.next(below: kill.isMultiple(of: 5) ? 300 : 30)) / 1000)
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      guard FileManager.default.fileExists(atPath: run + "/checkpoint.safetensors") else { continue }
      let checkpoint = try Checkpoint(path: run + "/checkpoint.safetensors")
      #expect(checkpoint.games >= last)
      if checkpoint.games > last { advances += 1 }
      last = checkpoint.games
      _ = try checkpoint.resume()
    }
    #expect(advances >= 40)
    let end = try Program.run(["train", "--resume", run, "--games", "\(last + 50)"])
    #expect(end.status == 0, "\(end)")
    #expect(try games(run) == last + 50)
    let records = try MetricsFile(path: run + "/metrics.jsonl").records
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.games <= $1.games })
    #expect(try !FileManager.default.contentsOfDirectory(atPath: run).contains { $0.hasSuffix(".partial") })
  }

  /// The identity of the checkpoint file, which is another one after each write.
  private func identity(_ run: String) throws -> Int? {
    do {
      return try FileManager.default.attributesOfItem(atPath: run + "/checkpoint.safetensors")[.systemFileNumber]
        as? Int
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  /// `tupelo train | head`: the training is finished and saved although `head` has closed the pipe.
  @Test(.slow) func aReaderThatLeavesDoesNotEndTraining() throws {
    let run = folder + "/run"
    let command = [Program.path, "train", "--config", try config(games: "3000"), "--output", run]
    let line = command.map(Program.quoted).joined(separator: " ") + " --set training.report_games=10 | head -n 1"
    let result = try Program.shell(line)
    #expect(result.output.split(separator: "\n").count == 1, "\(result)")
    #expect(try games(run) == 3000)
    let resumed = ["train", "--resume", run, "--games", "4000", "--set", "evaluation.games=10"].map(Program.quoted)
    let second = try Program.shell(([Program.quoted(Program.path)] + resumed).joined(separator: " ") + " | head -n 1")
    #expect(second.errors.isEmpty, "\(second)")
    #expect(try games(run) == 4000)
    #expect(FileManager.default.fileExists(atPath: run + "/evaluation.json"))
  }

  @Test func aSecondTrainingInAFolderIsRefused() throws {
    let run = folder + "/run"
    let process = try Program.start(["train", "--config", config(games: "100M"), "--output", run])
    defer { process.terminate() }
    try Program.wait(forFile: run + "/checkpoint.safetensors")
    let second = try Program.run(["train", "--resume", run])
    #expect(second.status != 0 && second.errors.contains("another training is at work"), "\(second)")
    #expect(second.errors.contains("process \(process.processIdentifier)"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }

  /// A limit on file sizes is as a full disk: the error names it, and no part of a file is left.
  @Test func aLimitOnFileSizesLosesNothing() throws {
    // The shell counts blocks of 512 or 1,024 bytes, and a checkpoint is 2.4 MB.
    func limited(_ arguments: [String]) throws -> Program.Result {
      let words = ([Program.path] + arguments).map(Program.quoted)
      return try Program.shell("ulimit -S -f 500; exec " + words.joined(separator: " "))
    }
    let (run, other) = (folder + "/run", folder + "/other")
    let train = ["train", "--config", try config(games: "10"), "--output"]
    let result = try limited(train + [run])
    let reason = "\(run)/checkpoint.safetensors: cannot be written: File too large: raise the limit on file sizes"
    #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
    #expect(try !FileManager.default.contentsOfDirectory(atPath: run).contains { $0.hasSuffix(".partial") })
    #expect(try Program.run(train + [other]).status == 0 && games(other) == 10)
    let export = try limited(["export", other, "-o", folder + "/model.safetensors"])
    #expect(export.status == 1 && export.errors.contains("File too large"), "\(export)")
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix("model.") })
  }

  /// A file that is mounted by itself, as containers mount files, is written in place. If it cannot be, no game is
  /// played.
  @Test(.enabled(if: SmallDisk.canMount, "no right to mount: not tried"), arguments: [false, true])
  func aMountedFileIsWritten(_ isReadOnly: Bool) throws {
    let (run, inside, outside) = (folder + "/run", folder + "/game.txt", folder + "/outside")
    #expect(try Program.run(["train", "--config", config(games: "20"), "--output", run]).status == 0)
    for path in [inside, outside] { try Data().write(to: URL(fileURLWithPath: path)) }
    let mount = "mount --bind '\(outside)' '\(inside)'"
    let protect = isReadOnly ? " && mount -o remount,bind,ro '\(inside)'" : ""
    try #require(try Program.shell(mount + protect).status == 0)
    defer { do { _ = try Program.shell("umount '\(inside)'") } catch { print("left behind: \(inside)") } }
    let result = try Program.run(["autoplay", run, "--plies", "1", "--record", inside])
    if isReadOnly {
      #expect(result.status == 1 && result.output.isEmpty, "\(result)")
      #expect(result.errors.contains("cannot be replaced: Read-only file system"), "\(result)")
    } else {
      #expect(result.status == 0, "\(result)")
      #expect(try GameRecord(text: String(contentsOfFile: outside, encoding: .utf8)).steps.count > 10)
    }
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix("game.txt.") })
  }

  private func waitForText(in path: String) throws -> String {
    var text = ""
    try Program.wait {
      text = try String(contentsOfFile: path, encoding: .utf8)
      return text.hasSuffix("\n")
    }
    return text
  }
}
