package import TupeloDense
package import TupeloTraining

extension SetFeatures: TrainableFeatures {
  package var choiceLimit: Int { SetSelfPlay.choiceLimit }

  package func makeTraining(_ specification: DenseModelSpecification, _ run: NewRun) throws -> any TrainingState {
    try specification.makeTraining(run, SetSelfPlay(rules), makeEncoder()).state
  }
}
