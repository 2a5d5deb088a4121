import Foundation
import Safetensors
import TestSupport
import Testing

/// Output of commands about the files of a run.
@Suite(.serialized) final class RunFilesTests {
  private let folder = TemporaryFile.path("files")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  /// The file of the best model contains its score, and two such files are distinguished.
  @Test func theBestModelTellsItsScore() throws {
    let run = try ShortRun.train(folder + "/a")
    let best = run + "/best.safetensors"
    let metadata = try SafetensorsFile(path: best).metadata
    let mean = try #require(metadata["tupelo.best.score_mean"].flatMap { Double($0) })
    let low = try #require(metadata["tupelo.best.score_low"].flatMap { Double($0) })
    let (games, trained) = (metadata["tupelo.best.evaluation_games"], metadata["tupelo.games"])
    let text = try Program.run(["inspect", best])
    let line = try #require(text.output.split(separator: "\n").first { $0.hasPrefix("best of run  ") })
    let (score, margin) = (ShortRun.grouped(mean), ShortRun.grouped(mean - low))
    #expect(
      line == "best of run  \(score) ± \(margin) in \(games ?? "") games, after \(trained ?? "") games of training")
    let json =
      try JSONSerialization.jsonObject(
        with: Data(try Program.run(["inspect", best, "--json"]).output.utf8)) as? [String: Any]
    let facts = try #require(json?["best"] as? [String: Any])
    #expect(facts["score_mean"] as? Double == mean && facts["score_low"] as? Double == low)
    #expect(facts["evaluation_games"] as? Int == games.flatMap { Int($0) })
    let list = try Program.run(["models", "list", folder])
    #expect(list.status == 0 && list.output.contains("\n  \(line.replacing("best of run  ", with: "best of run: "))"))
    #expect(try !Program.run(["inspect", run]).output.contains("best of run"))
    let title = try Program.run(["evaluate", best, "--games", "2"]).output
    #expect(title.hasPrefix("a/best.safetensors, "), "\(title)")
  }

  /// A run that was resumed, and stopped before its new evaluation, is evaluated when it is resumed again: the
  /// evaluation of the earlier session belongs to another network.
  @Test(.slow) func anEvaluationOfAnEarlierSessionIsNotThatOfThisOne() throws {
    let run = try ShortRun.train(folder + "/went-on")
    let old = try Data(contentsOf: URL(fileURLWithPath: run + "/evaluation.json"))
    let whole = try Program.run(["train", "--resume", run, "--games", "300"])
    #expect(whole.status == 0, "\(whole)")
    let new = try ShortRun.score(of: run)
    try old.write(to: URL(fileURLWithPath: run + "/evaluation.json"))
    let metrics = run + "/metrics.jsonl"
    let lines = try String(contentsOfFile: metrics, encoding: .utf8).split(separator: "\n")
    #expect(lines.last?.contains("final/score_mean") == true)
    try Data(lines.dropLast().map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: metrics))
    let again = try Program.run(["train", "--resume", run])
    #expect(again.status == 0 && again.output.contains("\nevaluation at 1-ply"), "\(again)")
    #expect(try ShortRun.score(of: run) == new)
    // A further resume does not evaluate again.
    #expect(try !Program.run(["train", "--resume", run]).output.contains("\nevaluation at"))
  }

  #if os(Linux)
  /// A file that is still mapped keeps its place on the disk, although the run has replaced it.
  @Test func aResumedRunLeavesTheFileThatItWasReadFrom() throws {
    let run = try ShortRun.train(folder + "/mapped")
    let running = try RunningProgram([
      "train", "--resume", run, "--games", "10M", "--set", "evaluation.every_games=0", "--set", "evaluation.games=0",
      "--set", "training.report_games=10",
    ])
    _ = try running.value(after: "\ngames=", upTo: " ")
    let maps = try #require(running.text(ofFile: "maps"))
    #expect(maps.contains("libc") && !maps.contains("checkpoint"), "\(maps)")
    _ = running.interrupt()
  }
  #endif

  /// `inspect` describes the contents of any file, and its status shows a script that the model cannot be played.
  @Test func inspectFailsForAModelThatCannotBePlayed() throws {
    let path = folder + "/model.safetensors"
    try RandomModel.save(to: path, seed: 1)
    for options in [[], ["--json"]] {
      let sound = try Program.run(["inspect", path] + options)
      #expect(sound.status == 0, "\(sound)")
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let header = bytes.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    bytes.replaceSubrange(8 + header..<12 + header, with: [0, 0, 0xc0, 0x7f])
    try bytes.write(to: URL(fileURLWithPath: path))
    let text = try Program.run(["inspect", path])
    #expect(text.status == 1 && text.errors.isEmpty, "\(text)")
    #expect(text.output.contains("\nmodel        cannot be played with: ") && text.output.contains("\ntensors\n"))
    let json = try Program.run(["inspect", path, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(json.status == 1 && json.errors.isEmpty && object?["problem"] is String && object?["model"] == nil)
  }
}
