// With SetTraining and TupeloDense the program also trains Set and dense networks.
internal import Safetensors
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

extension RunConfiguration {
  /// Makes sure that a run does not start from a model of another game of the program: a trainer can read models of its
  /// own game only.
  ///
  /// - Throws: `TrainedModelError.otherGame`.
  package func checkInitialModel() throws {
    guard let path = initialModel else { return }
    let file = try SafetensorsFile(path: ModelPath.file(at: path))
    let found = try ModelDescription(in: file, of: .program).game
    guard found == game else { throw TrainedModelError.otherGame(path: file.path, found, wanted: game) }
  }
}
