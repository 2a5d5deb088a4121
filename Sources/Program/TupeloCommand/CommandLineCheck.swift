internal import ArgumentParser
internal import TupeloBase
internal import TupeloReports
internal import TupeloTraining

/// Checks of the command line that the parser does not make.
enum CommandLineCheck {
  /// A first word that is not a command, with the command that was probably meant. `help` is looked through.
  static func unknownCommand(in arguments: [String]) -> CommandEnd? {
    var words = arguments[...]
    if words.first == "help" { words = words.dropFirst() }
    let known = arguments.first == "help" ? names + [AgentGuide.topic] : names
    guard let word = words.first, !word.hasPrefix("-"), !known.contains(word) else { return nil }
    if word == "version" { return CommandEnd.wrong("\(word.quoted) is not a command: write tupelo --version") }
    let meant = Spelling.nearest(to: word, among: known).map { ", did you mean '\($0)'?" } ?? ""
    return CommandEnd.wrong("\(word.quoted) is not a command\(meant.isEmpty ? ":" : meant) tupelo --help lists them")
  }

  /// The text of a wrong command line, in one line; some texts of the parser have several. A text that names no other
  /// command ends with the help of the command.
  static func text(_ message: String, _ arguments: [String]) -> String {
    let line = naming(message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " "))
    guard let name = arguments.first(where: { !$0.hasPrefix("-") }) else {
      return line + " (\(ProgramBuild.name) --help)"
    }
    guard names.contains(name) else { return line }
    if let command = OptionWords.command(named: name) as? any SettingCommand.Type,
      let mistaken = keyAsOption(in: line, of: command)
    {
      return mistaken
    }
    return line.contains("tupelo ") ? line : line + " (\(ProgramBuild.name) \(name) --help)"
  }

  /// The parser's text for a wrong value with the kind of value that is wanted. Values of its other options are words,
  /// which the parser lists.
  private static func naming(_ line: String) -> String {
    guard let found = line.wholeMatch(of: /The value '(.*)' is invalid for '.*'/) else { return line }
    return line + (Double(found.1) == nil ? ": give a number" : ": give a whole number")
  }

  /// How to set a key that was typed as an option, such as `learner.lambda` for `--lambda`; `nil` where there is none.
  ///
  /// - Parameter line: the parser's text, which names the option that it does not know
  private static func keyAsOption(in line: String, of command: any SettingCommand.Type) -> String? {
    guard let option = line.prefixMatch(of: /Unknown option '(--[^']+)'/)?.1 else { return nil }
    let typed = String(option.dropFirst(2)).replacing("-", with: "_")
    if case .contradiction(let why) = ConfigurationKeys.program.reason(against: typed) {
      return "Unknown option '\(option)': \(why)"
    }
    let named = keyNames.first { $0 == typed } ?? keyNames.first { $0.hasSuffix("." + typed) }
    guard let key = named ?? OtherWords.key(for: typed),
      command != SweepCommand.self || !SweepPlan.ownKeys.contains(key)
    else { return nil }
    let own = command.option(for: key)
    return "Unknown option '\(option)': " + (own.map { "give \($0) VALUE" } ?? "set it with --set \(key)=VALUE")
  }

  /// Arguments with each negative number joined to the option before it. The parser takes `-5` for an option, and would
  /// say that the value is missing.
  static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    var isEnded = false
    for argument in arguments {
      let isNumber = argument.first == "-" && argument.dropFirst().first?.isWholeNumber == true
      if !isEnded, isNumber, let option = joined.last, option.hasPrefix("--"), !option.contains("=") {
        joined[joined.count - 1] += "=" + argument
      } else {
        joined.append(argument)
      }
      isEnded = isEnded || argument == "--"
    }
    return joined
  }

  /// The exit code for an error: 64 where something that was typed is wrong. Problems with files and environment
  /// variables are not wrong command lines.
  static func exitCode(of error: any Error) -> ExitCode {
    switch error {
    case let end as CommandEnd: end.code
    case let error as ConfigurationError where error.problems.contains { $0.source.isTyped }: .validationFailure
    case let error as SweepError where error.problems.contains(where: \.isTyped): .validationFailure
    default: TupeloCommand.exitCode(for: error)
    }
  }

  /// The lines of an error with several problems; `nil` for any other error.
  static func problems(of error: any Error) -> [String]? {
    let lines =
      switch error {
      case let error as ConfigurationError: error.problems.map(\.description)
      case let error as SweepError: error.problems.map(\.description)
      default: [String]()
      }
    return lines.count > 1 ? lines : nil
  }

  /// The text of `train --help-config learner`. A flag takes no word, so the parser would refuse it. `nil` for another
  /// command line.
  ///
  /// - Throws: `CommandEnd.wrong` when no key contains the word.
  static func keyReference(for arguments: [String]) throws -> String? {
    guard arguments.count == 3, arguments[..<2] == ["train", "--help-config"], !arguments[2].hasPrefix("-") else {
      return nil
    }
    let text = RunConfiguration.reference(of: arguments[2], in: .program)
    guard text.isEmpty else { return text }
    if case .contradiction(let why) = ConfigurationKeys.program.reason(against: arguments[2]) {
      throw CommandEnd.wrong("no configuration key contains \(arguments[2].quoted): \(why)")
    }
    let nearest = Spelling.nearest(to: arguments[2], among: ConfigurationKeys.program.sections.sorted() + keyNames)
    throw CommandEnd.wrong(
      "no configuration key contains \(arguments[2].quoted)" + (nearest.map { ", did you mean \($0)?" } ?? ""))
  }

  /// The name of a command; `nil` for help.
  static func name(of command: any ParsableCommand) -> String? {
    type(of: command).configuration.commandName.flatMap { names.contains($0) ? $0 : nil }
  }

  /// Whether a command line asks for help, as `train --help` does: the parser has a command for it.
  static func isHelp(_ command: any ParsableCommand) -> Bool { type(of: command).configuration.commandName == "help" }

  static let names = TupeloCommand.configuration.subcommands.compactMap { $0.configuration.commandName }

  /// Completions of an assignment, such as `learner.alpha=`.
  static var assignments: CompletionKind { .list(keyNames.map { $0 + "=" }) }

  private static let keyNames = ConfigurationKeys.program.all.map(\.path)
}

extension ConfigurationError.Source {
  /// Whether a setting comes from the command line.
  fileprivate var isTyped: Bool {
    switch self {
    case .override, .option: true
    case .file, .environment, .program: false
    }
  }
}

extension SweepError.Problem {
  /// Whether the command line is wrong, and not a file or a folder.
  fileprivate var isTyped: Bool {
    switch self {
    case .badSeeds, .repeatedSeed, .badAxis, .repeatedValue, .ownKey, .repeatedKey, .tooManyRuns, .longName: true
    case .loneSeed: true
    case .badRange, .rangeWithoutDraws, .drawsOfNothing, .tooFewVariants, .equalVariants: true
    case .configuration(let problem): problem.source.isTyped
    case .sameName, .noEvaluation, .unreadable, .otherSettings: false
    }
  }
}
