import Foundation
import TestSupport
import Testing
import TupeloTraining

/// `output.on_checkpoint`: the command that a run calls after each checkpoint.
@Suite(.serialized) final class HookTests {
  private let folder: String
  private var run: String { folder + "/run" }

  init() throws {
    folder = TemporaryFile.path("hook")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private func train(_ command: String, games: String = "60", _ more: String...) throws -> Program.Result {
    try Program.run(
      [
        "train", "--set", "network.patterns=0123", "--set", "evaluation.games=0", "--set", "output.checkpoint_games=20",
        "--games", games, "--output", run, "--set",
        "output.on_checkpoint=\(command)",
      ] + more)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }

  private func games() throws -> Int { try Checkpoint(path: run + "/checkpoint.safetensors").games }

  /// The command is called once for each checkpoint, also for the last one, and gets the score once there is one.
  @Test func eachCheckpointIsTold() throws {
    let command =
      #"echo "$TUPELO_GAMES $TUPELO_SCORE_GAMES ${TUPELO_SCORE:-none}" >> "$TUPELO_RUN/../told.txt"; "#
      + #"test "$TUPELO_CHECKPOINT" = "$TUPELO_RUN/checkpoint.safetensors" || exit 9"#
    let result = try train(
      command, games: "70", "--set", "evaluation.every_games=40", "--set", "evaluation.interim_games=5")
    #expect(result.status == 0 && !result.errors.contains("on_checkpoint"), "\(result)")
    let lines = try text("told.txt").split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map { $0[0] } == ["20", "40", "60", "70"], "\(lines)")
    #expect(lines.map { $0.count == 3 ? $0[1] : "" } == ["", "40", "40", "40"], "\(lines)")
    // The progress line prints the same score, rounded.
    let told = try #require(result.output.firstMatch(of: /evaluation games=40 average=(\d+)/)?.1)
    #expect(lines[3].last.flatMap { Double($0) }.map { "\(Int($0.rounded()))" } == String(told))
  }

  /// A failure of the command is a warning with the exit status or the signal, and training continues.
  @Test(
    .slow,
    arguments: [
      ("exit 3", "exit status 3"), ("kill -TERM $$", "signal 15"), ("no-such-program-here", "exit status 127"),
    ])
  func aFailureIsTold(command: String, ending: String) throws {
    let result = try train(command)
    let warnings = result.errors.split(separator: "\n").filter { $0.hasPrefix("warning: output.on_checkpoint: ") }
    let expected = "warning: output.on_checkpoint: '\(command)' ended with \(ending): training continues"
    #expect(result.status == 0 && warnings.count == 3 && warnings.allSatisfy { $0 == expected }, "\(result)")
    #expect(try games() == 60)
  }

  /// The output of the command does not appear among the lines of the training.
  @Test func outputGoesToStandardError() throws {
    let result = try train("echo a line; cat")
    #expect(result.errors.split(separator: "\n").count { $0 == "a line" } == 3, "\(result)")
    #expect(!result.output.contains("a line"))
  }

  /// The command stops training early: the run is saved and evaluated, and its exit status is 0.
  @Test func theCommandCanStopTraining() throws {
    let result = try train("test $TUPELO_GAMES -lt 40 || exit 77", "--set", "evaluation.games=5")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(
      result.output.contains(
        "stopped after 40 of 60 games: the command of output.on_checkpoint ended with exit status 77; resume with: "
          + "tupelo train --resume \(run)\n"), "\(result)")
    #expect(try games() == 40 && result.output.contains("\nevaluation at 1-ply"))
    #expect(FileManager.default.fileExists(atPath: run + "/evaluation.json"))
    // The command is not called when the run is resumed, unless the user gives it again.
    let resumed = try Program.run(["train", "--resume", run])
    let warning = resumed.errors.split(separator: "\n").first ?? ""
    #expect(
      warning.hasPrefix("warning: the run called a command after each checkpoint, and does not call"), "\(resumed)")
    #expect(warning.hasSuffix("--set 'output.on_checkpoint=test $TUPELO_GAMES -lt 40 || exit 77'"), "\(resumed)")
    #expect(try resumed.status == 0 && games() == 60)
    let again = try Program.run([
      "train", "--resume", run, "--games", "100", "--set", "output.on_checkpoint=exit 77",
    ])
    #expect(again.output.contains("stopped after 80 of 100 games") && !again.errors.contains("warning"), "\(again)")
  }

  /// A training that the command starts has the defaults: none of the variables is a setting, and that training does
  /// not call the command.
  @Test func aTrainingWithinIsNotDisturbed() throws {
    let inner = ["train", "--set", "network.patterns=01", "--games", "1", "--set", "evaluation.games=0", "--output"]
    let words = ([Program.path] + inner).map(Program.quoted).joined(separator: " ")
    let outer = [
      "train", "--set", "network.patterns=0123", "--games", "20", "--output", run, "--set", "evaluation.games=0",
      "--set",
      "evaluation.every_games=10", "--set", "evaluation.interim_games=5",
    ].map(Program.quoted).joined(separator: " ")
    let command = "env | grep ^TUPELO_ | sort > \(folder)/variables; \(words) \(folder)/inner"
    let quoted = "'" + command.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    let result = try Program.shell("TUPELO_OUTPUT_ON_CHECKPOINT=\(quoted) \(Program.quoted(Program.path)) \(outer)")
    #expect(result.status == 0 && !result.errors.contains("warning"), "\(result)")
    #expect(try Program.run(inner + [folder + "/alone"]).status == 0)
    func settings(_ name: String) throws -> [Substring] {
      try text(name + "/config.yaml").split(separator: "\n").filter { !$0.contains("directory:") }
    }
    #expect(try settings("inner") == settings("alone"))
    let variables = try text("variables").split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
    #expect(
      Set(variables) == [
        "TUPELO_CHECKPOINT", "TUPELO_GAMES", "TUPELO_MODEL", "TUPELO_RUN", "TUPELO_SCORE", "TUPELO_SCORE_GAMES",
      ])
    let environment = Dictionary(uniqueKeysWithValues: variables.map { ($0, "no value of any key") })
    let loaded = try RunConfiguration.load(file: nil, environment: environment, overrides: [])
    #expect(loaded == RunConfiguration())
  }

  /// A sweep gives the command of a run again when it resumes that run.
  @Test func aSweepSaysItAgain() throws {
    let sweep = [
      "sweep", "--set", "network.patterns=01", "--set", "training.games=20", "--set", "evaluation.games=5", "--set",
      "output.on_checkpoint=echo $TUPELO_GAMES >> \(folder)/told", "--output", folder + "/sweep",
    ]
    #expect(try Program.run(sweep).status == 0)
    #expect(try text("told") == "20\n")
    try FileManager.default.removeItem(atPath: folder + "/sweep/run__seed=1/evaluation.json")
    let list = try Program.run(sweep + ["--dry-run"])
    #expect(
      list.output.hasSuffix(
        " train --resume \(folder)/sweep/run__seed=1 --set "
          + "'output.on_checkpoint=echo $TUPELO_GAMES >> \(folder)/told'\n"
      ),
      "\(list)")
    let again = try Program.run(sweep)
    #expect(again.status == 0 && !again.output.contains("the run called a command"), "\(again)")
  }
}
