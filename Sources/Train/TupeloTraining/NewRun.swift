package import TupeloCluster
package import TupeloConfiguration
internal import TupeloBase
package import TupeloModels
internal import TupeloTables

/// A structure of models that can be trained. A module that adds a game or a kind of model lets its structure adopt
/// this protocol. A program that links the module can then train such models, without changes elsewhere.
package protocol TrainableStructure: ModelStructure {
  /// Makes the state that a run trains.
  func makeTraining(_ run: NewRun) throws -> any TrainingState

  /// Bytes for a run's parameters and for everything that is kept with them.
  ///
  /// - Parameter ranks: the number of processes that train together; the bytes are those of one of them
  func trainingMemory(_ configuration: RunConfiguration, ranks: Int) -> Int

  /// The error for a run that does not fit into memory.
  func outOfMemory(_ configuration: RunConfiguration, bytes: Int, available: Int) -> any Error
}

/// Tables of weights, and their sums and average.
extension TrainableStructure {
  package func trainingMemory(_ configuration: RunConfiguration, ranks: Int) -> Int {
    let perWeight = configuration.stepSize.isCoherent ? CoherenceCell.byteCount : PlainCell.byteCount
    let average = configuration.averaging.everyGames > 0 ? PlainCell.byteCount : 0
    let weights = tables.reduce(0) { $0 + $1.size }
    return weights * (perWeight + average) + replicaMemory(configuration, weights: weights, ranks: ranks)
  }

  private func replicaMemory(_ configuration: RunConfiguration, weights: Int, ranks: Int) -> Int {
    guard configuration.hasReplicas(on: ranks) else { return 0 }
    let replicas = configuration.training.replicas
    return configuration.stepSize.isCoherent
      ? ReplicaGroup<CoherenceCell>.byteCount(weights: weights, replicas: replicas)
      : ReplicaGroup<PlainCell>.byteCount(weights: weights, replicas: replicas)
  }

  package func outOfMemory(_ configuration: RunConfiguration, bytes: Int, available: Int) -> any Error {
    WeightStorageError.outOfMemory(bytes: bytes, available: available)
  }
}

/// The settings and objects of a new run.
@usableFromInline
package struct NewRun {
  @usableFromInline package let configuration: RunConfiguration
  /// The random streams of the workers of all processes.
  package let streams: [RandomStream]
  /// The value of every state before training, in score points.
  package let initialValue: Float
  /// The processes that train together.
  package let communicator: any Communicator

  package init(
    configuration: RunConfiguration, streams: [RandomStream], initialValue: Float = 0,
    communicator: any Communicator = SoloCommunicator()
  ) {
    (self.configuration, self.streams) = (configuration, streams)
    (self.initialValue, self.communicator) = (initialValue, communicator)
  }
}

extension RunConfiguration {
  /// The structure of the configuration's model, if the program can train it; `nil` otherwise.
  var trainable: (any TrainableStructure)? {
    do {
      return try structure() as? any TrainableStructure
    } catch {
      return nil
    }
  }
}
