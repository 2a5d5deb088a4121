internal import Foundation
internal import TupeloEngine

extension EvaluationReport: CustomStringConvertible {
  /// The report as a table for people, at most 60 columns wide, without a newline at the end.
  public var description: String {
    let margin = scoreMargin.isFinite ? NumberText.grouped(scoreMargin) : "?"
    let facts = [
      ("games", NumberText.grouped(Double(games))),
      ("average score", "\(NumberText.grouped(scoreMean)) ± \(margin) (95%)"),
      ("median / max", "\(NumberText.grouped(Double(scoreMedian))) / \(NumberText.grouped(Double(scoreMax)))"),
      ("average moves", NumberText.grouped(movesMean)),
      ("speed", "\(NumberText.grouped(movesPerSecond)) moves/s"),
    ]
    let rates = reachRates.filter { $0.rate > 0 }.map { ("reached \($0.tile)", NumberText.percent($0.rate)) }
    let width = 16
    return (facts + rates)
      .map { name, value in name + String(repeating: " ", count: width - name.count) + value }
      .joined(separator: "\n")
  }

  /// The report as JSON: one object, keys sorted.
  public var json: String { json(of: nil) }

  /// The report as JSON, with who played what.
  ///
  /// - Parameters:
  ///   - subject: who played what; `nil` leaves its keys out
  ///   - gamesAsked: games of the whole evaluation, where it was stopped before the last of them
  public func json(of subject: EvaluationSubject?, gamesAsked: Int? = nil) -> String {
    var fields: [String: Any] = [
      "games": games,
      "seed": seed,
      "score_mean": scoreMean,
      "score_margin_95": scoreMargin.isFinite ? scoreMargin : NSNull(),
      "score_median": scoreMedian,
      "score_max": scoreMax,
      "moves_mean": movesMean,
      "reach_rates": Dictionary(uniqueKeysWithValues: reachRates.map { (String($0.tile), $0.rate) }),
      "seconds": seconds,
      "moves_per_second": movesPerSecond,
    ]
    if let gamesAsked { fields["games_asked"] = gamesAsked }
    if let subject {
      fields["agent"] = subject.agent
      fields["board"] = "\(subject.rules.shape)"
      fields["four_probability"] = subject.rules.fourProbability
      fields["start_tiles"] = subject.rules.startTiles
      fields["network_fingerprint"] = subject.fingerprint
      fields["model"] = subject.model
      fields["model_sha256"] = subject.checksum
    }
    do {
      let data = try JSONSerialization.data(withJSONObject: fields, options: [.prettyPrinted, .sortedKeys])
      return String(decoding: data, as: UTF8.self)
    } catch {
      preconditionFailure("finite numbers encode: \(error)")
    }
  }
}
