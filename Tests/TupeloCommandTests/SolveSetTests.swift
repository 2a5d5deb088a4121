import Foundation
import Testing

/// `tupelo solve --game set`.
@Suite struct SolveSetTests {
  private func object(_ arguments: [String]) throws -> [String: Any] {
    let result = try Program.run(["solve", "--game", "set"] + arguments + ["--json"])
    #expect(result.status == 0, "\(result)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  /// Every play of nine cards takes three Sets, that of 27 cards with 15 on the table all nine when played well.
  @Test func printsExactValues() throws {
    let nine = try object(["--features", "2", "--agent", "random"])
    #expect(nine["expected_sets"] as? Double == 3 && nine["table"] as? Int == 12)
    let random = try #require(nine["agent"] as? [String: Any])
    #expect(abs((random["regret"] as? Double ?? .nan)) < 1e-9 && random["mistakes"] as? Double == 0)
    let text = try Program.run(["solve", "--game", "set", "--table", "15", "--agent", "most-left(exact: never)"])
    for line in [
      "deck                    27 cards, 15 on the table", "expected Sets           9.000000",
      "perfect games           100.0000%", "agent                   most-left(exact: never)",
    ] { #expect(text.output.contains(line + "\n"), "\(text)") }
    #expect(!text.output.contains("regret                  0.000000"))
  }

  @Test(arguments: [
    ("--game set --features 4", "a deck of 81 cards has more than 10^12 positions"),
    ("--game set --agent search(count:20)", "plays games to decide"),
    ("--game set --board 3x3", "--board"), ("--game chess", "--game is 'chess'"),
    ("--board 2x2 --table 6", "--game set"), ("--json", "give --board"),
    ("--game set --agent greedy(evaluator:model) --features 1", "model"),
  ])
  func refuses(line: String, reason: String) throws {
    let result = try Program.run(["solve"] + line.split(separator: " ").map(String.init))
    #expect(result.status != 0 && result.errors.contains(reason), "\(result)")
    #expect(result.output.isEmpty)
  }
}
