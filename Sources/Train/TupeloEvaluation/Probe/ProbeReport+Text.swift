internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloModels

extension ProbeReport: CustomStringConvertible {
  /// The report as a table for people, at most 80 columns wide, without a newline at the end. A rate is followed by its
  /// 95% interval.
  public var description: String {
    let goal = rows.first.map { "\($0.group.goal) (95%)" } ?? ""
    let head = ["board with", "games", "next", "made (95%)", goal]
    let lines = rows.map { row in
      [
        row.group.title, NumberText.grouped(row.games), "\(row.group.nextTile)", Self.text(row.next),
        Self.text(row.goal),
      ]
    }
    return TextTable([head] + lines).lines.joined(separator: "\n")
  }

  /// `83.1% (81.2 to 84.9)`
  private static func text(_ share: Proportion) -> String {
    let bounds = [share.interval.lowerBound, share.interval.upperBound].map { NumberText.decimals(100 * $0, 1) }
    return "\(NumberText.percent(share.rate)) (\(bounds[0]) to \(bounds[1]))"
  }

  /// The report as JSON: one object, keys sorted.
  ///
  /// - Parameters:
  ///   - subject: the agent and model; `nil` leaves their keys out
  ///   - boards: the boards, and the checksum of their file if they come from a file
  ///   - gamesAsked: games of the whole probe, if it was stopped before the last game
  public func json(
    of subject: EvaluationSubject?, boards: (header: ProbeBoards.Header, checksum: String?)? = nil,
    gamesAsked: Int? = nil
  ) -> String {
    func fields(_ share: Proportion) -> [String: Any] {
      [
        "count": share.count, "rate": share.rate, "low_95": share.interval.lowerBound,
        "high_95": share.interval.upperBound,
      ]
    }
    var object: [String: Any] = [
      "groups": rows.map { row -> [String: Any] in
        [
          "tiles": row.group.tiles, "boards": row.boards, "games": row.games, "next_tile": row.group.nextTile,
          "next": fields(row.next), "goal_tile": row.group.goal, "goal": fields(row.goal),
        ]
      },
      "games": games, "seed": seed, "seconds": seconds, "moves_per_second": movesPerSecond,
    ]
    if let gamesAsked { object["games_asked"] = gamesAsked }
    for (key, fact) in subject?.fields ?? [:] { object[key] = fact }
    if let (header, checksum) = boards {
      object["boards"] = [
        "agent": header.agent, "model": header.model ?? NSNull(), "seed": header.seed, "sha256": checksum ?? NSNull(),
        "board": "\(header.rules.shape)", "four_probability": header.rules.fourProbability,
      ]
    }
    do {
      return try JSONText.pretty(object)
    } catch {
      preconditionFailure("finite numbers encode: \(error)")
    }
  }
}
