internal import Foundation
internal import TupeloTraining

extension RunComparison {
  /// The comparison as JSON: one object with sorted keys. Of pairs the first run comes first.
  public var json: String {
    let document = Document(
      runs: [first, second].map { .init(path: $0.path, name: $0.configuration.name, games: $0.games) },
      settings: settings.map { .init(key: $0.key, values: [$0.first, $0.second]) },
      scores: scores.map(Document.Row.init))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self)
    } catch {
      preconditionFailure("finite numbers and texts encode: \(error)")
    }
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Document: Encodable {
  let runs: [Run]
  let settings: [Setting]
  let scores: [Row]

  struct Run: Encodable {
    let path: String
    let name: String
    let games: Int
  }

  struct Setting: Encodable {
    let key: String
    let values: [String?]
  }

  struct Value: Encodable {
    let score_mean: Double
    let score_margin_95: Double?
    let games: Int?

    init(_ value: RunScore) {
      (score_mean, score_margin_95, games) = (value.mean, value.margin, value.games)
    }
  }

  struct Row: Encodable {
    let kind: String
    /// Training games of both runs; `nil` where each has its own.
    let after_games: Int?
    let values: [Value]
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
      values = [Value(score.first), Value(score.second)]
      difference = score.difference
      difference_margin_95 = score.differenceMargin
      smallest_difference = score.smallestDifference
      underpowered = score.isUnderpowered
    }
  }
}
