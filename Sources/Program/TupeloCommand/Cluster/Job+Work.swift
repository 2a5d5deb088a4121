internal import Foundation
internal import TupeloCluster
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

extension Job {
  /// Plays a series; each process plays a part of the games.
  ///
  /// Every game has its own random stream, so the results do not depend on the number of processes.
  ///
  /// - Parameters:
  ///   - title: what is being done, such as `evaluating`; the first process shows how far it is with its games
  ///   - makePlayer: called once per thread
  /// - Returns: the results by game number in every process, and the seconds that they took
  func play(
    _ series: GameSeries, _ title: String, makePlayer: @Sendable () throws -> any GamePlayer
  ) throws -> (results: [Int: GameResult], seconds: Double) {
    let start = ContinuousClock.now
    let numbers = EvaluationShard.games(of: number + 1, shards: size, games: series.games)
    let progress = Progress.Counted(share(of: title), of: numbers.count)
    let isFirst = communicator.isFirst
    var results = try series.results(
      of: numbers, cancellation: interrupt.cancellation, onGame: { if isFirst { progress.show($0) } },
      makePlayer: makePlayer)
    progress.finish()
    if !isAlone {
      for numbers in communicator.gather(results.flatMap { [$0, $1.score, $1.moves, $1.outcome] }) {
        for place in stride(from: 0, to: numbers.count, by: 4) {
          results[numbers[place]] = GameResult(
            score: numbers[place + 1], moves: numbers[place + 2], outcome: numbers[place + 3])
        }
      }
      results = GameSeries.series(of: results)
    }
    return (results, (ContinuousClock.now - start) / .seconds(1))
  }

  /// Executes the runs of a sweep that are not finished. They are dealt out to the processes in turn.
  ///
  /// - Parameter jobs: the number of runs that a process executes at a time
  /// - Returns: the endings, by run, in every process
  func execute(_ runs: [SweepRun], _ states: [SweepRun.State], jobs: Int) throws -> [SweepSummary.Ending] {
    let open = runs.indices.filter { !states[$0].isFinished }
    // The first process also reports runs that were finished before.
    let own = runs.indices.filter { run in
      open.firstIndex(of: run).map { $0 % size == number } ?? communicator.isFirst
    }
    var runner = SweepRunner(own.map { runs[$0] }, jobs: jobs, cores: processors, interrupt: interrupt)
    let ended = runner.run(from: own.map { states[$0] })
    guard !isAlone else { return ended }
    let text = try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: zip(own, ended)))
    var endings = runs.map { _ in SweepSummary.Ending.waiting }
    for text in communicator.gather(Array(text)) {
      for (number, ending) in try JSONDecoder().decode([Int: SweepSummary.Ending].self, from: Data(text)) {
        endings[number] = ending
      }
    }
    return endings
  }
}

extension SweepRun.State {
  fileprivate var isFinished: Bool { if case .finished = self { true } else { false } }
}
