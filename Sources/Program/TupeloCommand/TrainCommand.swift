internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

struct TrainCommand: SharedCommand, SettingCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Trains a network by self-play, saves a checkpoint and evaluates it.",
    usage: "tupelo train [<configuration>] [<options>]",
    discussion: """
      Every setting is a key of the configuration, and tupelo train --help-config lists all keys. When a key is set in \
      several places, the first of these wins: the command line, the environment (TUPELO_LEARNER_ALPHA for \
      learner.alpha), the file or checkpoint, the default. On the command line, the last --set of a key counts, and a \
      key with an option of its own, such as --alpha, is set by --set or by the option, but not by both.

      Ctrl-C, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 and SIGXCPU finish the games in progress, save a checkpoint and exit \
      with 130. They stop an evaluation at once, and --resume repeats it.

      With --set training.replicas=2, two threads learn on weights of their own, which are merged at regular \
      intervals. Under mpirun, all processes train one network together: tupelo train --help-config training.replicas \
      explains both.

      Example:
        tupelo train quickstart
      """)

  @Argument(
    help: ArgumentHelp(
      "A configuration by its name, or a YAML file; tupelo train alone lists the names.", valueName: "configuration"),
    completion: .configurations)
  var recipe: String?

  @Option(
    name: .long, help: "Another way to give the configuration.", completion: .configurations)
  var config: String?

  @Option(name: .long, help: ArgumentHelp("Resume from a checkpoint or its run folder.", valueName: "path"))
  var resume: String?

  @Option(name: .long, help: "Games to train in all, such as 100k; +100k means that many more (training.games).")
  var games: String?

  @Option(name: .long, help: "Minutes after which to save, evaluate and stop (training.minutes).")
  var minutes: String?

  @Option(
    name: .long, help: "Network by its name, such as 8x6 (network.layout).",
    completion: .list(NamedLayout.all.map(\.name)))
  var layout: String?

  @Option(name: .long, help: "Step size (learner.alpha).")
  var alpha: String?

  @Option(name: .long, help: "Name of the run (name).")
  var name: String?

  @Option(name: .long, help: "Training threads (training.threads).")
  var threads: String?

  @Option(name: .long, help: "Random seed (seed).")
  var seed: String?

  @Option(name: .long, help: "Run folder (output.directory).", completion: .directory)
  var output: String?

  @Option(
    name: .long, help: ArgumentHelp("Set any key; may be repeated.", valueName: "key=value"),
    completion: CommandLineCheck.assignments)
  var set: [String] = []

  @Flag(name: .long, help: "Print all settings as YAML, and train nothing.")
  var dryRun = false

  @Flag(name: .long, help: "Print only warnings, errors and results.")
  var quiet = false

  @Flag(name: .long, help: "Let --resume change rules, learner settings, stages, episodes, seed or threads.")
  var allowChanges = false

  @Flag(
    name: .long,
    help: "Print all configuration keys and exit; with a word such as lambda, only the keys that contain it.")
  var helpConfig = false

  static let keyOptions: [KeyOption<Self>] = [
    ("--games", .games, { $0.games }), ("--minutes", .minutes, { $0.minutes }),
    ("--threads", .threads, { $0.threads }), ("--layout", .layout, { $0.layout }),
    ("--alpha", .alpha, { $0.alpha }), ("--name", .name, { $0.name }), ("--seed", .seed, { $0.seed }),
    ("--output", .directory, { $0.output }),
  ]

  /// Refuses options that contradict each other. This is not `validate`, because the parser validates before it reports
  /// an unknown option, whose value would be taken for a configuration.
  private func check() throws {
    if let recipe, config != nil {
      throw CommandEnd.wrong("\(recipe.quoted) and --config both name a configuration: give one of them")
    }
    if let given = recipe ?? config.map({ _ in "--config" }), resume != nil {
      throw CommandEnd.wrong("--resume continues with the checkpoint's own configuration: leave out \(given)")
    }
  }

  var notice: String? {
    "stopping: finishing games, then saving; a second Ctrl-C or SIGTERM ends without saving"
  }

  struct Plan {
    let configuration: RunConfiguration
    let checkpoint: Checkpoint?
    let warnings: [String]
    /// The training of a program that is built on this one; `nil` for those of the package.
    let ownTraining: OwnTraining?
  }

  func plan(for job: Job) throws -> Plan? {
    try check()
    // Without a plan there is nothing to train: the command has printed what was asked for.
    if helpConfig {
      Terminal.line(RunConfiguration.reference(of: "", in: .program))
      return nil
    }
    guard dryRun || !isBare else { throw CommandEnd.told(.validationFailure, try ShippedConfiguration.overview()) }
    let checkpoint = try resume.map(ShippedModel.checkpoint)
    let (configuration, warnings) = try configured(resuming: checkpoint)
    let plan = Plan(
      configuration: configuration, checkpoint: checkpoint, warnings: warnings,
      ownTraining: try OwnTrainings.training(of: configuration))
    guard !dryRun else {
      warn(warnings)
      Terminal.line(String(configuration.yaml.dropLast()))
      return nil
    }
    if plan.ownTraining == nil { try Trainer.check(configuration, communicator: job.communicator) }
    let evaluation = configuration.evaluation
    try ThreadLimit.check(workers: max(configuration.workers, evaluation.games > 0 ? evaluation.threads : 1))
    if plan.ownTraining != nil {
      guard job.size == 1 else { throw CommandEnd.wrong("own.training is for one process: leave out mpirun") }
      return plan
    }
    try checkpoint?.check(configuration, allowingChanges: allowChanges)
    if checkpoint == nil { try configuration.checkInitialModel() }
    return plan
  }

  func facts(of plan: Plan) -> [(name: String, value: String)] {
    let games = plan.checkpoint?.games ?? 0
    return [("games played", "\(games)"), ("moves played", "\(plan.checkpoint?.moves ?? 0)")]
      + plan.configuration.trainingSettings
  }

  func carryOut(_ plan: consuming Plan, with job: Job) throws {
    // A closed pipe, or a log on a full disk, must not end the training.
    signal(SIGPIPE, SIG_IGN)
    Terminal.isExpendable.set()
    let (directory, warnings) = (try folder(of: plan, job), plan.warnings)
    // With the plan ends the checkpoint. Its file is mapped, and would keep its place on the disk after the run has
    // replaced it.
    let trainer = try trainer(consume plan, job)
    try job.train {
      guard let directory else { return try TrainingRun.follow(trainer) }
      try lead(trainer, in: directory, job) {
        warn(warnings)
        announce(trainer, in: directory, job)
      }
    }
  }

  private func trainer(_ plan: consuming Plan, _ job: Job) throws -> Trainer {
    let (configuration, checkpoint) = (plan.configuration, plan.checkpoint)
    if let ownTraining = plan.ownTraining {
      return try OwnTrainings.trainer(ownTraining, configuration, checkpoint, allowingChanges: allowChanges)
    }
    return
      try checkpoint?.resume(with: configuration, allowingChanges: allowChanges, communicator: job.communicator)
      ?? Trainer(configuration, communicator: job.communicator)
  }

  private func warn(_ warnings: [String]) {
    for text in warnings { Terminal.warning(text) }
  }

  /// Prints a line that --quiet leaves out.
  private func say(_ text: String) {
    if !quiet { Terminal.line(text) }
  }

  /// The run folder, locked; `nil` in all processes but the first.
  private func folder(of plan: Plan, _ job: Job) throws -> RunDirectory? {
    try job.first { try folder(plan.configuration, plan.checkpoint) }
  }

  private func folder(_ configuration: RunConfiguration, _ checkpoint: Checkpoint?) throws -> RunDirectory {
    guard let checkpoint, !checkpoint.isPortable else { return try RunDirectory.create(for: configuration) }
    return try RunDirectory.resume(checkpoint, with: configuration, isFolderGiven: isFolderGiven)
  }

  private var isFolderGiven: Bool {
    let key = ConfigurationKey.directory
    return isTyped(key.path) || variables.keys.contains(key.variable)
  }

  /// Trains, saves and evaluates.
  ///
  /// - Parameter announce: called when nothing can refuse the run any more
  private func lead(
    _ trainer: Trainer, in directory: RunDirectory, _ job: Job, announce: () -> Void
  ) throws {
    let target = trainer.configuration.training.games
    let nothing =
      "nothing to train after \(Format.grouped(trainer.games)) of \(Format.counted(target, "game")); "
      + "--games +\(target) trains \(Format.grouped(target)) more"
    if trainer.games >= target, try directory.hasEvaluation(of: trainer), !isTyped("evaluation") {
      announce()
      return Terminal.line(nothing)
    }
    let run = try TrainingRun(trainer, in: directory, arguments: arguments, environment: variables)
    announce()
    if trainer.games >= target { Terminal.line(nothing) }
    let (start, before) = (ContinuousClock.now, trainer.games)
    let outcome = try train(run, job.interrupt)
    if trainer.games > before {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      say("trained \(Format.counted(trainer.games - before, "game")) in \(Format.duration(seconds))")
      if let merges = trainer.merges { say(job.text(of: merges, in: seconds)) }
    }
    Terminal.line("saved \(directory.file(RunDirectory.Name.checkpoint))")
    try show(outcome, of: run)
    let again = isTyped("evaluation")
    if try run.needsEvaluation(after: outcome, again: again) { try evaluate(run, job.interrupt) }
  }

  /// Prints how a session has ended.
  private func show(_ outcome: Outcome, of run: TrainingRun) throws {
    guard let text = run.text(of: outcome) else { return }
    switch outcome {
    case .finished, .stopped, .outOfTime: Terminal.line(text)
    case .interrupted: throw CommandEnd.stopped(text)
    }
  }

  /// Whether the command line sets a key, or a key of a section.
  private func isTyped(_ path: String) -> Bool {
    assignments.contains { $0.key == path || ConfigurationKey.section(of: $0.key) == path }
  }

  private var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

  /// Whether the command line and the environment do not say what to train.
  private var isBare: Bool {
    recipe == nil && config == nil && resume == nil && assignments.isEmpty && variables.isEmpty
  }

  /// The environment variables that settings of the run are from.
  private var variables: [String: String] {
    RunConfiguration.variables(
      in: ProcessInfo.processInfo.environment, overrides: assignments.map(\.text), of: .program)
  }

  /// The configuration of the run, and warnings about it.
  private func configured(resuming checkpoint: Checkpoint?) throws -> (RunConfiguration, warnings: [String]) {
    var warnings: [String] = []
    let text: ConfigurationText? =
      try checkpoint.map { .yaml($0.configuration.yaml, name: $0.file.path) }
      ?? (recipe ?? config).map { .file(try ShippedConfiguration.file($0)) }
    var configuration = try RunConfiguration.load(
      text, environment: ProcessInfo.processInfo.environment, assignments: assignments,
      resuming: checkpoint.map { RunConfiguration.Past($0.configuration, games: $0.games) }, of: .program,
      onWarning: { warnings.append("\($0)") })
    ShippedModel.locate(&configuration)
    if let checkpoint, checkpoint.isPortable, !isFolderGiven,
      configuration.output.directory == checkpoint.configuration.output.directory
    {
      // The file has travelled, so the folder that the run once had means nothing here.
      configuration.output.directory = nil
    }
    if let command = checkpoint?.command, !isTyped("output.on_checkpoint"), configuration.output.onCheckpoint == nil {
      warnings.append(
        "the run called a command after each checkpoint, and does not call it now: if you trust it, set it again with "
          + ShellText.command(["--set", "output.on_checkpoint=\(Spelling.printable(command, limit: 1000))"]))
    }
    return (configuration, warnings)
  }

  /// Says that replicas have learned less than one thread after equal games. This holds on 4x4 while each has played
  /// few games, and longer with rare merges; configs/notebooks/replicas.md has the measurements.
  private func warn(ofReplicas count: Int, _ configuration: RunConfiguration) {
    let training = configuration.training
    let enough = count * (training.mergeMoves < 100_000 ? 10_000 : 20_000)
    guard count > 1, training.games < enough, training.minutes == 0, configuration.rules.shape == .standard else {
      return
    }
    say(
      Format.wrapped(
        "note: after \(Format.counted(training.games, "game")) \(count) replicas have learned less than one thread, "
          + "because each plays its share; they play more games a minute: give more --games, or --minutes"))
  }

  /// Prints the run and the memory that it takes.
  private func announce(_ trainer: Trainer, in directory: RunDirectory, _ job: Job) {
    let (configuration, games) = (trainer.configuration, trainer.games)
    let (threads, replicas) = (configuration.training.threads, configuration.training.replicas)
    let workers = job.each(replicas > 1 ? Format.counted(replicas, "replica") : Format.counted(threads, "thread"))
    say(
      Format.wrapped(
        "\(configuration.name): \(configuration.model.title), \(job.memory(of: configuration)), "
          + "\(configuration.learnerText(after: games)), \(workers), seed \(configuration.seed)"))
    let setting = replicas > 1 ? "training.replicas is \(replicas)" : "training.threads is \(threads)"
    if let text = job.warning(ofWorkers: threads * replicas, setting) { Terminal.warning(text) }
    // A run that begins, or has travelled, has a folder that nobody has named.
    if configuration.output.directory == nil, games == trainer.roundedAt.last ?? 0 {
      say("run folder: \(directory.path)")
    }
    if let aside = directory.metricsAside {
      say("note: an earlier start left metrics and no checkpoint; they are now in \(aside)")
    }
    if games > 0 { say("resuming after \(Format.counted(games, "game"))") }
    #if os(Linux)
    // A process cannot ask other systems for huge pages.
    if !trainer.hasHugePages {
      say("note: the kernel grants no huge pages; training is 10 to 25% slower than it could be")
    }
    #endif
    warn(ofReplicas: replicas * job.size, configuration)
  }

  private func train(_ run: TrainingRun, _ interrupt: Interrupt) throws -> Outcome {
    let trainer = run.trainer
    let training = trainer.configuration.training
    var printer = ProgressPrinter(
      target: training.games, reportGames: training.reportGames, rules: trainer.configuration.gameRules,
      minutes: training.minutes, games: trainer.games, moves: trainer.moves, isQuiet: quiet)
    defer { printer.finish() }
    return try run.train(shouldStop: { interrupt.isRequested }, cancellation: interrupt.cancellation) { event in
      switch event {
      case .round(let round): printer.add(round, games: trainer.games)
      case .evaluation(let report, let isBest): printer.show(report, isBest: isBest, games: trainer.games)
      case .problem(let error): printer.warn("\(error)")
      }
    }
  }

  private func evaluate(_ run: TrainingRun, _ interrupt: Interrupt) throws {
    let evaluation = run.trainer.configuration.evaluation
    interrupt.says("stopping the evaluation; \(Interrupt.second)")
    let (progress, quiet) = (Progress.Counted("evaluating", of: evaluation.games), quiet)
    var problem: (any Error)?
    let report = try run.evaluate(
      cancellation: interrupt.cancellation, onGame: { if !quiet { progress.show($0) } }, onProblem: { problem = $0 })
    progress.finish()
    guard let report else {
      throw CommandEnd.stopped("the training is saved; its evaluation was stopped: \(run.advice)")
    }
    let game = CommandGames.of(run.trainer.configuration.game)
    Terminal.line("\nevaluation\(game.manner(evaluation)), seed \(evaluation.seed)\n\(report)\n")
    if let problem { throw problem }
    let (path, program) = (ShellText.word(run.directory.path), ShellText.word(ProgramBuild.name))
    say("watch it play:  \(program) autoplay \(path)")
    say("measure it:     \(program) evaluate \(path) \(game.searchOption)")
    say("draw its curve: \(program) plot \(path), or tensorboard --logdir \(path)")
    say("its files:      RunFolders.md in Sources/Train/TupeloRuns/TupeloRuns.docc")
  }
}
