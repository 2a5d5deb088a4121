internal import TupeloBase

/// All problems of a configuration, from all its sources.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// At least one problem, in the order file (by line), environment, command line.
  public let problems: [Problem]

  public struct Problem: Error, Hashable, Sendable {
    public let source: Source
    /// The dotted path as it was given; `nil` if the problem is about the source as a whole.
    public let key: String?
    public let reason: Reason
  }

  /// The source of a setting.
  public enum Source: Hashable, Sendable {
    /// - Parameters line, column: from 1; `nil` for the file as a whole.
    case file(String, line: Int?, column: Int?)
    case environment(variable: String)
    case override(key: String)
    /// An option of the program that stands for an override, such as `--games`.
    case option(String)
    /// A `RunConfiguration` that a program has made.
    case program
  }

  public enum Reason: Hashable, Sendable {
    case missingFile(nearest: String?)
    case unreadable(String)
    case tooLarge(limit: Int)
    case notUTF8
    case notYAML(String)
    case notAMapping
    case keyNotText
    /// A type before a value, such as `!!int`.
    case tag
    /// The key `<<`, which takes over the keys of another mapping.
    case mergeKey
    /// The file has no setting.
    case noSettings
    case tooManyAliases
    case nestedTooDeeply(limit: Int)
    /// The file has further problems, which are not listed.
    case further
    case unknownKey(nearest: String?)
    case section(example: String)
    case noAssignment
    /// - Parameter firstLine: the line of the occurrence before
    case repeated(firstLine: Int)
    case refused(ValueRefusal, expected: String)
    /// Settings that are impossible, contradict each other or have no effect, as a sentence.
    case contradiction(String)
  }

  /// One line per problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ConfigurationError.Problem: CustomStringConvertible {
  public var description: String {
    let name = source.rank == 0 ? key.map { Spelling.printable($0) } : nil
    return ["\(source)", name, "\(reason)"].compactMap(\.self).joined(separator: ": ")
  }
}

extension ConfigurationError.Source: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let path, let line, _): Spelling.printable(path, limit: 1000) + (line.map { ":\($0)" } ?? "")
    case .environment(let variable): "environment \(Spelling.printable(variable))"
    case .override(let key): "--set \(Spelling.printable(key))"
    case .option(let name): name
    case .program: "configuration"
    }
  }

  /// The precedence of the source: settings of a higher rank override those of a lower one.
  var rank: Int {
    switch self {
    case .file, .program: 0
    case .environment: 1
    case .override, .option: 2
    }
  }

  /// The line in the file, if the source has one.
  var line: Int? { if case .file(_, let line, _) = self { line } else { nil } }
}

extension ConfigurationError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missingFile(let nearest): "no such file" + suggestion(nearest)
    case .unreadable(let reason): "cannot be read: \(Spelling.printable(reason))"
    case .tooLarge(let limit): "larger than \(limit >> 20) MiB: this is not a configuration file"
    case .notUTF8: "not UTF-8 text: this is not a configuration file"
    case .notYAML(let reason): "not valid YAML: \(Spelling.printable(reason, limit: 200))"
    case .notAMapping: "not a list of keys and values: write lines such as 'seed: 1'"
    case .keyNotText: "a key must be a text, such as seed"
    case .tag: "YAML tags (!name) are not supported: leave the tag out"
    case .mergeKey: "YAML merge keys (<<) are not supported: write the keys out"
    case .noSettings: "sets nothing: all settings have their defaults; tupelo train --help-config lists the keys"
    case .tooManyAliases: "too many YAML aliases (*name), or aliases of long texts: write their values out"
    case .nestedTooDeeply(let limit): "nested more than \(limit) levels deep: write keys such as learner.alpha: 0.5"
    case .further: "further problems are not listed"
    case .unknownKey(let nearest): "unknown key" + suggestion(nearest)
    case .section(let example): "is a section, not a key: set one of its keys, such as \(example)"
    case .noAssignment: "no value: write key=value, such as learner.alpha=0.5"
    case .repeated(let line): "given more than once, first in line \(line): leave one out"
    // The error of stages says what to give.
    case .refused(.stages(let error), _): "\(ValueRefusal.stages(error))"
    case .refused(.notAllowed(let text, let nearest), let expected):
      "\(ValueRefusal.notAllowed(text, nearest: nil)): give \(expected)" + suggestion(nearest)
    case .refused(let refusal, let expected): "\(refusal): give \(expected)"
    case .contradiction(let text): text
    }
  }

  private func suggestion(_ nearest: String?) -> String {
    nearest.map { ", did you mean \(Spelling.printable($0))?" } ?? ""
  }
}
