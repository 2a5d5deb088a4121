internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

struct SweepCommand: SharedCommand, SettingCommand {
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

  @Option(name: .long, help: "Seeds, such as 1-5 or 1,3,7; a verdict needs five.")
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

  static let keyOptions: [KeyOption<Self>] = [("--games", .games, { $0.games })]

  func validate() throws {
    guard !recipes.isEmpty || !config.isEmpty || !vary.isEmpty || !set.isEmpty else {
      throw CommandEnd.wrong("nothing to compare: give configurations, or --vary key=value,value")
    }
    if let draws, !(1...SweepPlan.mostRuns).contains(draws) {
      throw CommandEnd.wrong("--draws is \(draws): give 1 to \(SweepPlan.mostRuns)")
    }
    if let jobs, !(1...1024).contains(jobs) { throw CommandEnd.wrong("--jobs is \(jobs): give 1 to 1024") }
  }

  var notice: String? {
    dryRun ? nil : "stopping: all runs finish games, then save; a second Ctrl-C or SIGTERM does not wait for them"
  }

  struct Plan {
    let folder: String
    let runs: [SweepRun]
    let states: [SweepRun.State]
    let warnings: [String]

    var summary: String { folder + "/summary.json" }
  }

  func plan(for job: Job) throws -> Plan? {
    // The folder is made with its name, so that two sweeps that start in the same second have two folders.
    let folder = try job.chosen { try output ?? RunDirectory.claim("runs/sweep__\(RunDirectory.timeText())") }
    // A folder with anything in it stays.
    if output == nil { job.undo = { unsafe _ = rmdir(folder) } }
    var warnings: [String] = []
    let runs = try SweepPlan(
      request(folder), environment: ProcessInfo.processInfo.environment, adjusting: ShippedModel.locate,
      onWarning: { warnings.append("\($0)") }
    ).runs
    if !dryRun, isThere(folder) {
      guard isFolder(folder) else {
        throw CommandEnd.failure("\(folder): is a file and not a folder: name another folder with --output")
      }
      try ReplacementFile.check(folder + "/summary.json")
    }
    let states = try states(of: runs)
    for (run, state) in zip(runs, states) {
      if case .finished = state { continue }
      try OwnTrainings.check(run)
    }
    return Plan(folder: folder, runs: runs, states: states, warnings: warnings)
  }

  func facts(of plan: Plan) -> [(name: String, value: String)] {
    plan.runs.flatMap { run in
      run.configuration.trainingSettings.map { (name: "\(run.name): \($0.name)", value: $0.value) }
    }
  }

  func carryOut(_ plan: Plan, with job: Job) throws {
    for text in plan.warnings { Terminal.warning(text) }
    guard !dryRun else { return list(plan) }
    let most = plan.runs.map(\.configuration.workers).max() ?? 1
    let jobs = jobs ?? max(job.processors / most, 1)
    try ThreadLimit.check(workers: max(most, job.processors / jobs), processes: min(jobs, plan.runs.count))
    announce(plan, jobs: jobs, job)
    let endings = try job.execute(plan.runs, plan.states, jobs: jobs)
    try job.first {
      let summary = SweepSummary(plan.runs, endings)
      Terminal.line("\n\(summary.text)\n")
      try summary.write(to: plan.summary)
      Terminal.line("saved \(plan.summary)")
      try conclude(summary, isStopped: job.interrupt.isRequested, folder: plan.folder)
    }
  }

  private func request(_ folder: String) throws -> SweepPlan.Request {
    var request = SweepPlan.Request(folder: folder)
    request.configurations = try (recipes + config).map(ShippedConfiguration.file)
    request.seeds = seeds
    request.settings = assignments
    request.axes = vary
    if let draws { request.enumeration = .random(draws: draws, seed: drawSeed) }
    return request
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
  private func list(_ plan: Plan) {
    for (run, state) in zip(plan.runs, plan.states) {
      switch state {
      case .finished: continue
      case .fresh, .begun: Terminal.line(run.command(ProgramFile.command, resuming: state == .begun))
      }
    }
  }

  private func announce(_ plan: Plan, jobs: Int, _ job: Job) {
    let runs = plan.runs
    let begun = plan.states.count { $0 == .begun }
    let fresh = plan.states.count { $0 == .fresh }
    let rest = [(runs.count - begun - fresh, "finished before"), (begun, "to resume")].filter { $0.0 > 0 }
    Terminal.line(
      "\(Format.counted(runs.count, "run")) in \(plan.folder), \(jobs) at a time\(job.place)"
        + rest.map { ", \($0) \($1)" }.joined())
    let memory = runs.map { Trainer.memory(of: $0.configuration) }.max() ?? 0
    let atOnce = min(jobs * job.localSize, runs.count)
    let needed = memory * atOnce
    if UInt64(needed) > ProcessInfo.processInfo.physicalMemory {
      Terminal.warning(
        "\(Format.counted(atOnce, "run")) at a time can take up to \(Format.bytes(needed)) of memory, "
          + "which this machine does not have: give fewer --jobs")
    }
  }

  /// Prints the next step and sets the exit status.
  private func conclude(_ summary: SweepSummary, isStopped: Bool, folder: String) throws {
    var failures = 0
    // A run that failed before its first record would fail again: its settings or its folder are wrong.
    var early = 0
    var rest = 0
    for (run, ending) in zip(summary.runs, summary.endings) {
      switch ending {
      case .finished: continue
      case .failed:
        failures += 1
        if run.recordedGames == 0 { early += 1 }
      case .stopped, .waiting: rest += 1
      }
    }
    if rest > 0 {
      let option = output == nil ? " and --output \(ShellText.word(folder))" : ""
      Terminal.line(
        "\(Format.counted(rest, "run")) \(rest == 1 ? "is" : "are") not finished; resume with the same command"
          + option)
    }
    if failures > 0 {
      let advice =
        early > 0
        ? ", \(early) of them before the first games: correct what is wrong there, and give the same --output to skip "
          + "finished runs"
        : ": the same command trains \(failures == 1 ? "it" : "them") again, and skips finished runs"
      throw CommandEnd.failure(
        "\(failures) of \(Format.counted(summary.runs.count, "run")) failed (see above)" + advice)
    }
    guard rest > 0 else { return }
    throw isStopped ? CommandEnd.stopped("stopped") : CommandEnd.told(.failure)
  }
}
