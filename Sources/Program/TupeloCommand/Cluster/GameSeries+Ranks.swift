internal import TupeloBase
internal import TupeloCluster
internal import TupeloTraining

extension GameSeries {
  /// Plays the games of this rank, and gathers the results of all ranks. A process that runs alone plays all games.
  ///
  /// Every game has its own random stream, so the results are those of one process, for any number of ranks.
  ///
  /// - Parameters:
  ///   - title: what is being done, such as `evaluating`; the first rank shows how far it is with its games
  ///   - makePlayer: called once per thread
  /// - Returns: the results by game number, on every rank
  func results(
    on ranks: any Communicator, _ title: String, interrupt: Interrupt, makePlayer: @Sendable () throws -> any GamePlayer
  ) throws -> [Int: GameResult] {
    let numbers = EvaluationShard.games(of: ranks.rank + 1, shards: ranks.size, games: games)
    let share = ranks.size > 1 ? ", the share of this rank" : ""
    let progress = Progress.Counted(title + share, of: numbers.count)
    let isFirst = ranks.isFirst
    let own = try results(
      of: numbers, cancellation: interrupt.cancellation, onGame: { if isFirst { progress.show($0) } },
      makePlayer: makePlayer)
    progress.finish()
    guard ranks.size > 1 else { return own }
    var all: [Int: GameResult] = [:]
    for numbers in ranks.gather(own.flatMap { [$0, $1.score, $1.moves, $1.outcome] }) {
      for place in stride(from: 0, to: numbers.count, by: 4) {
        all[numbers[place]] = GameResult(
          score: numbers[place + 1], moves: numbers[place + 2], outcome: numbers[place + 3])
      }
    }
    return Self.series(of: all)
  }
}

extension Communicator {
  /// The processors of a rank when all ranks of its machine take equally many.
  var processors: Int { Processors.count(amongProcesses: localSize) }
}
