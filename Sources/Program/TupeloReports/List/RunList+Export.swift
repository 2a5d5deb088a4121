internal import Foundation
internal import TupeloRuns
internal import TupeloTraining

extension RunList {
  /// The list as comma-separated values (RFC 4180), with a line of names first. Empty fields have no value.
  public var csv: String {
    let head =
      [
        "run", "name", "game", "games", "score_mean", "score_margin_95", "score_games", "score_plies",
        "score_stage", "score_after_games", "best_score_mean", "best_score_low", "best_score_games", "best_after_games",
      ] + settings
    let rows = runs.map { run -> [String?] in
      let (score, best) = (run.score, run.best)
      let facts: [String?] = [run.path, run.configurationName, run.game.name, "\(run.games)"]
      let scores = [
        score.map { "\($0.value.mean)" }, score?.value.margin.map { "\($0)" }, score?.value.games.map { "\($0)" },
        score?.value.kind.plies.map { "\($0)" }, score?.stage.name, score?.games.map { "\($0)" },
      ]
      let bests = [
        best.map { "\($0.mean)" }, best.map { "\($0.low)" }, best?.games.map { "\($0)" },
        best?.trainingGames.map { "\($0)" },
      ]
      return facts + scores + bests + settings.map { run.value(of: $0) }
    }
    return CSVText.text(head: head, rows: rows)
  }

  /// The list as JSON: one object with sorted keys.
  public var json: String {
    let runs = runs.map { run -> JSONFields in
      let written = settings.compactMap { key in run.value(of: key).map { (key, $0) } }
      return [
        "path": run.path, "name": run.configurationName, "game": run.game.name, "games": run.games,
        "score": run.score.map { score -> JSONFields in
          [
            "stage": score.stage.name, "score_mean": score.value.mean, "score_margin_95": score.value.margin,
            "games": score.value.games, "plies": score.value.kind.plies, "after_games": score.games,
          ]
        },
        "best": run.best.map { best -> JSONFields in
          [
            "score_mean": best.mean, "score_low": best.low, "games": best.games, "after_games": best.trainingGames,
          ]
        }, "settings": Dictionary(uniqueKeysWithValues: written),
      ]
    }
    return JSONText.pretty(["runs": runs, "problems": problems] as JSONFields)
  }
}

extension EvaluationStage {
  /// The name in lists.
  var name: String {
    switch self {
    case .interim: "interim"
    case .final: "final"
    }
  }
}
