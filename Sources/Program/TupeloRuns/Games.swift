// With SetTraining and TupeloDense the program also trains Set and dense networks.
internal import SetTraining
internal import TupeloDense
package import TupeloTraining

// The only place where the program names its games and their kinds of models.
extension GameCatalogue {
  /// All games of the program.
  package static let program = GameCatalogue([.denseTwentyFortyEight, .set])
}

extension ConfigurationKeys {
  /// The settings of all games of the program.
  package static let program = ConfigurationKeys(.program)
}
