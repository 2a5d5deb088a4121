internal import ArgumentParser
internal import TupeloBase
internal import TupeloRuns
internal import TupeloTraining

/// Checks of the command line that the parser does not make.
enum CommandLineCheck {
  /// A first word that is not a command, with the command that was probably meant. `help` is looked through.
  static func unknownCommand(in arguments: [String]) -> ValidationError? {
    var words = arguments[...]
    if words.first == "help" { words = words.dropFirst() }
    let known = arguments.first == "help" ? names + [AgentGuide.topic] : names
    guard let word = words.first, !word.hasPrefix("-"), !known.contains(word) else { return nil }
    let meant = Spelling.nearest(to: word, among: known).map { ", did you mean '\($0)'?" } ?? ""
    return ValidationError("\(word.quoted) is not a command\(meant.isEmpty ? ":" : meant) tupelo --help lists them")
  }

  /// A hint for a wrong command line: its help, or for `train` and `sweep` how to set a key that was given as an
  /// option.
  static func hint(for message: String, _ arguments: [String]) -> String {
    guard let name = arguments.first(where: { !$0.hasPrefix("-") }), names.contains(name) else { return "" }
    if ["train", "sweep"].contains(name), let key = key(ofOptionIn: message) {
      return ": set it with --set \(key)=VALUE"
    }
    if name == "arena", message.hasPrefix("Unknown option"),
      agentSettings.contains(where: { message.hasPrefix("Unknown option '--\($0)'") })
    {
      return ": settings stand in the player, such as \"models/small@expectimax(plies: 2)\""
    }
    return message.contains("tupelo ") ? "" : " (tupelo \(name) --help)"
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

  /// The exit code for an error: 64 where something that was typed is wrong, although the parser took it; or else the
  /// code of the parser. Problems with files and environment variables are not wrong command lines.
  static func exitCode(of error: any Error) -> ExitCode {
    let isTyped =
      switch error {
      case let error as ConfigurationError: error.problems.contains { $0.source.isTyped }
      case let error as SweepError: error.problems.contains(where: \.isTyped)
      default: false
      }
    return isTyped ? .validationFailure : TupeloCommand.exitCode(for: error)
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

  /// The parser's text in one line; some of its messages have several. A message about a value that is not a number
  /// becomes the wording of the rest of the program.
  static func oneLine(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
    let parts = line.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "The value ", parts[2] == " is invalid for ", parts[4].isEmpty else {
      return line
    }
    let option = parts[3].prefix { $0 != " " }
    return "\(option) is \(parts[1]): give \(Self.wanted[String(option)] ?? "a number")"
  }

  /// The values of options that take more than a number.
  private static let wanted = [
    "--seed": "a whole number from 0 on", "--games": "a whole number, such as 500 or 10k",
    "--shard": "i/n with i from 1 to n, such as 1/4",
  ]

  /// The text of `train --help-config learner`. A flag takes no word, so the parser would refuse it. `nil` for another
  /// command line.
  ///
  /// - Throws: `ValidationError` when no key contains the word.
  static func keyReference(for arguments: [String]) throws -> String? {
    guard arguments.count == 3, arguments[..<2] == ["train", "--help-config"], !arguments[2].hasPrefix("-") else {
      return nil
    }
    let text = RunConfiguration.reference(of: arguments[2], in: .program)
    guard text.isEmpty else { return text }
    let nearest = Spelling.nearest(to: arguments[2], among: ConfigurationKeys.program.sections.sorted() + keyNames)
    throw ValidationError(
      "no configuration key contains \(arguments[2].quoted)" + (nearest.map { ", did you mean \($0)?" } ?? ""))
  }

  /// The name of a command; `nil` for help.
  static func name(of command: any ParsableCommand) -> String? {
    type(of: command).configuration.commandName.flatMap { names.contains($0) ? $0 : nil }
  }

  /// Whether a command line asks for help, as `train --help` does: the parser has a command for it.
  static func isHelp(_ command: any ParsableCommand) -> Bool { type(of: command).configuration.commandName == "help" }

  private static let names = TupeloCommand.configuration.subcommands.compactMap { $0.configuration.commandName }

  /// Settings of agents that other commands have as options.
  private static let agentSettings = ["agent", "plies", "milliseconds", "rollouts"]

  /// Completions of an assignment, such as `learner.alpha=`.
  static var assignments: CompletionKind { .list(keyNames.map { $0 + "=" }) }

  private static let keyNames = ConfigurationKeys.program.rows.map(\.path)

  /// The key that an unknown option is the last part of: `network.layout` for `--layout`.
  private static func key(ofOptionIn message: String) -> String? {
    let start = "Unknown option '--"
    guard message.hasPrefix(start), let option = message.dropFirst(start.count).split(separator: "'").first else {
      return nil
    }
    let ending = "." + String(option).replacing("-", with: "_")
    return keyNames.first { $0.hasSuffix(ending) }
  }
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
    case .badRange, .rangeWithoutDraws, .drawsOfNothing, .tooFewVariants, .halvingFromTooMany, .stopsEarly,
      .equalVariants:
      true
    case .configuration(let problem): problem.source.isTyped
    case .unequalGames, .sameName, .noEvaluation, .unreadable, .otherSettings: false
    }
  }
}
