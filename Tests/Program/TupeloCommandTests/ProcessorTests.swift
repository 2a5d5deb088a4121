import Foundation
import TestSupport
import Testing

/// How the program uses the processors that it may use.
@Suite(.serialized) final class ProcessorTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("processors")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private static let canBind: Bool = {
    do { return try Program.processors > 1 && Program.shell("taskset -pc $$").status == 0 } catch { return false }
  }()

  /// The program on one of the processors that the test itself may use.
  private func bound(_ words: [String]) throws -> Program.Result {
    let one = "$(taskset -pc $$ | sed 's/.*: *//; s/[,-].*//')"
    return try Program.shell("taskset -c \(one) " + ([Program.path] + words).map(Program.quoted).joined(separator: " "))
  }

  @Test(.enabled(if: canBind, "one processor, or no taskset: nothing to bind to"))
  func aBoundProcessCountsItsOwnProcessors() throws {
    let small = ["--set", "network.patterns=0123"]
    let run = folder + "/run"
    let training = try bound(
      ["train", "--games", "20", "--set", "evaluation.games=0", "--threads", "2", "--output", run] + small)
    #expect(training.status == 0, "\(training)")
    #expect(
      training.errors == "warning: training.threads is 2 on 1 core, which gains nothing\n", "\(training)")
    let configuration = try String(contentsOfFile: run + "/config.yaml", encoding: .utf8)
    let evaluation = configuration.components(separatedBy: "\nevaluation:\n").last ?? ""
    #expect(evaluation.contains("\n  threads: 1\n"), "\(configuration)")
    let sweep = try bound(
      ["sweep", "--games", "20", "--set", "evaluation.games=5", "--seeds", "1-2", "--output", folder + "/s"] + small)
    #expect(sweep.status == 0 && sweep.output.hasPrefix("2 runs in \(folder)/s, 1 at a time\n"), "\(sweep)")
  }
}
