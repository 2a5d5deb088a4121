internal import Foundation
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
    return ([head] + rows).map { $0.map { Self.field($0 ?? "") }.joined(separator: ",") }.joined(separator: "\n")
  }

  private static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  /// The list as JSON: one object with sorted keys.
  public var json: String {
    let document = Document(
      runs: runs.map { run in
        Document.Run(
          run,
          settings: Dictionary(
            uniqueKeysWithValues: settings.compactMap { key in
              run.value(of: key).map { (key, $0) }
            }))
      }, problems: problems)
    return JSONText.pretty(document)
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

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Document: Encodable {
  let runs: [Run]
  let problems: [String]

  struct Run: Encodable {
    let path: String
    let name: String
    let game: String
    let games: Int
    let score: Score?
    let best: Best?
    let settings: [String: String]

    init(_ run: RunOverview, settings: [String: String]) {
      (path, name, game, games) = (run.path, run.configurationName, run.game.name, run.games)
      score = run.score.map { score in
        Score(
          stage: score.stage.name, score_mean: score.value.mean, score_margin_95: score.value.margin,
          games: score.value.games, plies: score.value.kind.plies, after_games: score.games)
      }
      best = run.best.map {
        Best(score_mean: $0.mean, score_low: $0.low, games: $0.games, after_games: $0.trainingGames)
      }
      self.settings = settings
    }
  }

  struct Score: Encodable {
    let stage: String
    let score_mean: Double
    let score_margin_95: Double?
    let games: Int?
    let plies: Int?
    let after_games: Int?
  }

  struct Best: Encodable {
    let score_mean: Double
    let score_low: Double
    let games: Int?
    let after_games: Int?
  }
}
