/// A task between rounds of self-play, when no worker runs: averaging, decay or a checkpoint.
///
/// A trainer walks a list of tasks. A round ends when the next task is due, so tasks with a period run exactly at their
/// numbers of games.
package struct RoundTask {
  /// The next number of games, above the given one, at which the task is due; `Int.max` for never.
  let next: (Int) -> Int
  /// Whether the task runs after every round, at any number of games.
  let isForEveryRound: Bool
  /// Runs the task after a round, with the numbers of games before and after it.
  let run: (_ before: Int, _ games: Int) throws -> Void

  private init(
    next: @escaping (Int) -> Int, isForEveryRound: Bool = false,
    run: @escaping (_ before: Int, _ games: Int) throws -> Void
  ) {
    (self.next, self.isForEveryRound, self.run) = (next, isForEveryRound, run)
  }

  /// A task at every multiple of a number of games. In a round of replicas, several multiples may pass: then the task
  /// runs once.
  ///
  /// - Parameter period: the number of games; 0 for a task that is never due
  package init(every period: Int, _ run: @escaping (_ games: Int) throws -> Void) {
    self.init(every: period) { _, games in try run(games) }
  }

  /// A task at every multiple of a number of games, which does the work of all multiples that have passed in a round.
  ///
  /// - Parameters:
  ///   - period: the number of games; 0 for a task that is never due
  ///   - run: called with the numbers of the multiples, counted from 0, and the number of games
  package init(every period: Int, _ run: @escaping (_ multiples: Range<Int>, _ games: Int) throws -> Void) {
    self.init(
      next: { period > 0 ? ($0 / period + 1) * period : Int.max },
      run: { before, games in try run(before / period..<games / period, games) })
  }

  /// A task at given numbers of games.
  package init(at times: [Int], _ run: @escaping (_ games: Int) throws -> Void) {
    self.init(next: { games in times.filter { $0 > games }.min() ?? Int.max }, run: { _, games in try run(games) })
  }

  /// A task that runs after every round, such as one with a time limit.
  package static func afterEveryRound(_ run: @escaping (_ games: Int) throws -> Void) -> RoundTask {
    RoundTask(next: { _ in Int.max }, isForEveryRound: true, run: { _, games in try run(games) })
  }
}

extension [RoundTask] {
  /// The next number of games, above the given one, at which one of the tasks is due.
  func next(after games: Int) -> Int { lazy.map { $0.next(games) }.min() ?? Int.max }

  /// Runs, in the order of the list, the tasks that became due during a round.
  ///
  /// - Parameters:
  ///   - before: the number of games before the round
  ///   - games: the number of games after it
  func run(before: Int, after games: Int) throws {
    for task in self where task.isForEveryRound || task.next(before) <= games { try task.run(before, games) }
  }
}
