import Foundation
import TestSupport
import Testing

/// A program that is installed outside the folder in which it was built.
@Suite(.serialized) final class InstallTests {
  private let folder = TemporaryFile.path("installed")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  /// The commands of the README, run in a home folder made for the test. The model is found from any folder, also by a
  /// link to the program.
  @Test(.slow) func theReadmesLinesInstallAProgramThatFindsItsModel() throws {
    let readme = try Repository.text(of: "README.md")
    let lines = readme.split(separator: "\n").filter { $0.hasPrefix("    ") && $0.contains("~/.local") }
    #expect(lines.count == 4 && lines.joined().contains(".build/release/tupelo"), "\(lines)")
    let script = lines.joined(separator: "\n").replacing(".build/release/tupelo", with: Program.quoted(Program.path))
    let home = "cd \(Program.quoted(Repository.path)) && export HOME=\(Program.quoted(folder)) && set -e\n"
    let installed = try Program.shell(home + script + "\ncommand -v tupelo")
    #expect(installed.status == 0 && installed.output == folder + "/.local/bin/tupelo\n", "\(installed)")
    let program = Program.quoted(folder + "/.local/bin/tupelo")
    let link = Program.quoted(folder + "/link")
    _ = try Program.shell("ln -s \(program) \(link)")
    for name in [program, link] {
      let result = try Program.shell("cd / && env -u TUPELO_MODEL \(name) analyze 1200000000000000")
      #expect(result.status == 0 && result.output.split(separator: "\n")[0].contains("medium"), "\(result)")
    }
    // The names that help and tutorials use.
    let evaluation = try Program.shell("cd / && \(program) evaluate models/small --games 2")
    #expect(evaluation.status == 0 && evaluation.output.hasPrefix("small, "), "\(evaluation)")
    let settings = try Program.shell("cd / && \(program) train quickstart --dry-run")
    #expect(settings.status == 0 && settings.output.hasPrefix("name: \"quickstart\"\n"), "\(settings)")
    // Without that model the program takes no other one in its place.
    TemporaryFile.remove(folder + "/.local/share/tupelo/models/medium")
    let bare = try Program.shell("cd / && env -u TUPELO_MODEL \(program) analyze 1200000000000000")
    #expect(bare.status == 0 && bare.output.contains("hand-written heuristic"), "\(bare)")
  }

  /// When address space is short, OpenBLAS cannot start its threads, and would try for ever.
  @Test func aSmallAddressSpaceIsEnough() throws {
    #if os(Linux)
    let train = [
      Program.path, "train", "--set", "network.patterns=012", "--games", "50", "--set", "evaluation.games=0",
      "--output", folder + "/run",
    ]
    let words = train.map(Program.quoted).joined(separator: " ")
    let result = try Program.shell("ulimit -v 200000; timeout -s KILL 120 \(words)")
    #expect(result.status == 0 && result.output.contains("\nsaved "), "\(result)")
    #endif
  }
}
