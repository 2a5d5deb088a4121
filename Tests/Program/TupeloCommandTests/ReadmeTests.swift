import TestSupport
import Testing

@Suite struct ReadmeTests {
  /// The README shows what the quickstart prints: its heading and the first line of its curve, but for the speed.
  @Test func theQuickstartPrintsWhatTheReadmeShows() throws {
    let folder = TemporaryFile.path("quickstart")
    defer { TemporaryFile.remove(folder) }
    let result = try Program.run([
      "train", "--config", Repository.file("configs/quickstart.yaml"), "--games", "1000", "--set", "evaluation.games=0",
      "--output", folder,
    ])
    let printed = result.output.split(separator: "\n").prefix(2).map { $0.split(separator: " moves/s=")[0] }
    #expect(printed.count == 2 && printed[1].hasPrefix("games=1000 average="), "\(result)")
    let readme = try Repository.text(of: "README.md").split(separator: "\n")
    for line in printed { #expect(readme.contains { $0.hasPrefix(line) }, "the README does not show: \(line)") }
  }
}
