internal import TupeloReports
internal import TupeloTraining

/// The option by which a key of the configuration was set, for messages: `--games` for `training.games`.
struct TypedOption {
  private let arguments: [String]

  init(in arguments: [String]) { self.arguments = arguments }

  /// The error with the options that were typed, if it is about the configuration.
  func naming(_ error: any Error) -> any Error {
    switch error {
    case let error as ConfigurationError: error.naming(option: name)
    case let error as SweepError: error.naming(option: name)
    default: error
    }
  }

  /// The option that was typed last for a key; `nil` for `--set`, or when no option sets it.
  func name(of key: String) -> String? {
    let options = Self.options(of: key)
    let last = names.indices.last { options.contains(names[$0]) || assignedKey(at: $0) == key }
    switch last.map({ names[$0] }) {
    case "--vary": return "--vary \(key)"
    case "--set", nil: return nil
    case let option: return option
    }
  }

  /// The key that `--set` or `--vary` at a place assigns: `--set key=value`, or `--set=key=value`.
  private func assignedKey(at place: Int) -> String? {
    guard ["--set", "--vary"].contains(names[place]) else { return nil }
    let isJoined = arguments[place] != names[place]
    guard isJoined || place + 1 < arguments.count else { return nil }
    return Assignment(isJoined ? String(arguments[place].dropFirst(names[place].count + 1)) : arguments[place + 1]).key
  }

  /// The settings of a command line in the order in which they were typed, so that the last one of a key wins.
  ///
  /// - Parameters:
  ///   - settings: the values of `--set`, in their order
  ///   - options: the keys that have options of their own, with the values that were typed
  func inOrder(_ settings: [String], _ options: [(key: String, value: String?)]) -> [String] {
    let places = names.indices.filter { names[$0] == "--set" }
    var typed = settings.enumerated().map { number, text in
      (place: number < places.count ? places[number] : arguments.count, text: text)
    }
    for case (let key, let value?) in options {
      let place = names.lastIndex(where: Self.options(of: key).contains) ?? arguments.count
      typed.append((place, "\(key)=\(value)"))
    }
    return typed.sorted { $0.place < $1.place }.map(\.text)
  }

  /// The arguments without the values after `=`, as far as they are options.
  private var names: [String] { arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) } }

  /// The names that an option for the key can have: its last part, or its section if that is clear enough.
  static func options(of key: String) -> [String] {
    [ConfigurationKey.leaf(of: key), ConfigurationKey.section(of: key)].compactMap { $0 }
      .map { "--" + $0.replacing("_", with: "-") }
  }
}
