import Foundation
import Safetensors
import TestSupport
import Testing
import Tupelo
import TupeloBase
import TupeloNetwork

/// `tupelo solve`.
@Suite(.serialized) final class SolveCommandTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("solve")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func model(_ shape: BoardShape, patterns: [String]) throws -> String {
    let patterns = try patterns.map { try TuplePattern(text: $0, shape: shape) }
    let network = try NTupleNetwork(try NetworkSpecification(patterns: patterns, shape: shape))
    let path = folder + "/model-\(shape).safetensors"
    try network.save(to: path)
    return path
  }

  @Test func printsExactValues() throws {
    let result = try Program.run(["solve", "--board", "2x3"])
    #expect(result.status == 0, "\(result)")
    for line in [
      "board                   2x3, a 4 with probability 0.1, 2 start tiles",
      "positions               21,752 up to symmetry",
      "expected score          480.258272", "if first tiles are 2s   480.985581",
    ] { #expect(result.output.contains(line + "\n"), "\(result)") }
    #expect(!result.output.contains("\u{1b}"))
    let json = try object(
      try Program.run(["solve", "--board", "2x2", "--four-probability", "0.5", "--start-tiles", "1", "--json"]).output)
    let solver = ExactSolver(
      rules: try Rules(shape: BoardShape(rows: 2, columns: 2), fourProbability: 0.5, startTiles: 1))
    #expect(abs((json["expected_score"] as? Double ?? .nan) - solver.startValue) < 1e-9)
    #expect(json["positions"] as? Int == solver.positions)
  }

  /// A network whose values are all zero plays for the next reward, and takes the first of equal moves.
  @Test func valuesAModel() throws {
    let shape = try BoardShape(rows: 2, columns: 3)
    let path = try model(shape, patterns: ["012"])
    let solver = ExactSolver(rules: try Rules(shape: shape))
    let result = try Program.run(["solve", "--board", "2x3", "--model", path, "--json"])
    let found = try #require(try object(result.output)["model"] as? [String: Any])
    let greedy = solver.startValue { board in
      var best: (move: Move, reward: Int)?
      for move in board.legalMoves(in: shape).moves {
        let reward = board.afterstate(of: move, in: shape)?.reward ?? 0
        if best.map({ reward > $0.reward }) ?? true { best = (move, reward) }
      }
      return best?.move
    }
    #expect(abs((found["expected_score"] as? Double ?? .nan) - greedy) < 1e-9)
    #expect(abs((found["regret"] as? Double ?? .nan) - (solver.startValue - greedy)) < 1e-9)
    let deeper = try Program.run(["solve", "--board", "2x3", "--model", path, "--plies", "2", "--json"])
    let more = try #require(try object(deeper.output)["model"] as? [String: Any])
    #expect(more["expected_score"] as? Double ?? 0 > greedy)
    let text = try Program.run(["solve", "--board", "2x3", "--model", path])
    #expect(text.output.contains("\nregret                  ") && text.output.contains(" points, "))
    // Best play has no regret. What rounding leaves of it has no sign.
    let small = try model(try BoardShape(rows: 2, columns: 2), patterns: ["01"])
    let best = try Program.run(["solve", "--board", "2x2", "--model", small, "--plies", "8"])
    #expect(best.output.contains("\nregret                  0.000000 points, 0.0000%\n"), "\(best)")
  }

  /// Version 0.1.0 could solve decks of Set, and kept solutions of boards in files. Both are refused.
  @Test(
    arguments: [
      ("--game set", "--game set: version 0.1.0 was the last that solves decks of Set"),
      ("--game=set --table 6 --agent counting", "--game set: version 0.1.0 was the last that solves decks of Set"),
      (
        "--board 2x2 --solution FILE",
        "FILE: a solution file: version 0.1.0 was the last that reads it: leave it out, and the board is solved again"
      ),
      ("--board 2x2 -o FILE", "FILE: version 0.1.0 was the last that writes solution files: leave out --output"),
    ] as [(String, String)]) func refusesWhatHasEnded(_ line: String, _ text: String) throws
  {
    let result = try Program.run(["solve"] + line.split(separator: " ").map(String.init))
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
    #expect(result.errors == "Error: \(text) (tupelo solve --help)\n", "\(result)")
  }

  /// `analyze` accepted a solution in place of a model. Now the file is refused.
  @Test(arguments: [["210100"], ["--json", "-"]]) func analyzesNoSolution(_ board: [String]) throws {
    let path = folder + "/solution.safetensors"
    let codes: [UInt32] = [1]
    try SafetensorsWriter.write(
      to: path, metadata: ["tupelo.solution": "1"],
      tensors: [TensorDescription(name: "codes", type: .u32, shape: [1])]
    ) { _, sink in try sink.write(codes.span) }
    let result = try Program.run(["analyze", path] + board, input: "210100\n")
    let refusal = "\(path): a solution file: version 0.1.0 was the last that reads it: name a model"
    #expect(result.status == 1 && result.output.isEmpty && result.errors == "Error: \(refusal)\n", "\(result)")
  }

  @Test(
    arguments: [
      (["--board", "4x4"], "a 4x4 board has about 1.5e19 positions"),
      (["--board", "4x3"], "a 4x3 board has about 1.2e12 positions, which need 19 TB of memory"),
      (["--board", "5x2"], "a board of 5x2 is not supported"),
      (["--board", "3"], "--board is 3: give rows x columns"),
      (["--board", "2x2", "--threads", "0"], "--threads is 0"),
      (["--board", "2x2", "--start-tiles", "4"], "--start-tiles is 4: give 1 to 3"),
      (["--board", "2x2", "--four-probability", "2"], "--four-probability is 2.0: give 0 to 1"),
      (["--board", "2x2", "--model", "missing.safetensors"], "missing.safetensors"),
      (["--board", "2x2", "--model", "MODEL"], "a model of 2x3 boards, not of 2x2: name another model"),
      (["--json"], "give --board with rows x columns, such as 3x3"),
    ] as [([String], String)]) func refusesBadInput(_ arguments: [String], _ fact: String) throws
  {
    let path = try model(try BoardShape(rows: 2, columns: 3), patterns: ["01"])
    let result = try Program.run(["solve"] + arguments.map { $0 == "MODEL" ? path : $0 })
    #expect(result.status != 0)
    #expect(result.errors.split(separator: "\n").first?.contains(fact) ?? false, "\(result)")
  }
}
