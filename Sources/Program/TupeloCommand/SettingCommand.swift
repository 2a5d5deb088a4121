internal import ArgumentParser
internal import TupeloTraining

/// An option that stands for a key of the configuration, such as `--games` for `training.games`.
typealias KeyOption<Command> = (name: String, key: ConfigurationKey, value: @Sendable (Command) -> String?)

/// A command that takes settings of the configuration: by `--set`, and some keys by options of their own.
protocol SettingCommand: ParsableCommand {
  /// The values of `--set`.
  var set: [String] { get }
  static var keyOptions: [KeyOption<Self>] { get }
}

extension SettingCommand {
  /// The settings that were typed.
  var assignments: [Assignment] {
    Self.keyOptions.compactMap { name, key, value in value(self).map { Assignment(key.path, $0, by: name) } }
      + self.set.map(Assignment.init)
  }

  /// The option that stands for a key.
  static func option(for key: String) -> String? { keyOptions.first { $0.key.path == key }?.name }
}
