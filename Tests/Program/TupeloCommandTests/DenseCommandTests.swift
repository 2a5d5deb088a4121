import Foundation
import TestSupport
import Testing

/// `tupelo train` with dense networks that cannot be trained: clear lines, and nothing lost.
@Suite(.serialized) final class DenseCommandTests {
  private let folder = TemporaryFile.path("dense")

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private let small = [
    "train", "--set", "network.patterns=012 014", "--set", "network.dense.hidden=[16]", "--set",
    "network.dense.embedding=7", "--set", "learner.batch=8", "--set", "evaluation.games=0",
  ]

  /// A rate that is far too high stops the training. The last checkpoint before it stays, and plays.
  @Test func divergenceKeepsTheCheckpoint() throws {
    let run = folder + "/run"
    let result = try Program.run(
      small + [
        "--set", "learner.step_size=constant", "--set", "learner.alpha=0.001", "--set",
        "learner.alpha_schedule=[64=1]", "--set", "averaging.every_games=0", "--set", "output.checkpoint_games=64",
        "--set", "network.dense.hidden=[64,64]", "--games", "3000", "--output", run,
      ])
    #expect(result.status == 1 && result.errors.contains("lower learner.alpha"), "\(result)")
    let inspection = try Program.run(["inspect", run])
    #expect(inspection.status == 0 && inspection.output.contains("64 games"), "\(inspection)")
    #expect(try Program.run(["evaluate", run, "--games", "2"]).status == 0)
  }

  @Test(
    arguments: [
      (["network.dense.hidden=[0]"], "network.dense.hidden: 0 is not allowed: give a list of whole numbers from 1 to"),
      (["network.dense.hidden=[8193]"], "network.dense.hidden: 8193 is not allowed"),
      (["network.dense.embedding=0"], "network.dense.embedding: 0 is not allowed"),
      (["learner.batch=1025"], "learner.batch: 1025 is not allowed"),
      (
        ["network.patterns=0123456 789abcd", "network.dense.embedding=15", "learner.batch=1024"],
        "and batches of 1024 states need "
      ),
    ] as [([String], String)]) func refusesBadSettings(_ settings: [String], _ text: String) throws
  {
    let run = folder + "/run"
    let result = try Program.run(small + settings.flatMap { ["--set", $0] } + ["--games", "10", "--output", run])
    // The last settings are allowed, but too large for the machine.
    #expect(result.status == (settings.count == 1 ? 64 : 1) && result.errors.contains(text), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(!FileManager.default.fileExists(atPath: run + "/checkpoint.safetensors"))
  }

  /// A model with another input is refused as the start of a training run, and a run does not resume with it.
  @Test func otherInputsAreRefused() throws {
    let run = folder + "/run"
    let trained = try Program.run(small + ["--games", "32", "--output", run])
    #expect(trained.status == 0, "\(trained)")
    let checkpoint = run + "/checkpoint.safetensors"
    let before = try Data(contentsOf: URL(fileURLWithPath: checkpoint))
    for (more, text) in [
      (["--set", "network.patterns=012 015"], "is not the one to be trained"),
      (["--set", "network.dense.embedding=15"], "is not the one to be trained"),
    ] {
      let other = try Program.run(
        small + ["--set", "network.initial_model=\(run)"] + more + ["--games", "8", "--output", folder + "/other"])
      #expect(other.status == 1 && other.errors.contains(text), "\(other)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/other"))
    }
    let resumed = try Program.run(["train", "--resume", run, "--set", "network.patterns=012 015", "--games", "64"])
    #expect(resumed.status == 1 && resumed.errors.contains("network.patterns was "), "\(resumed)")
    let set = try Program.run(["evaluate", run, "--game", "set", "--games", "2"])
    #expect(set.status != 0 && !set.errors.isEmpty, "\(set)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: checkpoint)) == before)
  }
}
