internal import TupeloConfiguration
internal import TupeloNetwork
package import TupeloTraining

extension TupleFeatures: TrainableFeatures {
  package var choiceLimit: Int { Game2048.choiceLimit }

  package func makeTraining(_ specification: DenseModelSpecification, _ run: NewRun) throws -> any TrainingState {
    let configuration = run.configuration
    let game = Game2048(configuration.rules, starts: configuration.start, stages: network.stages)
    return try specification.makeTraining(run, game, makeEncoder()).state
  }
}
