internal import SetTraining
// With these modules the program also trains Set and dense networks.
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
