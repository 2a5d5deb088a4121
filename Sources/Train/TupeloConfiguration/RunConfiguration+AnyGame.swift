extension ConfigurationKey {
  /// Whether the setting applies to every game that can be trained. Other settings apply only to games in the
  /// catalogue, their networks and their step-size rules.
  package var isOfAnyGame: Bool {
    need?.game == nil && path != "game" && Self.section(of: path).map { !$0.hasPrefix("network") } != false
      && path != "learner.step_size" && path != "learner.alpha"
  }
}

extension RunConfiguration {
  /// The settings of a game that is not in the catalogue, in the form of `yaml`.
  package var yamlOfAnyGame: String { yaml { $0.isOfAnyGame } }

  /// The first setting that differs from its default and does not apply to such a game.
  package var settingOfAnotherGame: String? {
    let standard = RunConfiguration()
    return ConfigurationKeys.of([self, standard]).rows.first { !$0.isOfAnyGame && !$0.isSame(in: self, standard) }?.path
  }
}
