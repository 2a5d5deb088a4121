internal import TupeloBase
internal import TupeloTraining

extension GroupComparison {
  /// The comparison for people: the groups, the settings that differ, and two tables for each measure. It is at most 80
  /// columns wide but for single words and names, and has no newline at its end.
  public var text: String {
    let heads = groups.enumerated().map { index, group in
      "\(ComparisonRows.letter(index))  \(group.name), \(NumberText.counted(group.runs.count, "run"))"
        + (index == 0 && groups.count > 1 ? " (baseline)" : "")
    }
    let settings = groups.count > 1 ? [""] + ComparisonRows.settings(self.settings) : []
    let scores =
      measures.isEmpty ? ["", "the runs have no score in common yet"] : measures.flatMap { [""] + lines(of: $0) }
    return (heads + settings + scores + notes).joined(separator: "\n")
  }

  private func lines(of measure: GroupMeasure) -> [String] {
    let samples = measure.samples.enumerated().map { index, sample in
      [
        ComparisonRows.letter(index), "\(measure.scores[index].count)",
        sample.map { game.text(ofMean: $0.mean.mean, margin: $0.mean.margin.ifFinite) } ?? "-",
        sample?.mean.deviation.ifFinite.map { game.text(ofMargin: $0) } ?? "-",
        sample.map { game.text(ofMean: $0.interquartileMean) } ?? "-",
        sample?.interquartileInterval().map { range in
          "\(game.text(ofMean: range.lowerBound)) to \(game.text(ofMean: range.upperBound))"
        } ?? "-",
      ]
    }
    let head = ["", "seeds", "mean", "sd", "IQM", "its interval"]
    return [measure.kind.title] + TextTable([head] + samples).lines + differences(of: measure)
  }

  private func differences(of measure: GroupMeasure) -> [String] {
    let rows = measure.differences.enumerated().compactMap { index, found -> [String]? in
      guard let found else { return nil }
      let share = NumberText.percent(found.probability)
      let range = found.probabilityInterval().map { range in
        "\(NumberText.percent(range.lowerBound)) to \(NumberText.percent(range.upperBound))"
      }
      return [
        ComparisonRows.letter(index), game.text(ofDifference: found.mean.mean, margin: found.mean.margin.ifFinite),
        share, range ?? "-", found.verdict.rawValue,
      ]
    }
    return rows.isEmpty ? [] : TextTable([["", "minus A", "better", "its interval", "verdict"]] + rows).lines
  }

  private var notes: [String] {
    let fewest = RunSample.fewestForVerdict
    let differences = measures.flatMap { $0.differences.compactMap(\.self) }
    var notes = ["± and intervals: 95% over seeds; IQM: interquartile mean"]
    if !differences.isEmpty { notes.append("better: the probability that a run beats one of A") }
    if differences.contains(where: { $0.verdict == .tooFew }) {
      notes.append("a verdict needs \(fewest) runs of each group: train more seeds")
    }
    if groups.count > 3 {
      notes.append("of 20 groups that equal the baseline, one has a verdict by chance")
    }
    if !waiting.isEmpty {
      notes.append(
        "\(NumberText.counted(waiting.count, "run")) without a record \(waiting.count == 1 ? "is" : "are") left out")
    }
    return measures.isEmpty ? Array(notes.dropFirst()) : [""] + notes
  }
}

extension GroupMeasure.Kind {
  /// What the scores are, as a heading.
  var title: String {
    switch self {
    case .evaluation(let games?) where games.lowerBound == games.upperBound:
      "evaluation after \(NumberText.counted(games.lowerBound, "game")) of training"
    case .evaluation(let games?):
      "evaluation, each run after its own games (\(NumberText.grouped(games.lowerBound)) to "
        + "\(NumberText.grouped(games.upperBound)))"
    case .evaluation(nil): "evaluation after training"
    case .games(let games, let source): "at equal games (\(NumberText.grouped(games))), by \(source.text)"
    case .seconds(let seconds, let source):
      "at equal time (\(NumberText.grouped(seconds, digits: seconds < 100 ? 1 : 0)) s of training), by \(source.text)"
    }
  }
}

extension GroupMeasure.Source {
  fileprivate var text: String {
    switch self {
    case .evaluations: "evaluations"
    case .training: "training games"
    }
  }
}

extension GameKind {
  /// A difference of mean scores with a sign, unless it rounds to zero, and with half of its interval.
  package func text(ofDifference difference: Double, margin: Double?) -> String {
    let text = text(ofMean: difference, margin: margin)
    let isZero = text.prefix { $0 != " " }.allSatisfy { "0.,".contains($0) }
    return (difference > 0 && !isZero ? "+" : "") + text
  }
}
