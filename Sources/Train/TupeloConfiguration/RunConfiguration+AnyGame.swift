extension ConfigurationKey {
  /// Whether the setting is one of every game that can be trained. The others are about a game that the program knows,
  /// its network and its step-size rule.
  package var isOfAnyGame: Bool {
    need?.game == nil && path != "game" && Self.section(of: path).map { !$0.hasPrefix("network") } != false
      && path != "learner.step_size" && path != "learner.alpha"
  }
}

extension RunConfiguration {
  /// The settings of a game that the program does not know, as `yaml` has them.
  package var yamlOfAnyGame: String { yaml { $0.isOfAnyGame } }

  /// The first setting with another value than its default that means nothing in such a game.
  package var settingOfAnotherGame: String? {
    let standard = RunConfiguration()
    return ConfigurationKeys.of([self, standard]).rows.first { !$0.isOfAnyGame && !$0.isSame(in: self, standard) }?.path
  }
}
