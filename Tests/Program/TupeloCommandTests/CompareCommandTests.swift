import Foundation
import TestSupport
import Testing

/// `tupelo compare` on short runs.
@Suite(.serialized) final class CompareCommandTests {
  private let folder = TemporaryFile.path("compared")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  private func trained(_ name: String, _ options: String...) throws -> String {
    let result = try Program.run(
      ["train", "--games", "200", "--set", "evaluation.games=20", "--output", folder + "/" + name] + options)
    #expect(result.status == 0, "\(result)")
    return folder + "/" + name
  }

  /// Settings are in columns, long ones on lines of their own; scores are those of the runs' own evaluations.
  @Test func settingsAndScoresFitATerminal() throws {
    let patterns = "0123 4567 89ab 0145 1256 2367 4589 569a 67ab 048c"
    let one = try trained("one", "--set", "network.patterns=0123")
    let two = try trained("two", "--set", "network.patterns=\(patterns)", "--alpha", "0.5")
    let result = try Program.run(["compare", one, two])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(result.status == 0 && lines.prefix(2) == ["A  \(one), 200 games", "B  \(two), 200 games"], "\(result)")
    #expect(lines.dropFirst(2).allSatisfy { $0.count <= 80 }, "\(result)")
    for line in [
      "setting           A                               B", "network.patterns", "  A  \"0123\"",
      "  B  \"\(patterns)\"",
      "learner.alpha     1.0                             0.5",
    ] {
      #expect(lines.contains(line[...]), "\(line)\n\(result)")
    }
    #expect(!result.output.contains("output.directory"))
    let json = try Program.run(["compare", one, two, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let score = try #require((object?["scores"] as? [[String: Any]])?.first)
    let means = try [one, two].map(ShortRun.score)
    #expect((score["values"] as? [[String: Any]])?.map { $0["score_mean"] as? Double } == means)
    #expect(score["difference"] as? Double == means[1] - means[0])
    #expect(lines.contains { $0.hasPrefix("evaluation  ") && $0.contains(" ± ") })
  }

  /// The first of three runs is the baseline; settings name the runs that share a value.
  @Test(.slow) func moreThanTwoRuns() throws {
    let one = try trained("one", "--set", "network.patterns=0123")
    let two = try trained("two", "--set", "network.patterns=0123", "--alpha", "0.5")
    let three = try trained("three", "--set", "network.patterns=0123", "--alpha", "0.25", "--seed", "2")
    let result = try Program.run(["compare", one, two, three])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(result.status == 0, "\(result)")
    #expect(lines.prefix(3) == ["A  \(one), 200 games (baseline)", "B  \(two), 200 games", "C  \(three), 200 games"])
    let settings = lines.dropFirst(3).prefix(9)
    #expect(
      settings == ["", "seed", "  A B  1", "  C  2", "learner.alpha", "  A  1.0", "  B  0.5", "  C  0.25", ""],
      "\(result)")
    #expect(lines.contains("one run each compares agents; tupelo sweep --seeds 1-5 compares settings"))
    // Each row agrees with the comparison of two runs.
    for (letter, other) in [("B", two), ("C", three)] {
      let pair = try Program.run(["compare", one, other]).output.split(separator: "\n")
      let cells = try #require(pair.first { $0.hasPrefix("evaluation  ") }).components(separatedBy: "  ")
        .filter { !$0.isEmpty }.map { $0.trimmingCharacters(in: .whitespaces) }
      let row = try #require(lines.first { $0.hasPrefix("\(letter)  evaluation") }).components(separatedBy: "  ")
        .filter { !$0.isEmpty }.map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(row == [letter, "evaluation", cells[2], cells[1], cells[3]], "\(result)")
    }
    let json = try Program.run(["compare", one, two, three, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["comparisons"] as? [Any])?.count == 2)
    // Two seeds of one setting beside another setting are groups.
    let four = try trained("four", "--set", "network.patterns=0123", "--seed", "2")
    let groups = try Program.run(["compare", one, two, four])
    #expect(groups.status == 0 && groups.output.hasPrefix("A  run__alpha=1.0, 2 runs (baseline)\n"), "\(groups)")
    #expect(groups.output.contains("\na verdict needs 5 runs of each group: train more seeds\n"), "\(groups)")
    let unknown = try Program.run(["compare", one, two, four, "--baseline", "x"])
    #expect(unknown.status == 64 && unknown.errors.hasPrefix("Error: --baseline: x is not among"), "\(unknown)")
    let alone = try Program.run(["compare", one])
    #expect(alone.status == 64 && alone.errors.hasPrefix("Error: compare is given one run: name another"), "\(alone)")
  }

  @Test func aRunIsEqualToItself() throws {
    let run = try trained("one", "--set", "network.patterns=0123")
    let result = try Program.run(["compare", run, run + "/metrics.jsonl"])
    #expect(result.status == 0 && result.output.contains("\nthe settings are the same\n"), "\(result)")
  }
}
