internal import TupeloRuns
internal import TupeloTraining

extension Comparison {
  /// The comparison as comma-separated values (RFC 4180), with a line of names first. Empty fields have no value.
  ///
  /// Groups have a row for each measure and group. Runs have a row for each score and run that is compared with the
  /// baseline.
  public var csv: String {
    switch self {
    case .pair(let comparison): Self.csv([comparison])
    case .runs(let comparison): Self.csv(comparison.pairs)
    case .groups(let comparison): Self.csv(comparison)
    }
  }

  private static func csv(_ pairs: [RunComparison]) -> String {
    let head = [
      "run", "baseline", "kind", "after_games", "score_mean", "score_margin_95", "score_games", "baseline_score_mean",
      "baseline_score_margin_95", "difference", "difference_margin_95", "smallest_difference",
    ]
    let rows = pairs.flatMap { pair in
      pair.scores.map { score -> [String?] in
        let (kind, games): (String, Int?) =
          switch score.kind {
          case .evaluation: ("evaluation", nil)
          case .interim(let games): ("interim", games)
          case .training(let games): ("training", games)
          }
        return [
          pair.second.path, pair.first.path, kind, text(games), text(score.second.mean), text(score.second.margin),
          text(score.second.games), text(score.first.mean), text(score.first.margin), text(score.difference),
          text(score.differenceMargin), text(score.smallestDifference),
        ]
      }
    }
    return CSVText.text(head: head, rows: rows)
  }

  private static func csv(_ comparison: GroupComparison) -> String {
    let names = comparison.groups.map(\.name)
    // A group without scores has the columns of the other ones, without values.
    let samples = comparison.measures.flatMap(\.samples).compactMap(\.self).first?.facts.map(\.name) ?? []
    let differences = comparison.measures.flatMap(\.differences).compactMap(\.self).first?.facts.map(\.name) ?? []
    let head = ["measure", "source", "at_games", "at_seconds", "group", "baseline", "seeds"]
    let rows = comparison.measures.flatMap { measure in
      let facts = measure.facts
      return names.indices.map { index -> [String?] in
        let (sample, difference) = (measure.samples[index], measure.differences[index])
        var row: [String?] = [facts.kind, facts.source, text(facts.games), text(facts.seconds)]
        row += [names[index], names[0], "\(measure.scores[index].count)"]
        row += sample?.facts.map { text($0.value) } ?? samples.map { _ in nil }
        row += difference?.facts.map { text($0.value) } ?? differences.map { _ in nil }
        return row + [difference?.verdict.rawValue]
      }
    }
    return CSVText.text(head: head + samples + differences + ["verdict"], rows: rows)
  }

  private static func text(_ value: (some CustomStringConvertible)?) -> String? { value?.description }
}
