import TestSupport
import Testing

@Suite struct CommandReadmeTests {
  /// The README and the first tutorial show the output of the quickstart: its heading and the first line of its curve,
  /// except for the speed.
  @Test func theQuickstartPrintsWhatTheReadmeShows() throws {
    let folder = TemporaryFile.path("quickstart")
    defer { TemporaryFile.remove(folder) }
    let result = try Program.run([
      "train", "--config", Repository.file("configs/quickstart.yaml"), "--games", "1000", "--set", "evaluation.games=0",
      "--output", folder,
    ])
    let printed = result.output.split(separator: "\n").prefix(2).map { $0.split(separator: " moves/s=")[0] }
    #expect(printed.count == 2 && printed[1].hasPrefix("games=1000 average="), "\(result)")
    for document in ["README.md", "Sources/Core/Tupelo/Tupelo.docc/FirstAgent.md"] {
      let shown = try Repository.text(of: document).split(separator: "\n")
      for line in printed { #expect(shown.contains { $0.hasPrefix(line) }, "\(document) does not show: \(line)") }
    }
  }

  /// The first tutorial shows the output of its 3,000 games, except for speeds and times.
  @Test(.slow) func theFirstTutorialShowsItsOwnRun() throws {
    let folder = TemporaryFile.path("first")
    defer { TemporaryFile.remove(folder) }
    let result = try Program.run([
      "train", "--config", Repository.file("configs/quickstart.yaml"), "--games", "3000", "--output", folder,
    ])
    let article = try Repository.text(of: "Sources/Core/Tupelo/Tupelo.docc/FirstAgent.md")
    let printed = result.output.split(separator: "\n").map { String($0.split(separator: " moves/s=")[0]) }
    let told = printed.filter { line in
      ["games", "average score", "median / max", "reached 2048"].contains { line.hasPrefix($0) }
    }
    #expect(told.count == 7, "\(result)")
    for line in told { #expect(article.contains("\n" + line), "the article does not show: \(line)") }
  }

  /// The changelog, the Python package and the documents name the version that the program prints.
  @Test func oneVersionStandsEverywhere() throws {
    let printed = try Program.run(["--version"]).output
    let version = String(printed.prefix { $0 != " " && $0 != "\n" })
    let changelog = try Repository.text(of: "CHANGELOG.md").split(separator: "\n")
    let section = changelog.first { $0.hasPrefix("## ") }.map { String($0) }
    #expect(section == "## \(version)")
    let project = try Repository.text(of: "Sources/Python/pyproject.toml")
    #expect(project.contains("\nversion = \"\(version)\""))
    // A dependency from a version resolves only once the repository has its tag. Without traits, no package is fetched
    // for the program.
    for page in ["README.md", "Sources/Core/Tupelo/README.md", "Sources/Core/Tupelo/Tupelo.docc/AgentInAnApp.md"] {
      let text = try Repository.text(of: page)
      #expect(text.contains("dependencies: [.package(url: \"REPOSITORY\", branch: \"main\", traits: [])],"), "\(page)")
    }
  }
}
