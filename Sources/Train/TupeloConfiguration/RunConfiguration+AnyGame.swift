extension RunConfiguration {
  /// The settings of a game that is not in the catalogue, in the form of `yaml`.
  package var yamlOfAnyGame: String { yaml { $0.isOfAnyGame } }

  /// The first setting that differs from its default and does not apply to such a game. It may be a setting that does
  /// not apply to 2048 either, such as a width of dense networks without a dense network.
  package var settingOfAnotherGame: String? {
    let standard = RunConfiguration()
    let rows = ConfigurationKeys.of([self, standard]).rows
    return rows.first { !$0.isOfAnyGame && !$0.isEqual(in: self, standard) }?.path
  }
}
