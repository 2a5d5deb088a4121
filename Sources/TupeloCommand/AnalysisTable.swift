internal import Foundation
internal import TupeloEngine
internal import TupeloSearch

/// Prints the values of the four moves as a table for people.
enum AnalysisTable {
  static func lines(_ analysis: MoveAnalysis) -> [String] {
    let rows = Move.allCases.map { move in
      guard let candidate = analysis[move] else { return row(["\(move)", "-", "-", "illegal"]) }
      return row([
        "\(move)", Format.grouped(candidate.reward), String(format: "%.1f", candidate.value),
        candidate.difference == 0 ? "best" : Format.tenths(candidate.difference),
      ])
    }
    return [row(["move", "reward", "value", "difference"])] + rows
  }

  private static func row(_ cells: [String]) -> String {
    zip(cells, [6, 8, 12, 12]).enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(cell.1 - cell.0.count, 0))
      return index == 0 ? cell.0 + space : space + cell.0
    }
    .joined(separator: " ")
  }
}
