internal import TupeloRuns

/// Prints a comparison of two runs, at most 80 columns wide but for single words.
enum ComparisonText {
  static func text(_ comparison: RunComparison) -> String {
    let sides = [("A", comparison.first), ("B", comparison.second)].map { letter, side in
      "\(letter)  \(side.path), \(Format.grouped(side.games)) \(side.games == 1 ? "game" : "games")"
    }
    let settings =
      comparison.settings.isEmpty ? ["the settings are the same"] : self.settings(comparison.settings)
    let scores = comparison.scores.isEmpty ? ["the runs have no score in common yet"] : self.scores(comparison.scores)
    return (sides + [""] + settings + [""] + scores).joined(separator: "\n")
  }

  private static let width = 80

  // MARK: Settings

  private static func settings(_ settings: [RunComparison.Setting]) -> [String] {
    let head = "setting"
    let keyWidth = max(settings.map(\.key.count).max() ?? 0, head.count)
    let column = (width - keyWidth - 4) / 2
    let rows = settings.map { setting -> [String] in
      let (first, second) = (setting.first ?? "-", setting.second ?? "-")
      guard max(first.count, second.count) > column else {
        return [row([setting.key, first, second], keyWidth, column)]
      }
      return [setting.key] + block("A", first) + block("B", second)
    }
    return [row([head, "A", "B"], keyWidth, column)] + rows.flatMap { $0 }
  }

  private static func row(_ cells: [String], _ keyWidth: Int, _ column: Int) -> String {
    Format.padded(cells[0], to: keyWidth) + "  " + Format.padded(cells[1], to: column) + "  " + cells[2]
  }

  /// A value that is too long for a column, broken at spaces.
  private static func block(_ letter: String, _ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append((lines.isEmpty ? "  \(letter)  " : "     ") + word)
      }
    }
    return lines
  }

  // MARK: Scores

  private static func scores(_ scores: [RunComparison.Score]) -> [String] {
    let rows = scores.map { score in
      [
        label(of: score.kind), value(score.first.mean, score.first.margin),
        value(score.second.mean, score.second.margin), value(score.difference, score.differenceMargin, sign: true),
      ]
    }
    let notes = scores.compactMap(resolution)
    let lines = [["score", "A", "B", "B - A (95%)"]] + rows
    let widths = (0..<4).map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in
      cells.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return column == 0 ? cells[column] + space : space + cells[column]
      }
      .joined(separator: "  ")
    } + notes
  }

  /// What the games of a score could have shown; `nil` where it has no interval.
  private static func resolution(_ score: RunComparison.Score) -> String? {
    score.smallestDifference.map { smallest in
      (score.isUnderpowered ? "underpowered: " : "") + label(of: score.kind)
        + " could show a difference of \(Format.grouped(smallest)) (95%, 80% power)"
    }
  }

  private static func label(of kind: RunComparison.Score.Kind) -> String {
    switch kind {
    case .evaluation: "evaluation"
    case .interim(let games): "interim, \(Format.grouped(games)) games"
    case .training(let games): "training, \(Format.grouped(games)) games"
    }
  }

  private static func value(_ mean: Double, _ margin: Double?, sign: Bool = false) -> String {
    (sign && mean >= 0.5 ? "+" : "") + Format.grouped(mean) + (margin.map { " ± " + Format.grouped($0) } ?? "")
  }
}
