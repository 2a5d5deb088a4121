internal import Foundation
internal import TupeloBase
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

/// Executes the runs of a sweep, several at a time. Each run is a process of this program.
struct SweepRunner {
  private let runs: [SweepRun]
  private let jobs: Int
  /// The number of cores that the runs have together.
  private let cores: Int
  private let interrupt: Interrupt
  private var endings: [SweepSummary.Ending]
  private var active: [Job] = []
  private var progress: SweepProgress
  private let line = Progress()

  /// A run that is being executed.
  private struct Job {
    let index: Int
    let process: ChildProcess
    let log: String
    /// The size of the log when the process started; earlier processes wrote that part.
    let logStart: Int
    let start = ContinuousClock.now
    var isTold = false

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
  }

  static let logName = "train.log"

  init(_ runs: [SweepRun], jobs: Int, cores: Int, interrupt: Interrupt) {
    self.runs = runs
    self.jobs = jobs
    self.cores = cores
    self.interrupt = interrupt
    endings = runs.map { _ in .waiting }
    progress = SweepProgress(targets: runs.map(\.configuration.training.games))
  }

  /// Executes all runs that are not finished, and prints their progress.
  ///
  /// - Returns: the endings, by run.
  mutating func run(from states: [SweepRun.State]) -> [SweepSummary.Ending] {
    var waiting: [(index: Int, resuming: Bool)] = []
    for (index, state) in states.enumerated() {
      switch state {
      case .finished(let result):
        endings[index] = .finished(result)
        progress.runs[index].first = progress.runs[index].target
        progress.runs[index].isOver = true
      case .begun: waiting.append((index, true))
      case .fresh: waiting.append((index, false))
      }
    }
    var rest = waiting[...]
    while !active.isEmpty || (!rest.isEmpty && !interrupt.isRequested) {
      while active.count < jobs, !interrupt.isRequested, let next = rest.popFirst() {
        start(next.index, resuming: next.resuming)
      }
      if interrupt.isRequested { passOn() }
      for job in active { finish(job) }
      active.removeAll { endings[$0.index] != .waiting }
      line.show { progressText() }
      Thread.sleep(forTimeInterval: 0.02)
    }
    line.finish()
    return endings
  }

  /// The progress of the runs, from their metrics.
  private mutating func progressText() -> String {
    for job in active { progress.runs[job.index].games = runs[job.index].recordedGames }
    return progress.text(after: line.seconds)
  }

  /// Prints a line in place of the line that renews itself.
  private func tell(_ text: String) {
    line.clear()
    Terminal.report(text)
  }

  private mutating func start(_ index: Int, resuming: Bool) {
    let run = runs[index]
    do {
      try FileManager.default.createDirectory(atPath: run.folder, withIntermediateDirectories: true)
      let path = run.folder + "/" + Self.logName
      progress.runs[index].first = resuming ? run.recordedGames : 0
      progress.runs[index].games = progress.runs[index].first
      // This makes the log, or refuses a log that is a link.
      let logStart = try AppendFile(path: path, mustBeNew: false, calls: .system).length
      let program = ProgramFile.url.path
      let process = try ChildProcess(
        program, arguments: [program] + run.arguments(resuming: resuming, settings: shareOfCores),
        environment: RankLaunch.withoutLauncher(ProcessInfo.processInfo.environment), log: path)
      active.append(Job(index: index, process: process, log: path, logStart: logStart))
      progress.runs[index].isActive = true
      tell("\(resuming ? "resumed" : "started"): \(run.name)")
    } catch let error as FailedCall {
      end(index, .failed("cannot be started: \(run.folder): \(FailedCall.text(error.code))"))
    } catch {
      end(index, .failed("cannot be started: \(run.folder): \(FailedCall.reason(error))"))
    }
  }

  /// Settings that divide the cores among runs when they evaluate. The number of evaluation threads changes no result.
  private var shareOfCores: [String] {
    let isAlone = jobs == 1 && cores == Processors.count
    return isAlone ? [] : ["evaluation.threads=\(max(cores / jobs, 1))"]
  }

  /// Asks every run once to save and end. A second signal would end it at once. A run that has printed nothing yet may
  /// not handle signals, so it is asked later.
  private mutating func passOn() {
    for index in active.indices where !active[index].isTold {
      let job = active[index]
      guard !output(of: job, limit: 1).isEmpty || job.seconds > 10 else { continue }
      job.process.interrupt()
      active[index].isTold = true
    }
  }

  /// Ends a job whose process has ended.
  private mutating func finish(_ job: Job) {
    do {
      guard let ending = try job.process.ending() else { return }
      // Status 130: the run was interrupted, by the sweep or by others, and has saved. Its folder says how far it came.
      guard ending == .status(0) || ending == .status(130) else {
        return end(job.index, .failed("\(ending): \(complaint(in: job)) (see \(job.log))"))
      }
      guard case .finished(let result) = try runs[job.index].state() else { return end(job.index, .stopped) }
      end(job.index, .finished(result), seconds: job.seconds)
    } catch let error as FailedCall {
      end(job.index, .failed(FailedCall.text(error.code)))
    } catch {
      end(job.index, .failed("\(error)"))
    }
  }

  private mutating func end(_ index: Int, _ ending: SweepSummary.Ending, seconds: Double = 0) {
    endings[index] = ending
    progress.runs[index].isActive = false
    if ending != .stopped { progress.runs[index].isOver = true }
    let name = runs[index].name
    let done = endings.count { $0.result != nil }
    switch ending {
    case .finished(let result):
      let score = runs[index].configuration.game.text(ofMean: result.scoreMean, margin: result.scoreMargin)
      tell("finished: \(name): \(score) in \(Format.duration(seconds)) (\(done)/\(runs.count))")
    case .stopped: tell("stopped: \(name): saved")
    case .failed(let reason): tell("FAILED: \(name): \(reason)")
    case .waiting: break
    }
  }

  /// The last bytes of what a run has printed.
  private func output(of job: Job, limit: Int) -> String {
    runs[job.index].tail(of: Self.logName, from: job.logStart, limit: limit)
  }

  /// The last line of a run's output that names the error.
  private func complaint(in job: Job) -> String {
    let lines = output(of: job, limit: 1 << 16).split(separator: "\n")
    let telling = lines.last { $0.hasPrefix("Error: ") } ?? lines.last { $0.contains("Fatal error") } ?? lines.last
    guard let telling else { return "it printed nothing" }
    return String((telling.hasPrefix("Error: ") ? telling.dropFirst(7) : telling).prefix(500))
  }
}
