internal import Foundation
internal import TupeloCluster
internal import TupeloRuns

/// The runs of a sweep that this rank executes. The runs that are not finished are dealt out to the ranks in turn.
struct SweepShare {
  private let runs: [SweepRun]
  private let states: [SweepRun.State]
  private let ranks: any Communicator
  /// The numbers of this rank's runs.
  private let own: [Int]

  init(_ runs: [SweepRun], _ states: [SweepRun.State], on ranks: any Communicator) {
    (self.runs, self.states, self.ranks) = (runs, states, ranks)
    let finished = runs.indices.filter { states[$0].isFinished }
    let open = runs.indices.filter { !states[$0].isFinished }
    let share = open.enumerated().filter { $0.offset % ranks.size == ranks.rank }.map(\.element)
    // The first rank also reports runs that were finished before.
    own = ranks.isFirst ? (finished + share).sorted() : share
  }

  /// Executes the runs of this rank, and gathers how those of all ranks have ended.
  ///
  /// - Parameter jobs: the number of runs that this rank executes at a time
  /// - Returns: the endings, by run, on every rank
  func run(jobs: Int, interrupt: Interrupt) throws -> [SweepSummary.Ending] {
    let cores = ranks.processors
    var runner = SweepRunner(own.map { runs[$0] }, jobs: jobs, cores: cores, interrupt: interrupt)
    let ended = runner.run(from: own.map { states[$0] })
    guard ranks.size > 1 else { return ended }
    let text = try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: zip(own, ended)))
    var endings = runs.map { _ in SweepSummary.Ending.waiting }
    for text in ranks.gather(Array(text)) {
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
