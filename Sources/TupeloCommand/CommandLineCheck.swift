internal import ArgumentParser
internal import PlainText
internal import TupeloTraining

/// What the parser does not say about a wrong command line.
enum CommandLineCheck {
  /// A first word that is no command, with the command that was probably meant. `help` is looked through.
  static func unknownCommand(in arguments: [String]) -> ValidationError? {
    var words = arguments[...]
    if words.first == "help" { words = words.dropFirst() }
    guard let word = words.first, !word.hasPrefix("-"), !names.contains(word) else { return nil }
    let meant = Spelling.nearest(to: word, among: names).map { ", did you mean '\($0)'?" } ?? ""
    return ValidationError("\(word.quoted) is no command\(meant.isEmpty ? ":" : meant) tupelo --help lists them")
  }

  /// Where to read on, and for `train` and `sweep` how a key is set that was given as an option.
  static func hint(for message: String, _ arguments: [String]) -> String {
    guard let name = arguments.first(where: { !$0.hasPrefix("-") }), names.contains(name) else { return "" }
    if ["train", "sweep"].contains(name), let key = key(ofOptionIn: message) {
      return ": set it with --set \(key)=VALUE"
    }
    return message.contains("tupelo ") ? "" : " (tupelo \(name) --help)"
  }

  /// What `train --help-config learner` prints: a flag takes no word, so the parser knows none. `nil` for another
  /// command line.
  ///
  /// - Throws: `CommandFailure` when no key begins with the word.
  static func keyReference(for arguments: [String]) throws -> String? {
    guard arguments.count == 3, arguments[..<2] == ["train", "--help-config"], !arguments[2].hasPrefix("-") else {
      return nil
    }
    let text = RunConfiguration.reference(of: arguments[2])
    guard text.isEmpty else { return text }
    let nearest = Spelling.nearest(to: arguments[2], among: ConfigurationKey.sections.sorted() + keyNames)
    throw CommandFailure(
      "no configuration key begins with \(arguments[2].quoted)" + (nearest.map { ", did you mean \($0)?" } ?? ""))
  }

  private static let names = TupeloCommand.configuration.subcommands.compactMap { $0.configuration.commandName }

  private static let keyNames = ConfigurationKey.table.map(\.path)

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
