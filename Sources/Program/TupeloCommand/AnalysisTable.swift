internal import TupeloBase
internal import TupeloEngine
internal import TupeloSearch

/// Prints the values of the four moves as a table for people.
enum AnalysisTable {
  static func lines(_ analysis: MoveAnalysis) -> [String] {
    let rows = Move.allCases.map { move -> [String] in
      guard let candidate = analysis[move] else { return ["\(move)", "-", "-", "illegal"] }
      return [
        "\(move)", Format.grouped(candidate.reward),
        // A score to come is never negative, although an estimate can be.
        Format.decimals(max(candidate.value, 0), 1),
        candidate.difference == 0 ? "best" : Format.decimals(candidate.difference, 1),
      ]
    }
    return TextTable([["move", "reward", "value", "difference"]] + rows, atLeast: [6, 7, 11, 11]).lines
  }
}
