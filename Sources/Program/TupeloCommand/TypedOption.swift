internal import TupeloRuns
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

  /// The option for a key; `nil` when `--set` sets it, or no option does.
  func name(of key: String) -> String? {
    let assigned = key + "="
    let settings = arguments.indices.dropFirst().filter { arguments[$0].hasPrefix(assigned) }
    if settings.contains(where: { arguments[$0 - 1] == "--set" }) { return nil }
    if settings.contains(where: { arguments[$0 - 1] == "--vary" }) { return "--vary \(key)" }
    let options = Self.options(of: key)
    let typed = arguments.map { String($0.prefix { $0 != "=" }) }
    return options.first(where: typed.contains)
  }

  /// The names that an option for the key can have: its last part, or its section if that is clear enough.
  static func options(of key: String) -> [String] {
    [ConfigurationKey.leaf(of: key), ConfigurationKey.section(of: key)].compactMap { $0 }
      .map { "--" + $0.replacing("_", with: "-") }
  }
}
