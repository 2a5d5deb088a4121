internal import TupeloTraining

/// The evaluations that a run has recorded, by the number of training games.
///
/// Records of earlier versions have one set of tags for interim and final evaluations. Such a record counts as interim,
/// with `evaluation.interim_games` games, but for these, which are final: the later of two after the same games, one
/// whose mean is that of evaluation.json, and each of a run without `evaluation.every_games`.
struct RunEvaluations {
  private(set) var interim: [Int: RunScore] = [:]
  private(set) var final: [Int: RunScore] = [:]

  /// - Parameter evaluation: the run's evaluation.json; `nil` where there is none
  init(_ file: MetricsFile, _ settings: RunConfiguration.Evaluation, evaluation: ModelEvaluation?) {
    for record in file.judged {
      if let score = record.evaluation(.final) { final[record.games] = score }
      guard let score = record.evaluation(.interim) else { continue }
      if !record.hasUnmarkedEvaluation {
        interim[record.games] = score
      } else if settings.everyGames == 0 || score.mean == evaluation?.scoreMean {
        final[record.games] = score
      } else {
        interim[record.games] = RunScore(mean: score.mean, margin: score.margin, games: settings.interimGames)
      }
    }
  }

  /// The training games after which an evaluation.json was made; `nil` where no record tells.
  func games(of evaluation: ModelEvaluation) -> Int? {
    final.filter { $0.value.mean == evaluation.scoreMean }.keys.max()
  }
}
