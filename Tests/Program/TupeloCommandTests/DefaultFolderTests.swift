import Foundation
import TestSupport
import Testing

/// Folders whose names the program makes from the time: commands that start in one second do not share them.
@Suite(.serialized) final class DefaultFolderTests {
  private let folder = TemporaryFile.path("default")

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private let settings = [
    "--set", "network.patterns=0123", "--set", "training.games=20", "--set", "evaluation.games=5",
  ]

  /// Runs commands at once in the temporary folder; their output goes to numbered files, their status is printed.
  private func together(_ commands: [[String]]) throws -> Program.Result {
    let lines = commands.enumerated().map { number, arguments in
      ([Program.path] + arguments).map(Program.quoted).joined(separator: " ") + " > \(number).txt 2>&1 & p\(number)=$!"
    }
    let waiting = commands.indices.map { "wait $p\($0); echo $?" }
    return try Program.shell((["cd \(Program.quoted(folder))"] + lines + waiting).joined(separator: "\n"))
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/" + path).sorted()
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + path) }

  @Test func trainingsAtOnceHaveFoldersOfTheirOwn() throws {
    let result = try together((0..<6).map { _ in ["train"] + settings })
    #expect(result.output == String(repeating: "0\n", count: 6), "\(result)")
    let runs = try names("runs")
    #expect(runs.count == 6 && runs.allSatisfy { $0.hasPrefix("run__1__") }, "\(runs)")
    for run in runs { #expect(exists("runs/\(run)/checkpoint.safetensors") && exists("runs/\(run)/evaluation.json")) }
  }

  @Test func sweepsAtOnceHaveFoldersOfTheirOwn() throws {
    let alphas = ["0.5", "0.25", "0.125"]
    let result = try together(alphas.map { ["sweep", "--set", "learner.alpha=\($0)"] + settings })
    #expect(result.output == "0\n0\n0\n", "\(result)")
    let sweeps = try names("runs")
    #expect(sweeps.count == 3 && sweeps.allSatisfy { $0.hasPrefix("sweep__") }, "\(sweeps)")
    let found = try sweeps.map { sweep in
      #expect(exists("runs/\(sweep)/summary.json"))
      let text = try String(contentsOfFile: folder + "/runs/\(sweep)/run__seed=1/config.yaml", encoding: .utf8)
      return try #require(text.firstMatch(of: /alpha: ([0-9.]+)/)?.1)
    }
    #expect(Set(found.map(String.init)) == Set(alphas))
  }

  /// A dry run names the folder that its commands train in, so it is claimed as well; a sweep that is refused leaves no
  /// folder.
  @Test func aDryRunClaimsAndARefusedSweepDoesNot() throws {
    let lists = try together((0..<3).map { _ in ["sweep", "--dry-run"] + settings })
    #expect(lists.output == "0\n0\n0\n", "\(lists)")
    let folders = try (0..<3).map { number in
      let text = try String(contentsOfFile: folder + "/\(number).txt", encoding: .utf8)
      return String(try #require(text.firstMatch(of: /--output (runs\/sweep__[^\/]+)\/run__seed=1\n/)?.1))
    }
    #expect(Set(folders).count == 3 && folders.allSatisfy(exists))
    let before = try names("runs")
    let refused = try together([["sweep", "--set", "learner.alpha=7"]])
    #expect(refused.output != "0\n" && refused.status == 0, "\(refused)")
    #expect(try names("runs") == before)
  }
}
