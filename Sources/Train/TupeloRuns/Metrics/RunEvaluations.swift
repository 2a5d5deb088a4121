package import TupeloTraining

/// The evaluations that a run has recorded, by the number of training games.
///
/// Records of earlier versions have one set of tags for interim and final evaluations. Such a record counts as interim,
/// with `evaluation.interim_games` games, with three exceptions, which are final: the later of two evaluations after
/// the same number of games, one with the mean of evaluation.json, and every one of a run without
/// `evaluation.every_games`.
package struct RunEvaluations {
  package private(set) var interim: [Int: RunScore] = [:]
  package private(set) var final: [Int: RunScore] = [:]

  /// - Parameter evaluation: the run's evaluation.json; `nil` where there is none
  /// - Throws: `MetricsError` for damaged records
  package init(
    _ file: MetricsFile, _ settings: RunConfiguration.Evaluation, evaluation: ModelEvaluation?
  ) throws(MetricsError) {
    var judge = EvaluationJudge()
    try file.forEach(tags: EvaluationJudge.tags) { record in
      let record = judge.judge(record)
      if let score = record.evaluation(.final) { final[record.games] = score }
      guard let score = record.evaluation(.interim) else { return }
      if !record.hasUnmarkedEvaluation {
        interim[record.games] = score
      } else if settings.everyGames == 0 || score.mean == evaluation?.scoreMean {
        final[record.games] = score
      } else {
        interim[record.games] = RunScore(
          mean: score.mean, margin: score.margin, kind: EvaluationKind(games: settings.interimGames))
      }
    }
  }

  /// The training games after which an evaluation.json was made; `nil` when no record has the number.
  package func games(of evaluation: ModelEvaluation) -> Int? {
    final.filter { $0.value.mean == evaluation.scoreMean }.keys.max()
  }
}
