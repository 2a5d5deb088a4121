import Foundation
import TestSupport
import Testing
import TupeloEngine

/// Formats for other programs: lines of boards, JSON, and the tensors of a model.
@Suite(.serialized) final class ScriptTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("scripts")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  /// A small run, trained for a moment.
  private func trained(_ settings: String...) throws -> String {
    let run = folder + "/run"
    let result = try Program.run(
      ["train", "--games", "100", "--set", "evaluation.games=0", "--output", run]
        + settings.flatMap { ["--set", $0] })
    #expect(result.status == 0, "\(result)")
    return run
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Each line gets the answer that its board gets alone; a bad line does not end the reading.
  @Test(.slow) func aLineOfJSONForEachBoard() throws {
    let run = try trained("network.patterns=0123 4567")
    let boards = ["1200000000000000", "2 4 8 0 0 0 0 0 0 0 0 0 0 0 0 16", "0123012301230123"]
    let input = "\(boards[0])\n\(boards[1])\r\n\nnonsense\n\(boards[2])"
    for options in [[], ["--plies", "2"], ["--agent", "montecarlo(rollouts: 20)"]] {
      let result = try Program.run(["analyze", run, "--json", "-"] + options, input: input)
      let lines = result.output.split(separator: "\n")
      #expect(result.status == 1 && lines.count == 4, "\(result)")
      #expect(result.errors == "Error: lines that are not boards: 1 of 4; the output has their \"error\"\n")
      let objects = try lines.map { try object($0) }
      #expect(objects.map { $0["line"] as? Int } == [1, 2, 4, 5])
      #expect((objects[2]["error"] as? String)?.contains("hex digits") == true && objects[2].count == 2)
      for (board, found) in zip(boards, [objects[0], objects[1], objects[3]]) {
        var alone = try object(try Program.run(["analyze", run, board, "--json"] + options).output)
        alone["line"] = found["line"]
        #expect(alone as NSDictionary == found as NSDictionary)
      }
    }
    let good = try Program.run(["analyze", "--json", "-"], input: boards[0] + "\n")
    #expect(good.status == 0 && good.errors.isEmpty && good.output.split(separator: "\n").count == 1, "\(good)")
    #expect(try Program.run(["analyze", "--json", "-"]).output.isEmpty)
    // Spreadsheets begin a file of UTF-8 with a byte order mark; in later lines the mark is an error.
    let marked = try Program.run(["analyze", "--json", "-"], input: "\u{feff}\(boards[0])\r\n")
    #expect(marked.status == 0 && marked.output == good.output, "\(marked)")
    let late = try Program.run(["analyze", "--json", "-"], input: "\(boards[0])\n\u{feff}\(boards[0])\n")
    #expect(late.status == 1 && late.output.contains("error"), "\(late)")
  }

  @Test func inspectionsAreJSON() throws {
    let run = try trained("network.patterns=0123 4567")
    let checkpoint = try object(try Program.run(["inspect", run, "--json"]).output)
    let text = try Program.run(["inspect", run]).output
    #expect(checkpoint["kind"] as? String == "checkpoint" && checkpoint["games"] as? Int == 100)
    #expect(checkpoint["network"] as? String == "4x4 shared 0123 4567" && checkpoint["weights"] as? Int == 131_072)
    for (name, key) in [("structure", "network_fingerprint"), ("model", "model")] {
      let value = try #require(checkpoint[key] as? String)
      #expect(text.contains("\n\(Program.padded(name))\(value)"), "\(key)")
    }
    let tables = try #require(checkpoint["tables"] as? [[String: Any]])
    #expect(tables.map { $0["table"] as? String } == ["0123", "4567"])
    let model = folder + "/model.safetensors"
    _ = try Program.run(["export", run, "-o", model, "--format", "f16"])
    let exported = try object(try Program.run(["inspect", model, "--json"]).output)
    #expect(exported["kind"] as? String == "model" && exported["tables"] == nil && exported["games"] == nil)
    #expect((exported["tensors"] as? [[String: Any]])?.first?["type"] as? String == "F16")
  }

  /// The Python code of the article about model files computes the values that `analyze` prints.
  @Test(
    .enabled(if: Python.hasSafetensors, "\(Python.isMissing)"), arguments: ["shared", "separate"],
    ["f32", "f16", "compact"])
  func theArticlesPythonReadsAModel(_ symmetries: String, format: String) throws {
    let article = try Repository.text(of: "Sources/Core/TupeloNetwork/TupeloNetwork.docc/ReadingInPython.md")
    let code = try #require(article.components(separatedBy: "```python\n").dropFirst().first)
    let script = try #require(code.components(separatedBy: "```").first)
    let run = try trained("network.patterns=0123 4567 0145", "network.symmetries=\(symmetries)")
    let model = folder + "/model.safetensors"
    #expect(try Program.run(["export", run, "-o", model, "--format", format]).status == 0)
    let board = try Board(hex: "1230010020013211")
    let analysis = try object(try Program.run(["analyze", model, board.hex(), "--json"]).output)
    var count = 0
    for move in try #require(analysis["moves"] as? [[String: Any]]) where move["legal"] as? Bool == true {
      let direction = try #require(Move.allCases.first { "\($0)" == move["move"] as? String })
      let afterstate = try #require(board.afterstate(of: direction)).afterstate
      let cells = (0..<16).map { "\(afterstate.exponent(at: $0))" }.joined(separator: ",")
      let call = "\nprint(float(value(numpy.array([\(cells)]).reshape(4, 4))))"
      let output = try Python.run(script.replacing("\"model.safetensors\"", with: "\"\(model)\"") + call)
      let found = try #require(Double(output.trimmingCharacters(in: .whitespacesAndNewlines)))
      let value = try #require(move["value"] as? Double) - Double(try #require(move["reward"] as? Int))
      // The sum is in single precision and in another order.
      #expect(abs(found - value) <= 1e-4 * max(abs(value), 1) && value != 0, "\(direction): \(found), \(value)")
      count += 1
    }
    #expect(count >= 2)
  }
}

extension Program {
  /// The name of a fact as `inspect` prints it.
  static func padded(_ name: String) -> String { name.padding(toLength: 13, withPad: " ", startingAt: 0) }
}
