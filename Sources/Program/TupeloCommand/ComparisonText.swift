internal import TupeloBase
internal import TupeloRuns
internal import TupeloTraining

/// Prints a comparison of runs, at most 80 columns wide but for single words.
enum ComparisonText {
  static func text(_ comparison: RunComparison) -> String {
    let sides = [comparison.first, comparison.second].enumerated().map { side($1, letter($0)) }
    let settings =
      comparison.settings.isEmpty ? ["the settings are the same"] : self.settings(comparison.settings)
    let common = scores(comparison.scores, comparison.first.configuration.game)
    let scores = comparison.scores.isEmpty ? ["the runs have no score in common yet"] : common
    let note = comparison.otherAgents.map { otherAgents($0) } ?? []
    return (sides + [""] + settings + [""] + scores + note).joined(separator: "\n")
  }

  /// More than two runs. The settings name the runs that share a value.
  static func text(_ comparison: BaselineComparison) -> String {
    let sides = comparison.runs.enumerated().map { side($1, letter($0)) + ($0 == 0 ? " (baseline)" : "") }
    let settings = comparison.settings.flatMap { setting in
      [setting.key] + groups(of: setting.values).flatMap { block($0.letters, $0.value) }
    }
    let scores = self.scores(comparison.pairs)
    return
      (sides + [""] + (settings.isEmpty ? ["the settings are the same"] : settings) + [""]
      + (scores.isEmpty ? ["no run has a score in common with the baseline yet"] : scores)
      + comparison.pairs.enumerated().flatMap { index, pair in
        pair.otherAgents.map { otherAgents($0, letter(index + 1)) } ?? []
      }).joined(separator: "\n")
  }

  /// Says that evaluations by two agents are not compared.
  private static func otherAgents(_ agents: [String], _ letter: String = "B") -> [String] {
    let text = "evaluations by different agents are not compared: A by \(agents[0]), \(letter) by \(agents[1])"
    return Format.wrapped(text, width: width).split(separator: "\n").map(String.init)
  }

  private static func side(_ side: RunComparison.Side, _ letter: String) -> String {
    "\(letter)  \(side.path), \(Format.counted(side.games, "game"))"
  }

  /// The name of a run in a table: A to Z, then A2 to Z2 and so on.
  private static func letter(_ index: Int) -> String {
    let round = index / 26
    return String(UnicodeScalar(UInt8(65 + index % 26))) + (round > 0 ? "\(round + 1)" : "")
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
  private static func block(_ letters: String, _ text: String) -> [String] {
    let indent = String(repeating: " ", count: letters.count + 4)
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append((lines.isEmpty ? "  \(letters)  " : indent) + word)
      }
    }
    return lines
  }

  /// The runs that share each value, in the order of the runs.
  private static func groups(of values: [String?]) -> [(letters: String, value: String)] {
    var order: [String] = []
    var letters: [String: [String]] = [:]
    for (index, value) in values.enumerated() {
      let text = value ?? "-"
      if letters[text] == nil { order.append(text) }
      letters[text, default: []].append(letter(index))
    }
    return order.map { (letters: letters[$0, default: []].joined(separator: " "), value: $0) }
  }

  // MARK: Scores

  /// The rows of each run beside the baseline.
  private static func scores(_ pairs: [RunComparison]) -> [String] {
    let rows = pairs.enumerated().flatMap { index, pair in
      let game = pair.first.configuration.game
      return pair.scores.map { score in
        [
          letter(index + 1), label(of: score.kind), game.text(ofMean: score.second.mean, margin: score.second.margin),
          game.text(ofMean: score.first.mean, margin: score.first.margin), difference(score, game),
        ]
      }
    }
    guard !rows.isEmpty else { return [] }
    let notes = pairs.enumerated().flatMap { index, pair in
      pair.scores.compactMap { score in
        resolution(score, pair.first.configuration.game).map { "\(letter(index + 1))  \($0)" }
      }
    }
    return TextTable([["", "score", "average", "A", "minus A (95%)"]] + rows, leading: 2).lines + notes
  }

  private static func scores(_ scores: [RunComparison.Score], _ game: GameKind) -> [String] {
    let rows = scores.map { score in
      [
        label(of: score.kind), game.text(ofMean: score.first.mean, margin: score.first.margin),
        game.text(ofMean: score.second.mean, margin: score.second.margin), difference(score, game),
      ]
    }
    let notes = scores.compactMap { resolution($0, game) }
    return TextTable([["score", "A", "B", "B - A (95%)"]] + rows).lines + notes
  }

  /// The minimum detectable difference of a score; `nil` when it has no interval.
  private static func resolution(_ score: RunComparison.Score, _ game: GameKind) -> String? {
    score.smallestDifference.map { smallest in
      (score.isUnderpowered ? "underpowered: " : "") + label(of: score.kind)
        + " can detect a difference of \(game.text(ofMargin: smallest)) (95%, 80% power)"
    }
  }

  private static func label(of kind: RunComparison.Score.Kind) -> String {
    switch kind {
    case .evaluation: "evaluation"
    case .interim(let games): "interim, \(Format.grouped(games)) games"
    case .training(let games): "training, \(Format.grouped(games)) games"
    }
  }

  /// The difference of the scores, with a sign unless it rounds to zero.
  private static func difference(_ score: RunComparison.Score, _ game: GameKind) -> String {
    let text = game.text(ofMean: score.difference, margin: score.differenceMargin)
    let isZero = text.prefix { $0 != " " }.allSatisfy { "0.".contains($0) }
    return (score.difference > 0 && !isZero ? "+" : "") + text
  }
}
