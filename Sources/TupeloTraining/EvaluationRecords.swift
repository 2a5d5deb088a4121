/// Which games of an evaluation are worth a second look: their numbers, from which `Evaluation.record` plays them
/// again.
///
/// Of games with equal scores the one with the lowest number stands for all, so the choice is the same at any number of
/// threads.
public struct EvaluationRecords: Hashable, Sendable {
  /// The game with the highest score.
  public let best: Int
  /// The game with the lowest score.
  public let worst: Int
  /// A game with the score of `EvaluationReport.scoreMedian`: of an even number of games, the upper of the two in the
  /// middle.
  public let median: Int

  /// - Parameter results: of game 0, 1, 2, ...
  /// - Returns: `nil` without results.
  /// - Complexity: O(n log n)
  public init?(results: [GameResult]) {
    let order = results.indices.sorted { (results[$0].score, $0) < (results[$1].score, $1) }
    guard let first = order.first, let last = order.last else { return nil }
    func lowest(like game: Int) -> Int { results.firstIndex { $0.score == results[game].score } ?? game }
    worst = first
    best = lowest(like: last)
    median = lowest(like: order[order.count / 2])
  }
}

extension EvaluationRecords {
  /// The three with the names they are saved by, each game once: an evaluation of one game has only a best one.
  public var named: [(name: String, game: Int)] {
    let all = [("best", best), ("median", median), ("worst", worst)]
    return all.enumerated().filter { index, entry in !all[..<index].contains { $0.1 == entry.1 } }
      .map { (name: $0.element.0, game: $0.element.1) }
  }
}
