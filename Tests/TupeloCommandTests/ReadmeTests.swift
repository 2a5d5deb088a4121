import Foundation
import Testing
import Tupelo

/// The example of the library's README.
private func bestMove(_ hex: String, model path: String) throws -> Move? {
  var search = Expectimax(try NTupleNetwork(path: path), plies: 2)
  return search.move(on: try Board(hex: hex))
}

@Suite struct ReadmeTests {
  /// Every Swift line that a README shows stands in a test, where it compiles.
  @Test func examplesAreCompiledByTests() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    let kept = files.filter { $0.hasPrefix("Tests/") || $0.hasPrefix("Sources/") || !$0.contains("/") }
    let tested = Set(
      try kept.filter { $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") }.flatMap { try Self.lines(root, $0) })
    let readmes = kept.filter { $0.hasSuffix("README.md") }
    #expect(readmes.count >= 9)
    for readme in readmes {
      var isSwift = false
      for line in try Self.lines(root, readme) {
        if line.hasPrefix("```") {
          isSwift = line == "```swift"
        } else if isSwift, !line.isEmpty {
          let hidden = "private " + line
          #expect(tested.contains(line) || tested.contains(hidden), "\(readme): no test has the line: \(line)")
        }
      }
    }
  }

  private static func lines(_ root: URL, _ path: String) throws -> [String] {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func libraryExampleReportsAMissingModel() {
    #expect(throws: SystemError.self) { try bestMove("1200000000000000", model: "missing.safetensors") }
  }
}
