internal import TupeloRuns
internal import TupeloTraining

extension RunComparison {
  /// The comparison as JSON: one object with sorted keys. In pairs, the first run comes first.
  public var json: String {
    JSONText.pretty(
      [
        "runs": [first, second].map(\.fields),
        "settings": settings.map { ["key": $0.key, "values": [$0.first, $0.second]] as JSONFields },
        "scores": scores.map(\.fields),
      ] as JSONFields)
  }
}

extension BaselineComparison {
  /// The comparison as JSON: one object with sorted keys. Values of a setting are in the order of the runs, pairs of
  /// scores begin with the baseline.
  public var json: String {
    JSONText.pretty(
      [
        "runs": runs.map(\.fields),
        "settings": settings.map { ["key": $0.key, "values": $0.values] as JSONFields },
        "comparisons": pairs.map { ["path": $0.second.path, "scores": $0.scores.map(\.fields)] as JSONFields },
      ] as JSONFields)
  }
}

extension RunComparison.Side {
  fileprivate var fields: JSONFields { ["path": path, "name": configuration.name, "games": games] }
}

extension RunComparison.Score {
  fileprivate var fields: JSONFields {
    var fields: JSONFields = [
      "values": [first, second].map { value -> JSONFields in
        [
          "score_mean": value.mean, "score_margin_95": value.margin, "games": value.kind.games,
          "plies": value.kind.plies,
        ]
      },
      "difference": difference, "difference_margin_95": differenceMargin, "smallest_difference": smallestDifference,
      "underpowered": isUnderpowered,
    ]
    switch kind {
    case .evaluation: fields["kind"] = "evaluation"
    case .interim(let games): (fields["kind"], fields["after_games"]) = ("interim", games)
    case .training(let games): (fields["kind"], fields["after_games"]) = ("training", games)
    }
    return fields
  }
}
