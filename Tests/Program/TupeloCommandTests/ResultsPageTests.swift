import Foundation
import TestSupport
import Testing

/// configs/RESULTS.md agrees with the evaluations of the shipped models.
@Suite struct ResultsPageTests {
  /// An evaluation file of a model of 2048, with the fields that the table shows.
  private struct Evaluation: Decodable {
    var agent: String
    var games: Int
    var seed: Int
    var scoreMean: Double
    var scoreMargin95: Double
    var reachRates: [String: Double]

    enum CodingKeys: String, CodingKey {
      case agent, games, seed
      case scoreMean = "score_mean"
      case scoreMargin95 = "score_margin_95"
      case reachRates = "reach_rates"
    }
  }

  private static let tiles = ["2048", "4096", "8192", "16384", "32768"]

  /// The table of shipped models as it must stand on the page, made from the evaluation files.
  private static func table() throws -> [String] {
    var lines = [
      "| model | plies | games | seed | average score | \(tiles.joined(separator: " | ")) |",
      "|---|---|---|---|---|\(String(repeating: "---|", count: tiles.count))",
    ]
    for model in ["medium", "4x6", "small", "17x4", "tiny"] {
      for plies in 1...3 {
        let name = "models/\(model)/evaluation-\(plies)-ply.json"
        guard FileManager.default.fileExists(atPath: Repository.file(name)) else { continue }
        let evaluation = try JSONDecoder().decode(Evaluation.self, from: Data(Repository.text(of: name).utf8))
        #expect(evaluation.agent == "expectimax(plies: \(plies))", "\(name)")
        let score = "\(grouped(evaluation.scoreMean)) ± \(grouped(evaluation.scoreMargin95))"
        let rates = tiles.map { String(format: "%.1f%%", 100 * (evaluation.reachRates[$0] ?? 0)) }
        lines.append(
          "| `models/\(model)` | \(plies) | \(grouped(Double(evaluation.games))) | \(evaluation.seed) | \(score) | "
            + rates.joined(separator: " | ") + " |")
      }
    }
    return lines
  }

  /// A whole number with a comma between thousands.
  private static func grouped(_ value: Double) -> String {
    var digits = String(Int(value.rounded()))
    for position in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
    }
    return digits
  }

  @Test func theTableOfModelsIsWhatTheirEvaluationsSay() throws {
    let table = try Self.table()
    let page = try Repository.text(of: "configs/RESULTS.md")
    #expect(table.count > 2 + 5)
    let holds = page.contains("\n\n" + table.joined(separator: "\n") + "\n\n")
    #expect(
      holds,
      "configs/RESULTS.md must have this table under \"Shipped models\":\n\(table.joined(separator: "\n"))")
  }
}
