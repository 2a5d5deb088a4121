extension RunConfiguration {
  /// The settings of a game that the program does not know, as `yaml` has them.
  package var yamlOfAnyGame: String { yaml { $0.isOfAnyGame } }

  /// The first setting with another value than its default that means nothing in such a game, also where it would mean
  /// nothing in 2048 either: a width of dense networks without a dense network.
  package var settingOfAnotherGame: String? {
    let standard = RunConfiguration()
    let rows = ConfigurationKeys.of([self, standard]).rows
    return rows.first { !$0.isOfAnyGame && !$0.isEqual(in: self, standard) }?.path
  }
}
