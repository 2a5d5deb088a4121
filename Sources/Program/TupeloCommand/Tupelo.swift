internal import ArgumentParser
internal import CTupeloStart
internal import Foundation
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

/// The program `tupelo`, also with trainings of one's own.
public enum Program {
  /// Runs the command that the command line names, and ends the process with its exit code.
  ///
  /// ```swift
  /// await Program.main(trainings: [
  ///   "adaptive-response": { run in
  ///     let rule = AdaptiveResponse(window: try run.own("window", default: 1000))
  ///     return try Trainer(
  ///       run.configuration, rule: rule, resuming: run.checkpoint, allowingChanges: run.allowsChanges)
  ///   }
  /// ])
  /// ```
  ///
  /// Then `train` and `sweep` of the caller's program train with this rule, if `own.training` is `adaptive-response`,
  /// and all other commands read the runs.
  ///
  /// - Parameters:
  ///   - commit: the commit that the program is built from, with `+` when tracked files had changes; nil where there is
  ///     no repository
  ///   - trainings: makes the trainer of a run, by the names that key `own.training` gives them
  @MainActor public static func main(builtFrom commit: String? = nil, trainings: [String: OwnTraining] = [:]) async {
    // Until the first `await`, this runs on the first thread: libdispatch has no threads yet.
    tupelo_loaded()
    TupeloCommand.checkThreads()
    Interrupt.prepare()
    ProgramBuild.setCommit(commit)
    OwnTrainings.set(trainings)
    if !trainings.isEmpty, let path = CommandLine.arguments.first {
      ProgramBuild.setName(fileURL(path).lastPathComponent)
    }
    #if DEBUG
    if !trainings.isEmpty { Terminal.note("note: a debug build trains a hundred times slower: use -c release") }
    #endif
    await TupeloCommand.main()
  }
}

struct TupeloCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tupelo",
    abstract: "Trains, measures and plays agents for 2048 and the card game Set.",
    discussion: """
      The exit code is 0 for success, 1 for a failure, 64 for a wrong command line, and 130 when a signal stopped the \
      command. A second Ctrl-C or SIGTERM, at least one second after the first, ends a command at once.

      tupelo help agents lists the agents that can play, with their settings.

      Example:
        tupelo train quickstart
      """,
    version: programVersion,
    groupedSubcommands: [
      CommandGroup(
        name: "Train",
        subcommands: [
          TrainCommand.self, SweepCommand.self, RunsCommand.self, CompareCommand.self, PlotCommand.self,
        ]),
      CommandGroup(
        name: "Measure",
        subcommands: [EvaluateCommand.self, ArenaCommand.self, ProbeCommand.self, MergeCommand.self]),
      CommandGroup(
        name: "Play",
        subcommands: [
          PlayCommand.self, AdviseCommand.self, AutoplayCommand.self, AnalyzeCommand.self, ReviewCommand.self,
          ServeCommand.self, SiteCommand.self,
        ]),
      CommandGroup(
        name: "Model",
        subcommands: [
          ModelsCommand.self, InspectCommand.self, ExportCommand.self, ImportCommand.self, AverageCommand.self,
          FoldCommand.self,
        ]),
      CommandGroup(name: "Research", subcommands: [SolveCommand.self, BenchCommand.self]),
    ])

  /// The text of `tupelo` alone: all commands, each in one line.
  private static var overview: String {
    let groups = configuration.groupedSubcommands.map { group in
      let lines = group.subcommands.map { command in
        "  " + Format.padded(command.configuration.commandName ?? "", to: 10) + command.configuration.abstract
      }
      return ([group.name] + lines).joined(separator: "\n")
    }
    let end = """
      tupelo train quickstart trains a first agent. tupelo help COMMAND explains a
      command, and tupelo help agents lists the agents that can play.
      """
    return ([configuration.abstract] + groups + [end]).joined(separator: "\n\n")
  }

  /// Parses, runs, and turns an error into one line and an exit code.
  static func main() async {
    // This is checked first, because Foundation repairs the texts later.
    let wrongText = ForeignText.complaint
    let arguments = CommandLineCheck.joiningNegativeNumbers(Array(CommandLine.arguments.dropFirst()))
    do {
      if let wrongText { throw wrongText }
      if arguments == ["help", AgentGuide.topic] { return Terminal.line(AgentGuide.text) }
      if let keys = try CommandLineCheck.keyReference(for: arguments) { return Terminal.line(keys) }
      if let wrong = CommandLineCheck.unknownCommand(in: arguments) { throw wrong }
      if let ended = SolveCommand.refusal(of: arguments) { throw ended }
      if arguments.isEmpty { return Terminal.line(ProgramFile.commands(in: overview)) }
      var command = try OptionWords.parse(arguments)
      if !CommandLineCheck.isHelp(command) { try ForeignText.checkFolder() }
      try Job.check(command)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Job.leave()
    } catch {
      end(exitCode(for: error) == .success ? error : Job.share(error), arguments)
    }
  }

  /// Ends the program where the system does not allow it the threads that every command needs.
  static func checkThreads() {
    do throws(CommandEnd) {
      try ThreadLimit.check()
    } catch {
      end(error, [])
    }
  }

  private static func end(_ error: any Error, _ arguments: [String]) -> Never {
    let code = CommandLineCheck.exitCode(of: error)
    let text = message(for: error)
    let isSurprise = Job.surprises(with: error)
    let head = "Error: " + (isSurprise ? Terminal.name : "")
    switch error as? CommandEnd {
    case .told, .stopped: if !text.isEmpty { Terminal.note(text) }
    case .wrong: Terminal.note(head + CommandLineCheck.text(text, arguments))
    case nil where code == .success:
      // Help and versions are not errors.
      let isScript = arguments.first?.hasPrefix("--generate-completion-script") == true
      guard !text.isEmpty else { break }
      Terminal.line(isScript ? CompletionScript.completed(text) : ProgramFile.commands(in: text))
    case .failure, nil:
      let problems = CommandLineCheck.problems(of: error)
      Terminal.note(head + (problems.map { "\($0.count) problems:" } ?? text))
      for problem in problems ?? [] { Terminal.note(problem) }
    }
    if isSurprise { Job.abort(code: code.rawValue) } else { Job.leave() }
    Foundation.exit(code.rawValue)
  }
}
