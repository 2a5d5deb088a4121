public import TupeloBase

/// The workers of a training run, for any game and learner. They play in rounds; between two rounds no worker runs.
@usableFromInline
package protocol SelfPlayPool: Sendable {
  /// The workers' random streams, between rounds.
  var streams: [RandomStream] { get }
  /// The start positions that the workers keep, between rounds.
  var starts: [[UInt64]] { get }

  /// Gives each worker its part of `starts` again.
  ///
  /// - Returns: false if the words do not come from these workers.
  func restore(starts words: [[UInt64]]) -> Bool

  /// Changes the step size for the next rounds.
  func setStepSize(_ alpha: Float, isWarmUp: Bool)

  /// The number of games in a group, which this number of workers plays to the end. Groups end at multiples of it.
  /// `nil` if a round may end after any game.
  func groupGames(workers: Int) -> Int?

  /// The number of games at which a round ends at the latest, for the sake of tasks.
  ///
  /// - Parameters:
  ///   - training: the next number of games at which training itself has something to do
  ///   - others: the next number of games at which other code has something to do, which does not change the training
  func roundEnd(training: Int, others: Int, workers: Int) -> Int

  /// Plays a round.
  func playRound(_ round: PlayRound) -> TrainingProgress
}

extension SelfPlayPool {
  /// Tasks of other code that become due within a group wait for its end.
  @usableFromInline
  package func roundEnd(training: Int, others: Int, workers: Int) -> Int {
    guard let size = groupGames(workers: workers), others <= Int.max - size else { return min(training, others) }
    return min(training, (others + size - 1) / size * size)
  }
}

/// The amount of play in a round.
@usableFromInline
package struct PlayRound: Sendable {
  /// The largest number of episodes.
  package var games: Int
  /// The number of episodes of the run so far.
  package var played: Int
  /// The number of workers that play.
  package var workers: Int
  package var limit: Limit

  /// The limit of a round, in addition to the number of episodes. Episodes that have begun are played to their end.
  package enum Limit: Sendable {
    /// No further episode begins after a time, or once a stop is requested.
    case clock(ContinuousClock.Instant, shouldStop: @Sendable () -> Bool)
    /// No further episode begins once this number of moves has been made. Time and a stop do not end the round.
    case moves(Int)
  }

  package init(games: Int, after played: Int = 0, workers: Int, _ limit: Limit) {
    (self.games, self.played, self.workers, self.limit) = (games, played, workers, limit)
  }
}
