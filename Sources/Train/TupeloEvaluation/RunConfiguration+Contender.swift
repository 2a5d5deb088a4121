package import TupeloConfiguration
package import TupeloModels

extension RunConfiguration {
  /// The player with a model of this configuration's game: expectimax to `evaluation.plies` in 2048, greedy play in
  /// Set.
  package func contender(_ model: TrainedModel) -> Contender {
    model.base.contender(rules: gameRules, plies: evaluation.plies)
  }
}
