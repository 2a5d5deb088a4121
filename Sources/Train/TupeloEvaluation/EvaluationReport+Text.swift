internal import Foundation
internal import TupeloModels

extension EvaluationReport: CustomStringConvertible {
  /// The report as a table for people, at most 60 columns wide, without a newline at the end.
  public var description: String {
    let isHalf = scoreMedian != scoreMedian.rounded()
    let median = isHalf ? NumberText.decimals(scoreMedian, 1) : NumberText.grouped(scoreMedian)
    let facts = [
      ("games", NumberText.grouped(Double(games))),
      ("average score", "\(game.text(ofMean: scoreMean, margin: scoreMargin)) (95%)"),
      ("median / max", "\(median) / \(NumberText.grouped(scoreMax))"),
      ("average moves", NumberText.grouped(movesMean)),
      ("speed", "\(NumberText.grouped(movesPerSecond)) moves/s"),
    ]
    let rates = outcomes.filter { $0.rate > 0 }.map { (game.results.label($0.value), NumberText.percent($0.rate)) }
    let width = 16
    return (facts + rates)
      .map { name, value in name + String(repeating: " ", count: width - name.count) + value }
      .joined(separator: "\n")
  }

  /// The report as JSON: one object, keys sorted.
  public var json: String { json(of: nil) }

  /// The report as JSON, with the agent and model.
  ///
  /// - Parameters:
  ///   - subject: the agent and model; `nil` leaves their keys out
  ///   - gamesAsked: games of the whole evaluation, if it was stopped before the last game
  public func json(of subject: EvaluationSubject?, gamesAsked: Int? = nil) -> String {
    var fields: [String: Any] = [
      "games": games,
      "seed": seed,
      "score_mean": scoreMean,
      "score_margin_95": scoreMargin.isFinite ? scoreMargin : NSNull(),
      "smallest_difference": smallestDifference.isFinite ? smallestDifference : NSNull(),
      "score_median": scoreMedian,
      "score_max": scoreMax,
      "moves_mean": movesMean,
      game.results.ratesKey: Dictionary(uniqueKeysWithValues: outcomes.map { (String($0.value), $0.rate) }),
      "seconds": seconds,
      "moves_per_second": movesPerSecond,
    ]
    if let gamesAsked { fields["games_asked"] = gamesAsked }
    if let subject {
      for (key, fact) in subject.rules.base.reportFields { fields[key] = fact }
      for (key, fact) in subject.fields { fields[key] = fact }
    }
    do {
      return try JSONText.pretty(fields)
    } catch {
      preconditionFailure("finite numbers encode: \(error)")
    }
  }
}

extension EvaluationSubject {
  /// The agent, the model and the program, as reports write them in JSON.
  var fields: [String: String] {
    var fields = ["agent": agent, "version": tupeloVersion]
    fields["commit"] = ProgramBuild.commit
    fields["network_fingerprint"] = fingerprint
    fields["model"] = model
    fields["model_sha256"] = checksum
    return fields
  }
}
