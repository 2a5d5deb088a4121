internal import ArgumentParser

/// Words of other programs for options of this one. A word that means the same is taken for the option; for any other
/// word, the error says what to write.
enum OptionWords {
  private enum Meaning {
    /// The word means this option, with the same values.
    case option(String)
    /// The word names the model, which this program takes as an argument.
    case model
    /// There is something to write instead where the command has an option.
    case write(String, where: String)
  }

  private static let meanings: [String: Meaning] = {
    var meanings: [String: Meaning] = [
      "--milliseconds": time, "--time": time, "--ms": time, "--time-limit": time, "--nodes": nodes,
      "--rollouts": rollouts, "--simulations": rollouts, "--timesteps": length, "--total-timesteps": length,
      "--epochs": length,
    ]
    for (option, words) in [
      ("--plies", ["--depth", "--ply", "--search-depth", "-d"]),
      ("--games", ["-n", "--num-games", "--n-games", "--episodes", "--num-episodes", "--count"]),
      ("--threads", ["-j", "-t", "--jobs", "--workers", "--num-workers", "--cores", "--num-threads"]),
      ("--seed", ["-s", "--random-seed"]), ("--alpha", ["--lr", "--learning-rate", "--step-size"]),
      ("--agent", ["--player", "--policy", "--strategy"]), ("--output", ["--out"]), ("--record", ["--save"]),
    ] {
      for word in words { meanings[word] = .option(option) }
    }
    for word in ["--model", "-m", "--network", "--weights", "--checkpoint"] { meanings[word] = .model }
    return meanings
  }()

  private static let time = Meaning.write("--agent 'expectimax(milliseconds: 20)'", where: "--agent")
  private static let nodes = Meaning.write("--agent 'expectimax(nodes: 100000)'", where: "--agent")
  private static let rollouts = Meaning.write("--agent 'montecarlo(rollouts: 200)'", where: "--agent")
  private static let length = Meaning.write("--games, because training is counted in games", where: "--games")

  /// Parses a command line, with options of other programs in place of words that are unknown here.
  ///
  /// - Throws: `CommandEnd.wrong`, which for a word with another form here says what to write; for help and versions,
  ///   what the parser throws.
  static func parse(_ typed: [String]) throws -> any ParsableCommand {
    var arguments = typed
    while true {
      do {
        return try TupeloCommand.parseAsRoot(arguments)
      } catch {
        let message = TupeloCommand.message(for: error)
        guard let next = try replaced(in: arguments, after: message) else {
          throw TupeloCommand.exitCode(for: error) == .success ? error : CommandEnd.wrong(message)
        }
        arguments = next
      }
    }
  }

  /// The command line with another word for the one that the parser complains about; `nil` when there is none.
  private static func replaced(in arguments: [String], after message: String) throws -> [String]? {
    guard let found = message.firstMatch(of: /Unknown option '(-[^']+)'/), let name = arguments.first,
      let command = command(named: name),
      let place = arguments.firstIndex(where: { $0 == found.1 || $0.hasPrefix(found.1 + "=") }),
      let meaning = meanings[String(found.1)]
    else { return nil }
    let value = arguments[place].dropFirst(found.1.count)
    var rest = arguments
    switch meaning {
    case .option(let option) where has(option, command):
      rest[place] = option + value
    case .model where command.configuration.usage?.contains("<model") == true:
      // The model is the first argument.
      guard !value.isEmpty || place + 1 < arguments.count else {
        throw CommandEnd.wrong("\(found.1) has no value: write tupelo \(name) MODEL")
      }
      let model = value.isEmpty ? arguments[place + 1] : String(value.dropFirst())
      rest.removeSubrange(place...(value.isEmpty ? place + 1 : place))
      rest.insert(model, at: 1)
    case .write(let text, let option) where has(option, command):
      throw CommandEnd.wrong("Unknown option '\(found.1)': write \(text)")
    default: return nil
    }
    return rest
  }

  static func command(named name: String) -> (any ParsableCommand.Type)? {
    TupeloCommand.configuration.subcommands.first { $0.configuration.commandName == name }
  }

  /// Whether a command has an option with a value.
  static func has(_ option: String, _ command: any ParsableCommand.Type) -> Bool {
    TupeloCommand.helpMessage(for: command, columns: 200).contains("\(option) <")
  }
}
