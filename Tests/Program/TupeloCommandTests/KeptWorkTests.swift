import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloEngine

/// No command loses work because of signals, names of files or single keys.
@Suite(.serialized) final class KeptWorkTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("kept")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private let long = [
    "train", "--set", "network.patterns=0123", "--set", "evaluation.games=0", "--games", "100M", "--output",
  ]

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  private func trained(_ name: String) throws -> String {
    let run = folder + "/" + name
    let result = try Program.run(long.dropLast(3) + ["--games", "50", "--output", run])
    #expect(result.status == 0, "\(result)")
    return run
  }

  /// Starts a run, and waits until it has recorded its first games.
  private func begun(_ run: String) throws -> Process {
    let process = try Program.start(long + [run], errors: folder + "/errors.txt")
    try Program.wait(forFile: run + "/metrics.jsonl")
    return process
  }

  /// Two signals arrive at once: `timeout` sends one to a process and then one to its group.
  @Test(.slow, arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU])
  func signalsThatComeTwiceSave(_ signal: Int32) throws {
    let run = folder + "/twice\(signal)"
    let process = try begun(run)
    kill(process.processIdentifier, signal)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(FileManager.default.fileExists(atPath: run + "/checkpoint.safetensors"))
    let errors = try text("errors.txt")
    #expect(errors.hasPrefix("stopping: finishing games, then saving"), "\(errors)")
    #expect(errors.contains("resume with: tupelo train --resume "))
  }

  /// A program that ignores hang-ups outlives its terminal: it records more games than it would while it ends.
  @Test(.slow) func nohupIsHeeded() throws {
    let run = folder + "/nohup"
    let command = ([Program.path] + long + [run]).map(Program.quoted).joined(separator: " ")
    // Waits for a number of records, for at most two minutes.
    let wait =
      "reaches() { for _ in $(seq 2400); do "
      + "[ \"$(cat '\(run)/metrics.jsonl' 2>/dev/null | wc -l)\" -ge $1 ] && return; sleep 0.05; done; false; }"
    let script = """
      \(wait)
      trap '' HUP; \(command) > /dev/null 2>&1 & pid=$!
      reaches 1; kill -HUP $pid
      reaches $(($(wc -l < '\(run)/metrics.jsonl') + 3)) && echo alive
      kill -TERM $pid; wait $pid; echo $?
      """
    let result = try Program.shell(script)
    #expect(result.output == "alive\n130\n", "\(result)")
  }

  /// The kernel sends SIGXCPU when the limit of processor time is reached, and again every second. The run saves.
  @Test func aLimitOfProcessorTimeSaves() throws {
    let run = folder + "/limited"
    let command = ([Program.path] + long + [run]).map(Program.quoted).joined(separator: " ")
    let result = try Program.shell("ulimit -S -t 1; exec \(command)")
    #expect(result.status == 130 && result.errors.contains("resume with: tupelo train --resume "), "\(result)")
    #expect(FileManager.default.fileExists(atPath: run + "/checkpoint.safetensors"))
  }

  @Test func aConfigurationOfTheUsersIsNotReplaced() throws {
    try FileManager.default.createDirectory(atPath: folder + "/mine", withIntermediateDirectories: true)
    let notes = "# my notes\nnetwork: {patterns: \"0123\"}\ntraining: {games: 20}\nevaluation: {games: 0}\n"
    try write(notes, to: "mine/config.yaml")
    let result = try Program.run(["train", "--config", folder + "/mine/config.yaml", "--output", folder + "/mine"])
    #expect(result.status == 1 && result.errors.contains("mine/config.yaml: is there already"), "\(result)")
    #expect(try text("mine/config.yaml") == notes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/mine") == ["config.yaml"])
  }

  /// A run is not put into a folder of configurations, where nobody would look for it.
  @Test func aFolderOfConfigurationsTakesNoRun() throws {
    try FileManager.default.createDirectory(atPath: folder + "/all", withIntermediateDirectories: true)
    for name in ["a.yaml", "b.yml"] { try write("training: {games: 20}\n", to: "all/\(name)") }
    let result = try Program.run(["train", "--games", "2", "--output", folder + "/all"])
    #expect(result.status == 1 && result.errors.contains("all: holds 2 configurations, such as a.yaml, and no run"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/all").sorted() == ["a.yaml", "b.yml"])
  }

  /// A run that was killed before its first checkpoint may be started again.
  @Test func aRunWithoutACheckpointMayBeginAgain() throws {
    let run = try trained("again")
    TemporaryFile.remove(run + "/checkpoint.safetensors")
    let metrics = try text("again/metrics.jsonl")
    let resumed = try Program.run(["train", "--resume", run])
    #expect(resumed.status == 1 && resumed.errors.contains("nothing was saved yet"), "\(resumed)")
    #expect(
      resumed.errors.contains(" start it again with: tupelo train ") && resumed.errors.contains(run), "\(resumed)")
    #expect(resumed.errors.split(separator: "\n").count == 1 && resumed.output.isEmpty, "\(resumed)")
    let again = try Program.run(long.dropLast(3) + ["--games", "50", "--output", run])
    #expect(again.status == 0 && again.output.contains("they are now in \(run)/metrics.jsonl.old\n"), "\(again)")
    #expect(try text("again/metrics.jsonl.old") == metrics)
  }

  @Test func noCommandReplacesACheckpoint() throws {
    let run = try trained("run")
    let checkpoint = run + "/checkpoint.safetensors"
    let before = try Data(contentsOf: URL(fileURLWithPath: checkpoint))
    for arguments in [
      ["export", run, "-o", checkpoint], ["average", run, run, "-o", checkpoint], ["fold", run, "-o", checkpoint],
      ["export", run, "-o", checkpoint, "--force"], ["autoplay", run, "--record", checkpoint, "--force"],
    ] {
      let result = try Program.run(arguments)
      #expect(result.status == 1 && result.errors.contains("is a checkpoint, and training could not"), "\(result)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: checkpoint)) == before)
    // Files of other kinds are replaced only with an option; a model may be written again without one.
    let metrics = try text("run/metrics.jsonl")
    for arguments in [
      ["autoplay", run, "--record", run + "/metrics.jsonl"], ["export", run, "-o", folder + "/notes.safetensors"],
      ["plot", run, "-o", folder + "/notes.svg"],
    ] {
      for name in ["notes.svg", "notes.safetensors"] { try write("my notes", to: name) }
      let result = try Program.run(arguments)
      #expect(result.status == 1 && result.errors.contains("is there already and would be lost"), "\(result)")
    }
    #expect(try text("run/metrics.jsonl") == metrics && text("notes.svg") == "my notes")
    for _ in 0..<2 {
      #expect(try Program.run(["export", run, "-o", folder + "/model.safetensors"]).status == 0)
      #expect(try Program.run(["plot", run, "-o", folder + "/curve.svg"]).status == 0)
    }
    #expect(try Program.run(["plot", run, "-o", folder + "/notes.svg", "--force"]).status == 0)
  }

  /// A killed writer leaves a file with a name of its own; the next writer removes it, but no file that is being
  /// written.
  @Test func whatKilledWritersLeftIsRemoved() throws {
    let run = try trained("run")
    let model = folder + "/model.safetensors"
    let ended = Process()
    ended.executableURL = URL(fileURLWithPath: "/bin/sh")
    ended.arguments = ["-c", "exit 0"]
    try ended.run()
    ended.waitUntilExit()
    let remains = "model.safetensors.\(ended.processIdentifier).5eed.partial"
    let alive = "model.safetensors.\(ProcessInfo.processInfo.processIdentifier).5eed.partial"
    let other = "other.safetensors.\(ended.processIdentifier).5eed.partial"
    for name in [remains, alive, other] { try write("half", to: name) }
    let result = try Program.run(["export", run, "-o", model])
    #expect(
      result.status == 0 && result.errors == "removed \(folder)/\(remains), left by a killed process\n", "\(result)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(names) == ["run", "model.safetensors", alive, other])
  }

  /// Each game has a file of its own, and undo returns to the previous game.
  @Test func playKeepsEveryGame() throws {
    let record = folder + "/game.txt"
    let two = try Program.run(["play", "--seed", "3", "--record", record], input: "adwdnad")
    #expect(two.status == 0 && two.output.contains("saved \(record)"), "\(two)")
    let first = try GameRecord(text: text("game.txt"))
    #expect(first.steps.count >= 2)
    #expect(try !GameRecord(text: text("game-2.txt")).steps.isEmpty)
    let back = try Program.run(["play", "--seed", "3", "--record", folder + "/back.txt"], input: "adwdnuwasd")
    #expect(back.status == 0, "\(back)")
    let whole = try GameRecord(text: text("back.txt"))
    #expect(whole.steps.count > first.steps.count && Array(whole.steps.prefix(first.steps.count)) == first.steps)
    #expect(!FileManager.default.fileExists(atPath: folder + "/back-2.txt"))
    let early = try Program.run(["play", "--record", folder + "/none/x.txt"], input: "adwd")
    #expect(early.status == 1 && early.output.isEmpty && early.errors.contains("/none is not there"), "\(early)")
  }

  /// A record that cannot be saved is found before the game, whatever the reason is.
  @Test func noGameIsPlayedForARecordThatCannotBeSaved() throws {
    for name in [String(repeating: "y", count: 256), "nowhere", "/dev/null", "/dev/stdout"] {
      let record = name.hasPrefix("/") ? name : folder + "/" + name
      if name == "nowhere" {
        try FileManager.default.createSymbolicLink(atPath: record, withDestinationPath: "missing/file")
      }
      // A person's game takes the next free name beside a device.
      for command in [["autoplay", "--agent", "random"], ["probe"]] + (name.hasPrefix("/") ? [] : [["play"]]) {
        let result = try Program.run(command + ["--record", record], input: "adwd")
        #expect(result.status == 1 && result.output.isEmpty, "\(result)")
        #expect(result.errors.hasPrefix("Error: \(record): ") && result.errors.count { $0 == "\n" } == 1, "\(result)")
      }
    }
  }

  /// The longest names that file systems allow are names of records.
  @Test func longNamesAreNames() throws {
    let name = String(repeating: "\u{6f22}", count: 83) + ".txt"
    let record = folder + "/" + name
    #expect(try Program.run(["autoplay", "--agent", "random", "--record", record]).status == 0)
    #expect(try !GameRecord(text: text(name)).steps.isEmpty)
    let two = try Program.run(["play", "--seed", "3", "--record", record], input: "adwdnad")
    #expect(two.status == 0, "\(two)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 3 && names.count { $0.hasSuffix("-2.txt") || $0.hasSuffix("-3.txt") } == 2, "\(names)")
  }

  /// Every file that a command replaces keeps its permissions.
  @Test func replacedFilesKeepTheirPermissions() throws {
    let (run, other) = (try trained("run"), try trained("other"))
    let files = FileManager.default
    try files.createDirectory(atPath: folder + "/m", withIntermediateDirectories: true)
    func writeAll(games: Int) throws {
      for command in [
        ["export", run, "-o", folder + "/m/model.safetensors", "--force"], ["models", "card", folder + "/m"],
        ["plot", run, "-o", folder + "/m/curve.svg"], ["site", "--model", run, "-o", folder + "/site"],
        ["autoplay", run, "--plies", "1", "--record", folder + "/m/game.txt"],
        ["train", "--resume", other, "--games", "\(games)"],
      ] {
        let result = try Program.run(command)
        #expect(result.status == 0, "\(command): \(result)")
      }
    }
    try writeAll(games: 100)
    let paths = try files.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }.filter { !isFolder($0) }
    for path in paths { try files.setAttributes([.posixPermissions: 0o660], ofItemAtPath: path) }
    try writeAll(games: 150)
    #expect(paths.count > 15)
    for path in paths {
      #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o660, "\(path)")
    }
  }
}
