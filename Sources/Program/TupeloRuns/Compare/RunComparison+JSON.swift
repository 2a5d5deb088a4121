internal import TupeloTraining

extension RunComparison {
  /// The comparison as JSON: one object with sorted keys. In pairs, the first run comes first.
  public var json: String {
    JSONText.pretty(
      Document(
        runs: [first, second].map(Document.Run.init),
        settings: settings.map { .init(key: $0.key, values: [$0.first, $0.second]) },
        scores: scores.map(Document.Row.init), comparisons: nil))
  }
}

extension BaselineComparison {
  /// The comparison as JSON: one object with sorted keys. Values of a setting are in the order of the runs, pairs of
  /// scores begin with the baseline.
  public var json: String {
    JSONText.pretty(
      Document(
        runs: runs.map(Document.Run.init), settings: settings.map { .init(key: $0.key, values: $0.values) },
        scores: nil, comparisons: pairs.map { .init(path: $0.second.path, scores: $0.scores.map(Document.Row.init)) }))
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Document: Encodable {
  let runs: [Run]
  let settings: [Setting]
  /// The scores of two runs; `nil` for more runs.
  let scores: [Row]?
  /// The scores of each run and the baseline; `nil` for two runs.
  let comparisons: [Comparison]?

  struct Run: Encodable {
    let path: String
    let name: String
    let games: Int

    init(_ side: RunComparison.Side) {
      (path, name, games) = (side.path, side.configuration.name, side.games)
    }
  }

  struct Comparison: Encodable {
    let path: String
    let scores: [Row]
  }

  struct Setting: Encodable {
    let key: String
    let values: [String?]
  }

  struct Score: Encodable {
    let score_mean: Double
    let score_margin_95: Double?
    let games: Int?
    let plies: Int?

    init(_ value: RunScore) {
      (score_mean, score_margin_95) = (value.mean, value.margin)
      (games, plies) = (value.kind.games, value.kind.plies)
    }
  }

  struct Row: Encodable {
    let kind: String
    /// Training games of both runs; `nil` where each has its own.
    let after_games: Int?
    let values: [Score]
    let difference: Double
    let difference_margin_95: Double?
    let smallest_difference: Double?
    let underpowered: Bool

    init(_ score: RunComparison.Score) {
      switch score.kind {
      case .evaluation: (kind, after_games) = ("evaluation", nil)
      case .interim(let games): (kind, after_games) = ("interim", games)
      case .training(let games): (kind, after_games) = ("training", games)
      }
      values = [Score(score.first), Score(score.second)]
      difference = score.difference
      difference_margin_95 = score.differenceMargin
      smallest_difference = score.smallestDifference
      underpowered = score.isUnderpowered
    }
  }
}
