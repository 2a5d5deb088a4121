import Foundation
import TestSupport
import Testing
import TupeloRuns
import TupeloTraining

/// The last checkpoint of a run is not lost, whatever happens to its folder. Disks are small file systems in memory.
@Suite(.serialized) final class LastCheckpointTests {
  private let folder: String
  private let refuge: String
  private var disk: SmallDisk?

  init() throws {
    folder = TemporaryFile.path("last")
    refuge = folder + "/refuge"
    try FileManager.default.createDirectory(atPath: refuge, withIntermediateDirectories: true)
    // Three tables of 65,536 weights: a checkpoint takes 2.4 MB.
    let text = """
      network: {patterns: "0123 4567 0145"}
      averaging: {every_games: 0}
      training: {games: 100M, report_games: 20}
      evaluation: {games: 0}
      output: {checkpoint_games: 20}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/run.yaml"))
  }

  deinit {
    disk = nil
    TemporaryFile.remove(folder)
  }

  private var errors: String { folder + "/errors.txt" }

  /// Starts a run, and waits for its first checkpoint. The checkpoint may be saved to the working folder in an
  /// emergency.
  private func start(_ run: String, _ more: String...) throws -> Process {
    let process = try Program.start(
      ["train", "--config", folder + "/run.yaml", "--output", run] + more, errors: errors,
      variables: ["TMPDIR": folder], folder: refuge)
    try Program.wait { !process.isRunning || exists(run + "/checkpoint.safetensors") }
    return process
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func games(_ run: String) throws -> Int { try Checkpoint(path: run + "/checkpoint.safetensors").games }

  /// Waits until the errors of the run contain a text.
  private func wait(for text: String, _ process: Process) throws -> String {
    var all = ""
    try Program.wait {
      // The state of the process is read first: the output of a process that has ended is complete.
      let isRunning = process.isRunning
      all = try String(contentsOfFile: errors, encoding: .utf8)
      return all.contains(text) || !isRunning
    }
    return all
  }

  /// Lines that only report progress during the run are left out.
  private func ended(_ process: Process) throws -> (status: Int32, last: String) {
    process.waitUntilExit()
    let text = try String(contentsOfFile: errors, encoding: .utf8)
    return (process.terminationStatus, text.split(separator: "\n").last.map(String.init) ?? "")
  }

  private func copies() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: refuge) }

  private func full() throws -> (run: String, disk: SmallDisk) {
    let disk = try SmallDisk(folder + "/disk", megabytes: 12)
    self.disk = disk
    return (disk.path + "/run", disk)
  }

  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func aDiskThatStaysFullSendsTheCheckpointElsewhere() throws {
    let (run, disk) = try full()
    let process = try start(run)
    defer { process.terminate() }
    // The disk has room for metrics, but not for a second checkpoint beside the first.
    try disk.fill(bytes: 8_500_000)
    _ = try wait(for: "No space left on device", process)
    let before = try games(run)
    process.interrupt()
    let (status, last) = try ended(process)
    let name = try copies().first ?? ""
    let copy = refuge + "/" + name
    #expect(
      status == 1 && last.hasPrefix("Error: \(run)/checkpoint.safetensors: cannot be written: No space"), "\(last)")
    #expect(last.hasSuffix("instead; resume with: tupelo train --resume ./\(name)"), "\(last)")
    let saved = try games(copy)
    #expect(try games(run) == before && saved > before)
    let resumed = try Program.run(["train", "--resume", copy, "--games", "\(saved + 20)"])
    #expect(resumed.status == 0 && resumed.output.contains("resuming after "), "\(resumed)")
    #expect(try games(copy) == saved + 20)
  }

  /// Kept checkpoints are removed to make room for the newest one, the oldest first, during the run and at its end.
  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func keptCheckpointsMakeRoom() throws {
    let (run, _) = try full()
    let result = try Program.run([
      "train", "--config", folder + "/run.yaml", "--output", run, "--games", "140", "--set", "output.keep=5",
    ])
    #expect(result.status == 0, "\(result)")
    let kept = try FileManager.default.contentsOfDirectory(atPath: run).filter { $0.hasPrefix("checkpoint-") }.sorted()
    let counts = try kept.map { try Checkpoint(path: run + "/" + $0).games }
    // The disk has room for five checkpoints in all, including the one that is being written.
    #expect(counts == [60, 80, 100, 120, 140], "\(counts)")
    let first = result.errors.split(separator: "\n").first { $0.contains("removed, to have room") } ?? ""
    #expect(first.hasPrefix("warning: \(run)/checkpoint-0000000000020.safetensors: removed"), "\(result.errors)")
    #expect(!result.errors.contains("No space left"), "\(result.errors)")
  }

  /// If removing all kept checkpoints would not make enough room, none of them is removed.
  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func keptCheckpointsAreNotGivenUpForNothing() throws {
    let (path, disk) = try full()
    var configuration = try RunConfiguration.load(
      file: folder + "/run.yaml", environment: [:], overrides: ["output.keep=3", "training.games=60"])
    configuration.output.directory = path
    let run = try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
    let small = path + "/checkpoint-0000000000001.safetensors"
    var told: [String] = []
    try run.train(shouldStop: { false }) { event in
      if case .problem(let error) = event, run.trainer.games == 40 {
        told.append("\(error)")
        // Only this checkpoint takes room of its own, and far too little.
        #expect(exists(small) && exists(path + "/checkpoint-0000000000020.safetensors"))
      }
      guard case .round = event else { return }
      if run.trainer.games == 40 {
        try Data("small".utf8).write(to: URL(fileURLWithPath: small))
        try disk.fill(bytes: 12_000_000)
      } else if run.trainer.games == 60 {
        try disk.free()
      }
    }
    #expect(told.contains { $0.hasPrefix("\(path)/checkpoint.safetensors: cannot be written: No space") }, "\(told)")
    #expect(!told.contains { $0.contains("removed, to have room") }, "\(told)")
  }

  @Test func aFolderThatIsGoneIsMadeAgain() throws {
    let run = folder + "/run"
    let process = try start(run)
    defer { process.terminate() }
    try FileManager.default.moveItem(atPath: run, toPath: folder + "/moved")
    let told = try wait(for: "has been made again", process)
    #expect(told.contains("warning: \(run): the folder was gone and has been made again"), "\(told)")
    let moved = try games(folder + "/moved")
    process.interrupt()
    let (status, last) = try ended(process)
    #expect(status == 130 && last.hasSuffix("resume with: tupelo train --resume \(run)"), "\(last)")
    #expect(try games(run) > moved && games(folder + "/moved") == moved)
    #expect(try copies().isEmpty)
    let resumed = try Program.run(["train", "--resume", run, "--games", "\(games(run) + 20)"])
    #expect(resumed.status == 0, "\(resumed)")
    for name in ["config.yaml", "meta.json", "metrics.jsonl"] { #expect(exists(run + "/" + name), "\(name)") }
  }

  /// A file in the place of the run's folder is not changed.
  @Test func aFileInThePlaceOfTheFolderStays() throws {
    let run = folder + "/run"
    let process = try start(run)
    defer { process.terminate() }
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/mine"))
    try FileManager.default.moveItem(atPath: run, toPath: folder + "/moved")
    // The run may make its folder again in between, and write in it.
    var count = 0
    while rename(folder + "/mine", run) != 0 {
      rename(run, folder + "/again-\(count)")
      count += 1
    }
    _ = try wait(for: "cannot write there", process)
    process.interrupt()
    let (status, last) = try ended(process)
    let copy = refuge + "/" + (try copies().first ?? "")
    #expect(status == 1 && last.hasPrefix("Error: \(run): cannot write there: "), "\(last)")
    #expect(try String(contentsOfFile: run, encoding: .utf8) == "mine")
    #expect(try games(copy) > games(folder + "/moved"))
  }
}
