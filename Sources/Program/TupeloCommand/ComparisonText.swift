internal import TupeloBase
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

/// Prints a comparison of runs, at most 80 columns wide but for single words.
enum ComparisonText {
  static func text(_ comparison: Comparison) -> String {
    switch comparison {
    case .pair(let comparison): text(comparison)
    case .runs(let comparison): text(comparison)
    case .groups(let comparison): comparison.text
    }
  }

  static func text(_ comparison: RunComparison) -> String {
    let sides = [comparison.first, comparison.second].enumerated().map { side($1, ComparisonRows.letter($0)) }
    let settings =
      comparison.settings.isEmpty ? ["the settings are the same"] : self.settings(comparison.settings)
    let common = scores(comparison.scores, comparison.first.configuration.game)
    let scores = comparison.scores.isEmpty ? ["the runs have no score in common yet"] : common
    let note = comparison.otherAgents.map { otherAgents($0) } ?? []
    return (sides + [""] + settings + [""] + scores + note + oneSeed([comparison])).joined(separator: "\n")
  }

  /// More than two runs. The settings name the runs that share a value.
  static func text(_ comparison: BaselineComparison) -> String {
    let sides = comparison.runs.enumerated().map {
      side($1, ComparisonRows.letter($0)) + ($0 == 0 ? " (baseline)" : "")
    }
    let settings = ComparisonRows.settings(comparison.settings)
    let scores = self.scores(comparison.pairs)
    return
      (sides + [""] + settings + [""]
      + (scores.isEmpty ? ["no run has a score in common with the baseline yet"] : scores)
      + comparison.pairs.enumerated().flatMap { index, pair in
        pair.otherAgents.map { otherAgents($0, ComparisonRows.letter(index + 1)) } ?? []
      } + oneSeed(comparison.pairs)).joined(separator: "\n")
  }

  /// Says that evaluations by two agents are not compared.
  private static func otherAgents(_ agents: [String], _ letter: String = "B") -> [String] {
    let text = "evaluations by different agents are not compared: A by \(agents[0]), \(letter) by \(agents[1])"
    return Format.wrapped(text, width: width).split(separator: "\n").map(String.init)
  }

  /// Says that one run of each setting is not evidence about the setting.
  private static func oneSeed(_ pairs: [RunComparison]) -> [String] {
    guard pairs.contains(where: \.hasOtherLearning) else { return [] }
    return ["one run each compares agents; tupelo sweep --seeds 1-5 compares settings"]
  }

  private static func side(_ side: RunComparison.Side, _ letter: String) -> String {
    "\(letter)  \(side.path), \(Format.counted(side.games, "game"))"
  }

  private static let width = ComparisonRows.width

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
      return [setting.key] + ComparisonRows.block("A", first) + ComparisonRows.block("B", second)
    }
    return [row([head, "A", "B"], keyWidth, column)] + rows.flatMap { $0 }
  }

  private static func row(_ cells: [String], _ keyWidth: Int, _ column: Int) -> String {
    Format.padded(cells[0], to: keyWidth) + "  " + Format.padded(cells[1], to: column) + "  " + cells[2]
  }

  // MARK: Scores

  /// The rows of each run beside the baseline.
  private static func scores(_ pairs: [RunComparison]) -> [String] {
    let rows = pairs.enumerated().flatMap { index, pair in
      let game = pair.first.configuration.game
      return pair.scores.map { score in
        [
          ComparisonRows.letter(index + 1), label(of: score.kind),
          game.text(ofMean: score.second.mean, margin: score.second.margin),
          game.text(ofMean: score.first.mean, margin: score.first.margin), difference(score, game),
        ]
      }
    }
    guard !rows.isEmpty else { return [] }
    let notes = pairs.enumerated().flatMap { index, pair in
      pair.scores.compactMap { score in
        resolution(score, pair.first.configuration.game).map { "\(ComparisonRows.letter(index + 1))  \($0)" }
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

  private static func difference(_ score: RunComparison.Score, _ game: GameKind) -> String {
    game.text(ofDifference: score.difference, margin: score.differenceMargin)
  }
}
