import Foundation
import TestSupport
import Testing

/// A program that is installed outside the folder in which it was built.
@Suite(.serialized) final class InstallTests {
  private let folder = TemporaryFile.path("installed")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  /// The README's line, run in a home folder made for the test, makes a link to the program that was built.
  @Test(.slow) func theReadmesLineInstallsAProgramThatFindsItsModel() throws {
    let readme = try Repository.text(of: "README.md")
    let lines = readme.split(separator: "\n").filter { $0.hasPrefix("    ") && $0.contains("~/.local") }
    #expect(lines.count == 1 && lines.joined().contains("\"$PWD/.build/release/tupelo\""), "\(lines)")
    let line = lines.joined().replacing("\"$PWD/.build/release/tupelo\"", with: Program.quoted(Program.path))
    let home = "cd \(Program.quoted(Repository.path)) && export HOME=\(Program.quoted(folder)) && set -e\n"
    let installed = try Program.shell(home + line + "\ncommand -v tupelo")
    #expect(installed.status == 0 && installed.output == folder + "/.local/bin/tupelo\n", "\(installed)")
    try expectModels(of: folder + "/.local/bin/tupelo")
  }

  /// The folders of an archive of a release, and a link to its program.
  @Test(.slow) func anUnpackedReleaseFindsItsModel() throws {
    let program = folder + "/bin/tupelo"
    let link = folder + "/link"
    let unpacked = try Program.shell(
      """
      set -e; cd \(Program.quoted(folder)); mkdir -p bin share/tupelo
      install \(Program.quoted(Program.path)) bin/tupelo
      for name in configs models; do cp -R \(Program.quoted(Repository.path))/$name share/tupelo; done
      ln -s \(Program.quoted(program)) link
      """)
    #expect(unpacked.status == 0, "\(unpacked)")
    for path in [program, link] { try expectModels(of: path) }
    // Without that model the program takes no other one in its place.
    TemporaryFile.remove(folder + "/share/tupelo/models/medium")
    let command = Program.quoted(program)
    let bare = try Program.shell("cd / && env -u TUPELO_MODEL \(command) analyze 1200000000000000")
    #expect(bare.status == 0 && bare.output.contains("hand-written heuristic"), "\(bare)")
  }

  /// From any folder a program finds its model, and the names that help and tutorials use.
  private func expectModels(of path: String) throws {
    let program = Program.quoted(path)
    let result = try Program.shell("cd / && env -u TUPELO_MODEL \(program) analyze 1200000000000000")
    #expect(result.status == 0 && result.output.split(separator: "\n")[0].contains("medium"), "\(result)")
    let evaluation = try Program.shell("cd / && \(program) evaluate models/small --games 2")
    #expect(evaluation.status == 0 && evaluation.output.hasPrefix("small, "), "\(evaluation)")
    let settings = try Program.shell("cd / && \(program) train quickstart --dry-run")
    #expect(settings.status == 0 && settings.output.hasPrefix("name: \"quickstart\"\n"), "\(settings)")
  }

  /// When address space is short, OpenBLAS cannot start its threads, and would try for ever.
  @Test(.enabled(if: Program.limitsAddresses, "the system does not limit addresses: not tried"))
  func aSmallAddressSpaceIsEnough() throws {
    let train = [
      Program.path, "train", "--set", "network.patterns=012", "--games", "50", "--set", "evaluation.games=0",
      "--output", folder + "/run",
    ]
    let words = train.map(Program.quoted).joined(separator: " ")
    let result = try Program.shell("ulimit -v 200000; timeout -s KILL 120 \(words)")
    #expect(result.status == 0 && result.output.contains("\nsaved "), "\(result)")
  }
}
