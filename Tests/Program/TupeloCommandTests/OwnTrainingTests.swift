import Foundation
import TestSupport
import Testing
import TupeloNetwork
import TupeloRuns
import TupeloTraining

/// A program with trainings of its own (Tests/OwnProgram), and what `tupelo` makes of its runs.
@Suite(.serialized) final class OwnTrainingTests {
  private let folder = TemporaryFile.path("own")
  private let program = Program.file("OwnProgram")
  private let rule = ["--set", "own.training=adaptive-response", "--games", "400", "--set", "evaluation.games=20"]

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  private func own(_ arguments: [String]) throws -> Program.Result { try Program.run(arguments, of: program) }

  private func train(_ name: String, _ more: [String]) throws -> Program.Result {
    try own(["train", "--set", "network.patterns=0123 4567", "--output", folder + "/" + name] + more)
  }

  @Test func aRuleOfOnesOwnHasARunLikeOurs() throws {
    let run = folder + "/run"
    let trained = try train("run", rule + ["--set", "own.window=50"])
    #expect(trained.status == 0, "\(trained)")
    #expect(trained.output.contains("AdaptiveResponse, alpha 1.0"), "\(trained)")
    #expect(trained.output.contains("watch it play:  OwnProgram autoplay \(run)\n"), "\(trained)")
    let configuration = try String(contentsOf: URL(fileURLWithPath: run + "/config.yaml"), encoding: .utf8)
    #expect(configuration.contains("own:\n  rule: AdaptiveResponse\n  training: adaptive-response\n  window: 50\n"))
    let records = try MetricsFile(path: run + "/metrics.jsonl").records
    let rate = try #require(records.compactMap { $0.values["own/mean_rate"] }.last)
    #expect((0...1).contains(rate))

    // The model is one like any other, and training goes on only here.
    let evaluated = try Program.run(["evaluate", run, "--games", "5"])
    #expect(evaluated.status == 0, "\(evaluated)")
    let list = try Program.run(["runs", folder, "--csv", "--all-keys"])
    #expect(list.output.contains("own.window") && list.output.contains("AdaptiveResponse"), "\(list)")
    let plotted = try Program.run(["plot", run, "--metric", "own/mean_rate", "-o", folder + "/rate.svg"])
    #expect(plotted.status == 0, "\(plotted)")
    let listed = try Program.run(["plot", "--list-metrics", run])
    #expect(
      listed.status == 0
        && listed.output.hasSuffix("\nown/mean_rate\n    a number that the program of the run defines\n"))
    #expect(try !Program.run(["plot", "--list-metrics"]).output.contains("own/"))
    let refused = try Program.run(["train", "--resume", run, "--games", "+10"])
    #expect(refused.status == 1 && refused.errors.contains("the rule AdaptiveResponse"), "\(refused)")
    let unnamed = try own(["train", "--resume", run, "--games", "+10", "--set", "own.training=null"])
    #expect(unnamed.status == 64 && unnamed.errors.contains("own.training is not set: give adaptive-response or cells"))
    #expect(!unnamed.errors.contains("leave"), "\(unnamed)")
    let resumed = try own(["train", "--resume", run, "--games", "500", "--set", "evaluation.games=0"])
    #expect(resumed.status == 0 && resumed.output.contains("after 400 games"), "\(resumed)")

    // A resumed run ends as one that was not interrupted.
    #expect(try train("whole", rule + ["--set", "own.window=50", "--games", "500"]).status == 0)
    let identities = try [run, folder + "/whole"].map { try TrainedModel(path: $0).identity }
    #expect(identities[0] == identities[1])
  }

  /// The commands in texts of the package start the program that prints them.
  @Test func theTextsNameTheProgram() throws {
    let help = try own(["train", "--help"])
    #expect(help.output.contains("USAGE: OwnProgram train [") && !help.output.contains("tupelo train"), "\(help)")
    let overview = try own([])
    #expect(overview.output.contains("OwnProgram help COMMAND explains"), "\(overview)")
    let late = try train("late", rule + ["--minutes", "0.0001", "--games", "10000000"])
    #expect(late.output.contains("; resume with: OwnProgram train --resume \(folder)/late\n"), "\(late)")
  }

  @Test func anEncoderOfOnesOwnIsEvaluated() throws {
    let trained = try train(
      "cells",
      ["--set", "own.training=cells", "--games", "200", "--set", "evaluation.games=20"])
    // The network is not that of the encoder.
    #expect(trained.status == 1 && trained.errors.contains("network.patterns"), "\(trained)")
    let run = folder + "/encoder"
    let right = try own([
      "train", "--set", "own.training=cells", "--games", "200", "--set", "evaluation.games=20", "--output", run,
    ])
    #expect(right.status == 0, "\(right)")
    let evaluation = try String(contentsOf: URL(fileURLWithPath: run + "/evaluation.json"), encoding: .utf8)
    #expect(evaluation.contains("\"greedy\""))
    let foreign = try Program.run(["evaluate", run, "--games", "5"])
    #expect(foreign.status == 1 && foreign.errors.contains("the encoder Cells"), "\(foreign)")
  }

  @Test func aSweepTrainsWithTheRule() throws {
    let swept = try own([
      "sweep", "--vary", "own.window=20,200", "--seeds", "1-2", "--set", "network.patterns=0123",
      "--output", folder + "/sweep", "--set", "own.training=adaptive-response", "--set", "training.games=100",
      "--set", "evaluation.games=10",
    ])
    #expect(swept.status == 0, "\(swept)")
    #expect(swept.output.contains("window=20") && swept.output.contains("window=200"), "\(swept)")
  }

  /// A training that no variant, or not every variant, has is known before the first run starts.
  @Test(arguments: [
    (
      "own.training=adaptive-response,adaptive", "own.window=3",
      "adaptive: own.training \"adaptive\": this program has no"
    ),
    ("own.training=adaptive-response,null", "own.window=3", "training=null: own.training is not set: give adaptive-"),
    ("own.window=20,200", "own.rate=1", "window=20: own.training is not set: give adaptive-response or cells"),
  ])
  func aSweepChecksEveryTrainingFirst(_ vary: String, _ setting: String, _ text: String) throws {
    let sweep = [
      "sweep", "--vary", vary, "--set", setting, "--set", "network.patterns=0123", "--output", folder + "/sweep",
      "--games", "10", "--set", "evaluation.games=10",
    ]
    let result = try own(sweep)
    #expect(result.status == 64 && result.errors.contains(text), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1 && result.output.isEmpty, "\(result)")
    let foreign = try Program.run(sweep)
    #expect(foreign.status == 1 && foreign.errors.contains("which this program does not have"), "\(foreign)")
    #expect(!FileManager.default.fileExists(atPath: folder + "/sweep"))
  }

  /// Only the training knows its settings, so each run fails, and the same command would fail again.
  @Test func aSweepDoesNotAdviseTheSameMistake() throws {
    let result = try own([
      "sweep", "--vary", "own.windw=20,200", "--set", "own.training=adaptive-response", "--set",
      "network.patterns=0123", "--output", folder + "/sweep", "--games", "10", "--set", "evaluation.games=10",
    ])
    #expect(result.status == 1 && result.output.contains("own.windw: the program that trains the run"), "\(result)")
    #expect(result.errors.contains("2 of 2 runs failed (see above), 2 of them before the first games"), "\(result)")
    #expect(!result.errors.contains("same command"), "\(result)")
  }

  @Test(arguments: [
    (["own.training=adaptive"], "this program has no such training: give adaptive-response or cells"),
    (["own.training=adaptive-response", "own.windw=3"], "own.windw: the program that trains the run reads no such"),
    (["own.training=adaptive-response", "own.window=wide"], "own.window: wide is not allowed"),
    (["own.training=adaptive-response", "learner.step_size=constant"], "learner.step_size"),
    (["own.window=3"], "own.training is not set: give adaptive-response or cells, or leave own.window out"),
    (["own.Window=3"], "unknown key"),
  ])
  func mistakesAreOneLine(_ settings: [String], _ text: String) throws {
    let result = try train("wrong", settings.flatMap { ["--set", $0] } + ["--games", "10"])
    #expect(result.status != 0 && result.errors.contains(text), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(!FileManager.default.fileExists(atPath: folder + "/wrong"))
  }

  @Test func tupeloDoesNotTrainIt() throws {
    let result = try Program.run(["train", "--set", "own.window=3", "--games", "10", "--output", folder + "/none"])
    #expect(result.status == 1 && result.errors.contains("the setting own.window"), "\(result)")
    let shown = try Program.run(["train", "--set", "own.window=3", "--dry-run"])
    #expect(shown.output.contains("own:\n  window: 3"), "\(shown)")
  }
}
