internal import ArgumentParser
internal import Foundation
internal import PlainText
internal import Safetensors
internal import Threads
internal import TupeloNetwork
internal import TupeloTraining
internal import TupeloRuns

struct TrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Trains a network by self-play, saves a checkpoint and evaluates it.",
    discussion: """
      Every setting is a key of the configuration; see --help-config. Of several settings of a key the first of these \
      holds: --set and the other options, environment (TUPELO_LEARNER_ALPHA for learner.alpha), file, default.

      Ctrl-C, SIGTERM and SIGHUP finish the games in progress, save, and exit with 130.
      """)

  @Option(name: .long, help: "Configuration file (YAML).", completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(name: .long, help: ArgumentHelp("Go on from a checkpoint or its run folder.", valueName: "path"))
  var resume: String?

  @Option(name: .long, help: "Games to train in all, such as 100k (training.games).")
  var games: String?

  @Option(name: .long, help: "Minutes after which to save and stop, whatever games are left (training.minutes).")
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

  @Option(name: .long, help: ArgumentHelp("Set any key; may be repeated.", valueName: "key=value"))
  var set: [String] = []

  @Flag(name: .long, help: "Resume with another game, learner, stages, episodes, seed or number of threads.")
  var allowChanges = false

  @Flag(
    name: .long,
    help: "Print all configuration keys and exit; with a word such as learner, the keys that begin with it.")
  var helpConfig = false

  func validate() throws {
    if resume != nil, config != nil {
      throw ValidationError("--resume continues with the checkpoint's own configuration: leave out --config")
    }
  }

  func run() throws {
    if helpConfig { return Terminal.line(RunConfiguration.reference) }
    let interrupt = Interrupt {
      Terminal.interruption("stopping: finishing games, then saving (Ctrl-C again ends without saving)")
    }
    let checkpoint = try resume.map { try Checkpoint(path: RunFolder.checkpoint(at: $0)) }
    let configuration = try configured(resuming: checkpoint)
    // A reader that is gone, or a log on a full disk, must not end the training.
    signal(SIGPIPE, SIG_IGN)
    Terminal.isExpendable.set()
    announce(configuration)
    let isFolderGiven = output != nil || set.contains { $0.hasPrefix("output.directory=") }
    let directory =
      try checkpoint.map { try RunDirectory.resume($0, with: configuration, isFolderGiven: isFolderGiven) }
      ?? RunDirectory.create(for: configuration)
    let trainer = try checkpoint?.resume(with: configuration, allowingChanges: allowChanges) ?? Trainer(configuration)
    if trainer.games > 0 { Terminal.line("resuming after \(Format.counted(trainer.games, "game"))") }
    if !trainer.hasHugePages {
      Terminal.line("note: the kernel grants no huge pages; training is 10 to 25% slower than it could be")
    }
    let target = configuration.training.games
    if trainer.games >= target {
      let more = trainer.games + max(target, 1)
      Terminal.line(
        "nothing to train after \(Format.grouped(trainer.games)) of \(Format.counted(target, "game")); "
          + "--games \(more) trains \(Format.grouped(more - trainer.games)) more")
      if hasResults(directory), !set.contains(where: { $0.hasPrefix("evaluation.") }) { return }
    }
    let run = try TrainingRun(
      trainer, in: directory, arguments: Array(CommandLine.arguments.dropFirst()), environment: variables)
    let (start, before) = (ContinuousClock.now, trainer.games)
    try train(run, interrupt: interrupt)
    if trainer.games > before {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      Terminal.line("trained \(Format.counted(trainer.games - before, "game")) in \(Format.duration(seconds))")
    }
    Terminal.line("saved \(directory.file(RunDirectory.Name.checkpoint))")
    if interrupt.isRequested {
      throw Stopped(
        "stopped after \(Format.counted(trainer.games, "game")); go on with: "
          + ShellText.command(["tupelo", "train", "--resume", directory.path]))
    } else if trainer.games < target {
      Terminal.line(
        "stopped by training.minutes after \(Format.grouped(trainer.games)) of \(Format.counted(target, "game")); "
          + "go on with: " + ShellText.command(["tupelo", "train", "--resume", directory.path]))
    } else {
      try evaluate(run, interrupt: interrupt)
    }
  }

  /// Whether the run has been evaluated, or needs no evaluation.
  private func hasResults(_ directory: RunDirectory) -> Bool {
    FileManager.default.fileExists(atPath: directory.file(RunDirectory.Name.evaluation))
  }

  private var overrides: [String] {
    let options = [
      ("training.games", games), ("training.threads", threads), ("seed", seed), ("output.directory", output),
      ("training.minutes", minutes), ("network.layout", layout), ("learner.alpha", alpha), ("name", name),
    ]
    return set + options.compactMap { key, value in value.map { "\(key)=\($0)" } }
  }

  /// The environment variables that settings of the run are from. A run that goes on has its own configuration.
  private var variables: [String: String] {
    resume == nil
      ? RunConfiguration.variables(in: ProcessInfo.processInfo.environment, overrides: overrides) : [:]
  }

  private func configured(resuming checkpoint: Checkpoint?) throws -> RunConfiguration {
    let warn = { (warning: ConfigurationError.Problem) in Terminal.warning("\(warning)") }
    guard let checkpoint else {
      return try RunConfiguration.load(
        file: config, environment: ProcessInfo.processInfo.environment, overrides: overrides, onWarning: warn)
    }
    return try RunConfiguration.load(
      yaml: checkpoint.configuration.yaml, sourceName: checkpoint.file.path, environment: [:], overrides: overrides,
      onWarning: warn)
  }

  /// Prints what will be trained and the memory it takes, before the memory is taken.
  private func announce(_ configuration: RunConfiguration) {
    let threads = configuration.training.threads
    Terminal.line(
      Format.wrapped(
        "\(configuration.name): \(configuration.model.title), \(Format.bytes(Trainer.memory(of: configuration))), "
          + "\(configuration.learnerText), \(Format.counted(threads, "thread")), seed \(configuration.seed)"))
    let cores = ProcessInfo.processInfo.activeProcessorCount
    if threads > cores {
      Terminal.warning("training.threads is \(threads) on \(Format.counted(cores, "core")), which gains nothing")
    }
  }

  private func train(_ run: TrainingRun, interrupt: Interrupt) throws {
    let trainer = run.trainer
    let training = trainer.configuration.training
    var printer = ProgressPrinter(
      target: training.games, reportGames: training.reportGames, rules: trainer.configuration.gameRules,
      minutes: training.minutes)
    defer { printer.finish() }
    try run.train(shouldStop: { interrupt.isRequested }) { event in
      switch event {
      case .round(let round): printer.add(round, games: trainer.games)
      case .evaluation(let report, let isBest): printer.show(report, isBest: isBest, games: trainer.games)
      case .problem(let error): printer.warn("\(error)")
      }
    }
  }

  private func evaluate(_ run: TrainingRun, interrupt: Interrupt) throws {
    let evaluation = run.trainer.configuration.evaluation
    let progress = Progress.Counted("evaluating", of: evaluation.games)
    let report = try run.evaluate(shouldStop: { interrupt.isRequested }, onGame: { progress.show($0) })
    progress.finish()
    guard let report else { return }
    let game = run.trainer.configuration.game
    let how = game == .set ? "" : " at \(evaluation.plies)-ply"
    Terminal.line("\nevaluation\(how), seed \(evaluation.seed)\n\(report)\n")
    let path = ShellText.word(run.directory.path)
    Terminal.line("watch it play:  tupelo autoplay \(path)")
    Terminal.line("measure it:     tupelo evaluate \(path) \(game.searchOption)")
    Terminal.line("draw its curve: tupelo plot \(path)")
  }
}

extension GameKind {
  /// Options of `evaluate` that make a model search.
  fileprivate var searchOption: String {
    switch self {
    case .twentyFortyEight: "--plies 2"
    case .set: "--agent 'search(count: 20)'"
    }
  }
}
