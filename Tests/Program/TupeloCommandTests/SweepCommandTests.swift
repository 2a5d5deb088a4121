import Foundation
import TestSupport
import Testing
import TupeloTraining

/// `tupelo sweep`, run as a process that runs others.
@Suite(.serialized) final class SweepCommandTests {
  private let folder = TemporaryFile.path("sweeps")
  private var output: String { folder + "/out" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, patterns) in [("one", "012 345"), ("two", "0123")] {
      try write(
        """
        rules:
          rows: 2
          columns: 3
        network:
          patterns: "\(patterns)"
        training:
          games: 200
        evaluation:
          games: 20

        """, to: name + ".yaml")
    }
  }

  deinit { TemporaryFile.remove(folder) }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  private func sweep(_ more: String...) throws -> Program.Result {
    try Program.run(
      ["sweep", "--config", folder + "/one.yaml", folder + "/two.yaml", "--seeds", "1-2", "--output", output] + more)
  }

  /// The program warns once of settings without effect, before the runs; standard output has the commands alone.
  @Test func warningsComeBeforeTheRuns() throws {
    let result = try sweep("--set", "learner.lambda=0.5", "--set", "learner.steps=1", "--dry-run")
    let trained = try Program.run([
      "train", "--config", folder + "/one.yaml", "--set", "learner.lambda=0.5", "--set", "learner.steps=1", "--games",
      "1", "--output", folder + "/alone",
    ])
    let warning = try #require(trained.errors.split(separator: "\n").first { $0.hasPrefix("warning: ") })
    #expect(result.errors.split(separator: "\n").filter { $0 == warning }.count == 1, "\(result)")
    #expect(result.status == 0 && result.output.split(separator: "\n").allSatisfy { $0.contains(" train ") })
  }

  private func summary() throws -> [String: [[String: Any]]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: output + "/summary.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]])
  }

  private static let names = ["one__seed=1", "two__seed=1", "one__seed=2", "two__seed=2"]

  @Test(.slow) func trainsAllAndComparesThem() throws {
    let result = try sweep("--jobs", "2")
    #expect(result.status == 0, "\(result)")
    for name in Self.names {
      #expect(result.output.contains("started: \(name)\n") && result.output.contains("finished: \(name): "))
      for file in ["checkpoint.safetensors", "config.yaml", "evaluation.json", "train.log"] {
        #expect(FileManager.default.fileExists(atPath: "\(output)/\(name)/\(file)"), "\(name)/\(file)")
      }
      // Two runs at a time share the cores for their evaluations.
      let own = try Checkpoint(path: "\(output)/\(name)/checkpoint.safetensors").configuration.evaluation.threads
      #expect(own == max(RunConfiguration().evaluation.threads / 2, 1))
    }
    // A run of a sweep equals the run that `train` makes.
    let alone = folder + "/alone"
    _ = try Program.run(["train", "--config", folder + "/two.yaml", "--seed", "2", "--output", alone])
    let scores = try Self.names.map { try ShortRun.score(of: output + "/" + $0) }
    #expect(try ShortRun.score(of: alone) == scores[3])
    let summary = try self.summary()
    #expect(summary["runs"]?.map { $0["name"] as? String } == Self.names)
    #expect(summary["runs"]?.map { $0["score_mean"] as? Double } == scores)
    let mean = (scores[0] + scores[2]) / 2
    #expect(abs((summary["variants"]?[0]["score_mean"] as? Double ?? 0) - mean) < 1e-9)
    #expect(result.output.contains("\nvariant  seeds  average score"))
    let groups = try Program.run(["compare", output, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(groups.output.utf8)) as? [String: Any]
    #expect((object?["groups"] as? [[String: Any]])?.map { $0["name"] as? String } == ["one", "two"], "\(groups)")

    // On a second call nothing is left to do, a run that lost its evaluation is resumed, and other settings are
    // refused.
    let again = try sweep()
    #expect(again.status == 0 && again.output.contains(", 4 finished before\n") && !again.output.contains("started: "))
    #expect(try self.summary()["runs"]?.map { $0["score_mean"] as? Double } == scores)
    try FileManager.default.removeItem(atPath: output + "/two__seed=1/evaluation.json")
    let list = try sweep("--dry-run")
    #expect(list.status == 0 && list.output.hasSuffix("/tupelo train --resume \(output)/two__seed=1\n"), "\(list)")
    let rest = try sweep()
    #expect(rest.status == 0 && rest.output.contains("resumed: two__seed=1\n"), "\(rest)")
    #expect(try self.summary()["runs"]?.map { $0["score_mean"] as? Double } == scores)
    let other = try sweep("--games", "300")
    #expect(other.status != 0 && other.errors.hasPrefix("Error: 4 problems:\n"), "\(other)")
    #expect(other.errors.split(separator: "\n").count == 5)
    #expect(other.errors.contains("one__seed=1: holds a run with training.games 200, this one has 300: "))
  }

  /// The lines of a dry run, run by a shell without the program on its PATH, do the work of the sweep.
  @Test(.slow) func dryRunPrintsCommandsThatRun() throws {
    let list = try sweep("--vary", "learner.alpha=0.5,1", "--set", "evaluation.games=5", "--dry-run")
    let lines = list.output.split(separator: "\n")
    #expect(
      list.status == 0 && lines.count == 8
        && lines.allSatisfy { $0.hasPrefix("/") && $0.contains("/tupelo train --config ") }, "\(list)")
    #expect(!FileManager.default.fileExists(atPath: output))
    let result = try Program.shell("cd /\nset -e\n" + list.output)
    #expect(result.status == 0, "\(result)")
    let whole = try sweep("--vary", "learner.alpha=0.5,1", "--set", "evaluation.games=5")
    #expect(whole.status == 0 && whole.output.contains(", 8 finished before\n"), "\(whole)")
    #expect(whole.output.contains("\none__alpha=0.5      2  "))
    // If the PATH leads to the program, its name is enough; another program of that name does not count.
    let bin = (Program.path as NSString).deletingLastPathComponent
    let question = ["sweep", "--vary", "learner.alpha=1", "--output", folder + "/new", "--dry-run"]
    let words = ([Program.path] + question).map(Program.quoted).joined(separator: " ")
    #expect(try Program.shell("PATH=\(Program.quoted(bin)):$PATH \(words)").output.hasPrefix("tupelo train "))
    let other = folder + "/bin"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try write("#!/bin/sh\n", to: "bin/tupelo")
    let line = "chmod +x \(Program.quoted(other + "/tupelo")); PATH=\(Program.quoted(other + ":" + bin)):$PATH \(words)"
    #expect(try Program.shell(line).output.hasPrefix("/"))
  }

  /// `tupelo plot` accepts the folder of a sweep for its runs, grouped by the settings that vary.
  @Test(.slow) func plotDrawsTheVariants() throws {
    let result = try sweep("--vary", "learner.alpha=0.5,1")
    #expect(result.status == 0, "\(result)")
    let (whole, parts) = (folder + "/whole.svg", folder + "/parts.svg")
    let drawn = try Program.run(["plot", output, "--group", "-o", whole])
    #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn)")
    let svg = try String(contentsOfFile: whole, encoding: .utf8)
    for name in ["one__alpha=0.5", "one__alpha=1", "two__alpha=0.5", "two__alpha=1"] {
      #expect(svg.contains(">\(name), 2 runs<"), "\(name)")
    }
    let glob = Program.quoted(output) + "/*__*"
    _ = try Program.shell("\(Program.quoted(Program.path)) plot \(glob) --group -o \(Program.quoted(parts))")
    #expect(try String(contentsOfFile: parts, encoding: .utf8) == svg)
  }

  @Test func drawsAreRepeatable() throws {
    let draw = ["--vary", "learner.alpha=0.01..1@log", "--draws", "3", "--dry-run"]
    let arguments = ["sweep", "--config", folder + "/one.yaml", "--output", output]
    let first = try Program.run(arguments + draw)
    let lines = first.output.split(separator: "\n")
    #expect(first.status == 0 && lines.count == 3, "\(first)")
    #expect(lines.allSatisfy { $0.contains(" --set learner.alpha=0.") })
    #expect(try Program.run(arguments + draw).output == first.output)
    #expect(try Program.run(arguments + draw + ["--draw-seed", "2"]).output != first.output)
    let wrong = try Program.run(arguments + ["--draws", "0", "--vary", "learner.alpha=0.1..1"])
    #expect(wrong.status == 64 && wrong.errors.hasPrefix("Error: --draws is 0: give 1 to 10000"), "\(wrong)")
  }

  /// An error in any run is reported before the first run starts.
  @Test func aBadConfigurationStopsTheSweepBeforeItStarts() throws {
    try write("learner:\n  alpa: 1\n", to: "two.yaml")
    let result = try sweep("--vary", "training.threads=1,none")
    #expect(result.status != 0 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("two.yaml:2: learner.alpa: unknown key"), "\(result)")
    #expect(result.errors.contains("--vary training.threads: 'none' is not a number"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// A run that fails is reported with its last error, and the other runs continue.
  @Test(.slow) func aFailedRunDoesNotStopTheOthers() throws {
    let blocked = output + "/two__seed=1"
    try FileManager.default.createDirectory(atPath: blocked + "/config.yaml", withIntermediateDirectories: true)
    let result = try sweep("--jobs", "1")
    #expect(result.status != 0, "\(result)")
    #expect(
      result.output.contains("FAILED: two__seed=1: exit status 1: \(blocked)/config.yaml: is there already"),
      "\(result)")
    #expect(result.output.contains("(see \(blocked)/train.log)"))
    #expect(result.errors.hasPrefix("Error: 1 of 4 runs failed"), "\(result)")
    #expect(result.output.contains("\ntwo        1/2  "), "\(result)")
    let summary = try self.summary()
    #expect(summary["runs"]?.map { $0["state"] as? String } == ["finished", "failed", "finished", "finished"])
    try FileManager.default.removeItem(atPath: blocked + "/config.yaml")
    let again = try sweep()
    #expect(again.status == 0 && again.output.contains("finished: two__seed=1: "), "\(again)")
  }

  /// A run that another process stops is saved, is reported as stopped and not as failed, and continues later.
  @Test func aRunThatOthersStopIsStopped() throws {
    let arguments = ["sweep", "--config", folder + "/one.yaml", "--output", output, "--games", "1000M", "--jobs", "1"]
    let process = try Program.start(arguments)
    let run = "\(output)/one__seed=1"
    // The run writes its heading before it takes its folder.
    for name in ["train.log", ".lock"] { try Program.wait(forFile: "\(run)/\(name)") }
    let text = try String(contentsOfFile: run + "/.lock", encoding: .utf8)
    kill(try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))), SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(try summary()["runs"]?.map { $0["state"] as? String } == ["stopped"])
    #expect(FileManager.default.fileExists(atPath: run + "/checkpoint.safetensors"))
  }

  /// SIGINT reaches the runs: they save, the sweep ends with status 0, and continues later.
  @Test func anInterruptLetsRunsSave() throws {
    let arguments = [
      "sweep", "--config", folder + "/one.yaml", folder + "/two.yaml", "--output", output, "--games", "1000M", "--jobs",
      "2", "--seeds", "1-2",
    ]
    let process = try Program.start(arguments)
    let logs = ["one__seed=1", "two__seed=1"].map { "\(output)/\($0)/train.log" }
    for log in logs { try Program.wait(forFile: log) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try summary()["runs"]?.map { $0["state"] as? String } == ["stopped", "stopped", "waiting", "waiting"])
    for log in logs {
      let text = try String(contentsOfFile: log, encoding: .utf8)
      #expect(text.contains("\nsaved ") && text.contains("resume with: tupelo train --resume "), "\(text)")
    }
    let list = try Program.run(arguments + ["--dry-run"])
    let lines = list.output.split(separator: "\n").map { $0.split(separator: " ")[2] }
    #expect(lines == ["--resume", "--resume", "--config", "--config"], "\(list)")
  }
}
