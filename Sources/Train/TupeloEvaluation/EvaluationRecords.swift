public import TupeloModels

/// The numbers of an evaluation's best, worst and median game. `Evaluation.record` plays them again.
///
/// If several games have equal scores, the game with the lowest number counts. So the choice does not depend on the
/// number of threads.
public struct EvaluationRecords: Hashable, Sendable {
  /// The game with the highest score.
  public let best: Int
  /// The game with the lowest score.
  public let worst: Int
  /// A game whose score is in the middle. For an even number of games, it is the upper one of the two in the middle.
  public let median: Int

  /// Finds the three games; `nil` without results.
  ///
  /// - Parameter results: the results of game 0, 1, 2, ...
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
  /// The three games with the names of their files, each game once: an evaluation of one game has only a best game.
  public var named: [(name: String, game: Int)] {
    let all = [("best", best), ("median", median), ("worst", worst)]
    return all.enumerated().filter { index, entry in !all[..<index].contains { $0.1 == entry.1 } }
      .map { (name: $0.element.0, game: $0.element.1) }
  }
}
