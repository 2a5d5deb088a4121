// With SetTraining and TupeloDense the library also trains Set and dense networks.
internal import SetTraining
internal import TupeloDense
internal import TupeloTraining

// The one place where the library names its games and their kinds of models.
extension GameCatalogue {
  /// All games of the library.
  static let foreign = GameCatalogue([.denseTwentyFortyEight, .set])
}

extension GameKind {
  /// The kind of a model, as callers see it.
  func kind(of structure: any ModelStructure) -> String {
    let isDense = structure is DenseModelSpecification
    return self == .set ? isDense ? "dense-set" : "set" : isDense ? "dense" : "tuples"
  }
}
