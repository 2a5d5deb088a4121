internal import SetAgents
public import SetEngine
public import TupeloModels

/// A model of Set for play, of any kind that can be trained.
public protocol SetModel: GameModel, SetEvaluator {
  /// The rules that it was trained for.
  var rules: SetRules { get }
}

extension SetModel {
  /// The model, played greedily.
  func greedy(rules: GameRules) -> Contender {
    guard let rules = rules.base as? SetRules else { preconditionFailure("\(rules) are not rules of Set") }
    return Contender(name: "greedy") { SetPlayer(EndgamePlayer(GreedySetPlayer(self)), rules: rules) }
  }
}

extension TrainedModel {
  /// The model as a model of Set.
  ///
  /// - Parameter path: the path of the model, for errors
  /// - Throws: `TrainedModelError.otherGame`.
  public func set(path: String) throws -> any SetModel {
    guard let model = base as? any SetModel else {
      throw TrainedModelError.otherGame(path: path, base.structure.game, wanted: .set)
    }
    return model
  }
}
