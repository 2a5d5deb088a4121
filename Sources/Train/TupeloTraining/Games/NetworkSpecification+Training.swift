internal import TupeloConfiguration
internal import TupeloLearning
package import TupeloNetwork

extension NetworkSpecification: TrainableStructure {
  package func makeTraining(_ run: NewRun) throws -> any TrainingState {
    let tables = Tables2048(run.configuration)
    switch run.configuration.stepSize {
    case .constant(let alpha):
      return try run.train(ConstantStepSize(alpha: alpha), tables.kind(ConstantStepSize.self))
    case .temporalCoherence(let alpha):
      return try run.train(TemporalCoherence(alpha: alpha), tables.kind(TemporalCoherence.self))
    case .adam: preconditionFailure("a valid configuration trains tables without Adam")
    }
  }
}
