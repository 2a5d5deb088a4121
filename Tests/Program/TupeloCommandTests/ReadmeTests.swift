import Foundation
import TestSupport
import Testing

@Suite struct ReadmeTests {
  /// Every Swift line that a README shows stands in a test, where it compiles.
  @Test func examplesAreCompiledByTests() throws {
    let files = FileManager.default.enumerator(atPath: Repository.path)?.compactMap { $0 as? String } ?? []
    let kept = files.filter { $0.hasPrefix("Tests/") || $0.hasPrefix("Sources/") || !$0.contains("/") }
    let tested = Set(
      try kept.filter { $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") }.flatMap(Self.lines))
    let readmes = kept.filter { $0.hasSuffix("README.md") }
    #expect(readmes.count >= 9)
    for readme in readmes {
      var isSwift = false
      for line in try Self.lines(of: readme) {
        if line.hasPrefix("```") {
          isSwift = line == "```swift"
        } else if isSwift, !line.isEmpty {
          let hidden = "private " + line
          #expect(tested.contains(line) || tested.contains(hidden), "\(readme): no test has the line: \(line)")
        }
      }
    }
  }

  private static func lines(of path: String) throws -> [String] {
    try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

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
    let readme = try Self.lines(of: "README.md")
    for line in printed { #expect(readme.contains { $0.hasPrefix(line) }, "the README does not show: \(line)") }
  }
}
