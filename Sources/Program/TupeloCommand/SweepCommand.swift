internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloCluster
internal import TupeloEngine
internal import TupeloRuns
internal import TupeloTraining

struct SweepCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Trains combinations of settings and seeds, and compares them.",
    usage: "tupelo sweep [<configuration> ...] [<options>]",
    discussion: """
      Each run is a tupelo train in a folder of its own, with its output in train.log. Several runs train at a time. \
      The same sweep again, with the same --output, skips the finished runs and resumes the others. Ctrl-C lets all \
      runs save. When a run fails, the other runs continue, and the sweep fails at its end.

      --vary key=a,b tries each of the values. Values that contain commas are separated by | instead: \
      'network.patterns=0123,4567|012,345'. With --draws 20, the sweep draws 20 variants at random, from lists and \
      from ranges: learner.alpha=0.01..1 is a linear range, learner.alpha=0.01..1@log a logarithmic one.

      --dry-run prints the commands of the runs, one per line, for the tasks of a Slurm array. When all tasks are \
      done, run the sweep once more without --dry-run: it prints the summary. Under mpirun, the processes divide the \
      runs among themselves, and the first process prints the summary.

      Example:
        tupelo sweep --set network.layout=17x4 --vary learner.alpha=0.5,1 --games 1k
      """)

  @Argument(
    help: ArgumentHelp("Configurations by name, or YAML files, each a variant.", valueName: "configuration"),
    completion: .configurations)
  var recipes: [String] = []

  @Option(
    name: .long, parsing: .upToNextOption, help: "Another way to give the configurations.",
    completion: .configurations)
  var config: [String] = []

  @Option(name: .long, help: "Seeds, such as 1-5 or 1,3,7.")
  var seeds = "1"

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Try each of these values, or with --draws values of a range LOW..HIGH or LOW..HIGH@log; may be repeated for all "
        + "combinations.", valueName: "key=value,value"), completion: CommandLineCheck.assignments)
  var vary: [String] = []

  @Option(name: .long, help: "Draw this many variants at random, instead of trying all combinations.")
  var draws: Int?

  @Option(name: .long, help: "Random seed of --draws.")
  var drawSeed: UInt64 = 1

  @Option(
    name: .long, help: ArgumentHelp("Set any key for all runs; may be repeated.", valueName: "key=value"),
    completion: CommandLineCheck.assignments)
  var set: [String] = []

  @Option(name: .long, help: "Games to train in all per run, such as 100k (training.games).")
  var games: String?

  @Option(name: .long, help: "Runs at a time (default: as many as the cores have room for).")
  var jobs: Int?

  @Option(name: .long, help: "Folder of the sweep (default: runs/sweep__<date-time>).", completion: .directory)
  var output: String?

  @Flag(name: .long, help: "Print the command of each run that is not finished, and start none.")
  var dryRun = false

  func validate() throws {
    guard !recipes.isEmpty || !config.isEmpty || !vary.isEmpty || !set.isEmpty else {
      throw CommandEnd.wrong("nothing to compare: give configurations, or --vary key=value,value")
    }
    if let draws, !(1...SweepPlan.mostRuns).contains(draws) {
      throw CommandEnd.wrong("--draws is \(draws): give 1 to \(SweepPlan.mostRuns)")
    }
    if let jobs, !(1...1024).contains(jobs) { throw CommandEnd.wrong("--jobs is \(jobs): give 1 to 1024") }
  }

  func run() throws {
    let ranks = try Ranks.join()
    // Clocks differ, so the first rank chooses a folder with a time in its name, and makes it. Two sweeps that start in
    // the same second have two folders.
    let folder = try ranks.together { try output ?? (ranks.isFirst ? Self.newFolder() : "") }
    let name = String(decoding: ranks.broadcast(Array(folder.utf8)), as: UTF8.self)
    do {
      try run(ranks.together { try request(name) }, ranks)
    } catch {
      if output == nil, ranks.isFirst { Self.discard(folder) }
      throw error
    }
  }

  private func run(_ request: SweepPlan.Request, _ ranks: any Communicator) throws {
    var warnings: [String] = []
    let plan = try ranks.together { try self.plan(of: request) { warnings.append("\($0)") } }
    let notice = "stopping: all runs finish games, then save; a second Ctrl-C or SIGTERM does not wait for them"
    let interrupt = dryRun ? nil : Interrupt(ranks, says: notice)
    let file = request.folder + "/summary.json"
    try ranks.together {
      guard interrupt != nil, isThere(request.folder) else { return }
      guard isFolder(request.folder) else {
        throw CommandEnd.failure("\(request.folder): is a file and not a folder: name another folder with --output")
      }
      try ReplacementFile.check(file)
    }
    let runs = plan.runs
    let states = try ranks.together { try self.states(of: runs) }
    try agree(on: runs, ranks)
    for text in warnings where ranks.isFirst { Terminal.warning(text) }
    guard let interrupt else { return ranks.isFirst ? list(runs, states) : () }
    let jobs = jobs ?? Self.room(for: runs, ranks)
    let workers = max(runs.map(\.configuration.workers).max() ?? 1, ranks.processors / jobs)
    try ThreadLimit.check(workers: workers, processes: min(jobs, runs.count))
    if ranks.isFirst { announce(runs, states, jobs: jobs, folder: request.folder, ranks) }
    let endings = try SweepShare(runs, states, on: ranks).run(jobs: jobs, interrupt: interrupt)
    guard ranks.isFirst else { return }
    let summary = SweepSummary(runs, endings)
    Terminal.line("\n\(summary.text)\n")
    try summary.write(to: file)
    Terminal.line("saved \(file)")
    try conclude(summary, interrupt: interrupt, folder: request.folder)
  }

  private func plan(
    of request: SweepPlan.Request, onWarning: (ConfigurationError.Problem) -> Void
  ) throws -> SweepPlan {
    try SweepPlan(
      request, environment: ProcessInfo.processInfo.environment, adjusting: ShippedModel.locate, onWarning: onWarning)
  }

  private func request(_ folder: String) throws -> SweepPlan.Request {
    var request = SweepPlan.Request(folder: folder)
    request.configurations = try (recipes + config).map(ShippedConfiguration.file)
    request.seeds = seeds
    request.settings = TypedOption(in: CommandLine.arguments).inOrder(set, [("training.games", games)])
    request.axes = vary
    if let draws { request.enumeration = .random(draws: draws, seed: drawSeed) }
    return request
  }

  /// Makes sure that all ranks have the same runs.
  private func agree(on runs: [SweepRun], _ ranks: any Communicator) throws {
    guard ranks.size > 1 else { return }
    let settings = runs.flatMap { run in
      run.configuration.trainingSettings.map { (name: "\(run.name): \($0.name)", value: $0.value) }
    }
    try ranks.requireEqual([("version", programVersion), ("behaviour", "\(behaviourVersion)")] + settings)
  }

  /// The state of each run. All problems with their folders are reported at once.
  private func states(of runs: [SweepRun]) throws -> [SweepRun.State] {
    var problems: [SweepError.Problem] = []
    var states: [SweepRun.State] = []
    for run in runs {
      do throws(SweepError.Problem) {
        states.append(try run.state())
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw SweepError(problems: problems) }
    return states
  }

  /// Prints commands only, so that each line of the output can be run, by any shell in this folder.
  private func list(_ runs: [SweepRun], _ states: [SweepRun.State]) {
    for (run, state) in zip(runs, states) {
      switch state {
      case .finished: continue
      case .fresh, .begun: Terminal.line(run.command(ProgramFile.command, resuming: state == .begun))
      }
    }
  }

  private func announce(
    _ runs: [SweepRun], _ states: [SweepRun.State], jobs: Int, folder: String, _ ranks: any Communicator
  ) {
    let begun = states.count { $0 == .begun }
    let fresh = states.count { $0 == .fresh }
    let rest = [(runs.count - begun - fresh, "finished before"), (begun, "to resume")].filter { $0.0 > 0 }
    let place = ranks.size > 1 ? " on each of \(ranks.size) ranks" : ""
    Terminal.line(
      "\(Format.counted(runs.count, "run")) in \(folder), \(jobs) at a time\(place)"
        + rest.map { ", \($0) \($1)" }.joined())
    let memory = runs.map { Trainer.memory(of: $0.configuration) }.max() ?? 0
    let atOnce = min(jobs * ranks.localSize, runs.count)
    let needed = memory * atOnce
    if UInt64(needed) > ProcessInfo.processInfo.physicalMemory {
      Terminal.warning(
        "\(Format.counted(atOnce, "run")) at a time can take up to \(Format.bytes(needed)) of memory, "
          + "which this machine does not have: give fewer --jobs")
    }
  }

  /// Prints the next step and sets the exit status.
  private func conclude(_ summary: SweepSummary, interrupt: Interrupt, folder: String) throws {
    var failures = 0
    var rest = 0
    for ending in summary.endings {
      switch ending {
      case .finished: continue
      case .failed: failures += 1
      case .stopped, .waiting: rest += 1
      }
    }
    if rest > 0 {
      let option = output == nil ? " and --output \(ShellText.word(folder))" : ""
      Terminal.line(
        "\(Format.counted(rest, "run")) \(rest == 1 ? "is" : "are") not finished; resume with the same command"
          + option)
    }
    // The other ranks have done their part and wait for the end of the first rank.
    if failures > 0 { throw CommandEnd.shared(SweepFailure(count: failures, of: summary.runs.count)) }
    guard rest > 0 else { return }
    guard !interrupt.isRequested else { throw CommandEnd.stopped("stopped") }
    throw CommandEnd.told(.failure)
  }

  /// The number of runs that the cores of a rank can train at a time.
  private static func room(for runs: [SweepRun], _ ranks: any Communicator) -> Int {
    let threads = runs.map(\.configuration.workers).max() ?? 1
    return max(ranks.processors / threads, 1)
  }

  private static func newFolder() throws -> String {
    try RunDirectory.claim("runs/sweep__\(RunDirectory.timeText())")
  }

  /// Removes the folder that was made for a sweep that did not start. A folder with anything in it stays.
  private static func discard(_ folder: String) { unsafe _ = rmdir(folder) }
}

/// Runs of a sweep have failed; the reasons were printed when they did.
struct SweepFailure: Error, CustomStringConvertible {
  let count: Int
  let total: Int

  init(count: Int, of total: Int) {
    self.count = count
    self.total = total
  }

  var description: String {
    "\(count) of \(Format.counted(total, "run")) failed (see above): the same command trains "
      + "\(count == 1 ? "it" : "them") again, and skips finished runs"
  }
}
