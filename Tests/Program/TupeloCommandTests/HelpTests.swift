import Foundation
import TestSupport
import Testing

/// The help of every command fits a terminal of 80 columns and ends with one example, which works in a clean clone.
@Suite(.serialized) struct HelpTests {
  /// The name of a command, and the lines of its help at 80 columns.
  private struct Help {
    let name: String
    let lines: [String]

    init(_ name: String) throws {
      self.name = name
      let result = try Program.run(["help"] + name.split(separator: " ").map(String.init))
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
      lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The text before the usage line.
    var overview: [String] { Array(lines.prefix { !$0.hasPrefix("USAGE:") }) }

    /// The lines of the example, without their indentation.
    var example: [String] {
      overview.drop { $0 != "Example:" }.dropFirst().filter { !$0.isEmpty }.map { String($0.dropFirst(2)) }
    }
  }

  /// The help of the program, of its commands and of their subcommands.
  private static func all() throws -> [Help] {
    let main = try Help("")
    let list = main.lines.drop { !$0.hasSuffix("SUBCOMMANDS:") }
    let lines = list.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
    let words: [String] = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    let names = words.filter { $0 != "See" }
    #expect(names.count > 20)
    let subcommands: [String] = ["models list", "models verify", "models card"]
    return [main] + (try (names + subcommands).map(Help.init))
  }

  @Test(.slow) func everyHelpFitsATerminalAndEndsWithOneExample() throws {
    for help in try Self.all() {
      for line in help.lines { #expect(line.count <= 80, "\(help.name): \(line)") }
      #expect(help.overview.count { $0 == "Example:" } == 1, "\(help.name)")
      #expect(help.overview.first?.wholeMatch(of: /OVERVIEW: [A-Z][a-z]+s[ ,].*/) != nil, "\(help.overview)")
      let commands = help.overview.filter { $0.hasPrefix("  tupelo ") }
      #expect(!help.example.isEmpty && commands.allSatisfy { help.example.contains(String($0.dropFirst(2))) })
      // A line of the source is one line on the terminal.
      let wide = try Program.shell("COLUMNS=1000 '\(Program.path)' help \(help.name)").output
      for line in help.example { #expect(wide.contains("\n  \(line)\n"), "\(help.name): \(line)") }
    }
  }

  /// Each example is run in a folder of its own with the models and configurations of the repository, as in a clone.
  @Test(.slow) func everyExampleWorksInACleanClone() throws {
    for help in try Self.all() where help.name != "serve" {
      let folder = TemporaryFile.path("help")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { TemporaryFile.remove(folder) }
      for name in ["models", "configs"] {
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/" + name, withDestinationPath: Repository.file(name))
      }
      // A short training takes the place of the long one.
      let lines = help.example.map { $0.replacing("train quickstart", with: "train quickstart --games 500") }
      let path = Program.quoted((Program.path as NSString).deletingLastPathComponent)
      let result = try Program.shell(
        "set -e; unset TUPELO_MODEL; PATH=\(path):$PATH; cd \(Program.quoted(folder))\n" + lines.joined(separator: "\n")
      )
      #expect(result.status == 0 && !result.output.isEmpty, "\(help.name): \(result)")
      #expect(!result.errors.contains("Error"), "\(help.name): \(result)")
    }
  }

  @Test func commandsStandInGroups() throws {
    let titles = try Help("").lines.filter { $0.hasSuffix(" SUBCOMMANDS:") }.map { $0.dropLast(" SUBCOMMANDS:".count) }
    #expect(titles == ["TRAIN", "MEASURE", "PLAY", "MODEL", "RESEARCH"])
  }

  /// Shells complete the keys of settings.
  @Test(arguments: ["bash", "zsh", "fish"]) func scriptsForShellsHaveTheKeys(_ shell: String) throws {
    let script = try Program.run(["--generate-completion-script", shell])
    #expect(script.status == 0 && script.output.contains("learner.alpha="), "\(script.errors)")
  }

  @Test func theExampleOfServeListens() throws {
    let words = try #require(try Help("serve").example.last).split(separator: " ").map(String.init)
    #expect(words.first == "tupelo")
    let arguments = words.dropFirst().map { $0.hasPrefix("models/") ? Repository.file($0) : $0 } + ["--port", "0"]
    let server = try RunningProgram(Array(arguments))
    #expect(Int(try server.value(after: "listening on http://127.0.0.1:", upTo: "/")) != nil)
    #expect(server.interrupt().status == 0)
  }

  /// The help of `train` names the keys of further settings, which the program can show.
  @Test func helpLeadsOnInTheProgramItself() throws {
    let text = try Help("train").overview.joined(separator: " ")
    #expect(text.contains("--help-config training.replicas"), "\(text)")
    let keys = try Program.run(["train", "--help-config", "training.replicas"])
    #expect(keys.output.contains("mpirun"), "\(keys)")
  }
}
