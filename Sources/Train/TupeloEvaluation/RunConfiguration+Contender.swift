package import TupeloConfiguration
package import TupeloModels

extension RunConfiguration {
  /// Plays by a model of this configuration's game: expectimax to `evaluation.plies` in 2048, greedily in Set.
  package func contender(_ model: TrainedModel) -> Contender {
    model.base.contender(rules: gameRules, plies: evaluation.plies)
  }
}
