package import TupeloCluster
package import TupeloConfiguration
internal import TupeloBase
package import TupeloModels
internal import TupeloTables

/// A structure of models that can be trained. A module that adds a game or a kind of model lets its structure adopt
/// this protocol. A program that links the module can then train such models, without changes elsewhere.
package protocol TrainableStructure: ModelStructure {
  /// Makes the state that a run trains.
  func makeTraining(_ run: RunInput) throws -> any TrainingState

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
    let weights = tables.reduce(0) { $0 + $1.size }
    return configuration.stepSize.isCoherent
      ? TableMemory.bytes(CoherenceCell.self, weights: weights, configuration, ranks: ranks)
      : TableMemory.bytes(PlainCell.self, weights: weights, configuration, ranks: ranks)
  }

  package func outOfMemory(_ configuration: RunConfiguration, bytes: Int, available: Int) -> any Error {
    WeightStorageError.outOfMemory(bytes: bytes, available: available)
  }
}

/// The memory of tables in training.
enum TableMemory {
  /// Bytes for weights with their sums, their average and their replicas.
  static func bytes<Cell: WeightCell>(
    _ cell: Cell.Type, weights: Int, _ configuration: RunConfiguration, ranks: Int = 1
  ) -> Int {
    let average = configuration.averaging.everyGames > 0 ? PlainCell.byteCount : 0
    let replicas =
      configuration.hasReplicas(on: ranks)
      ? ReplicaGroup<Cell>.byteCount(weights: weights, replicas: configuration.training.replicas) : 0
    return weights * (Cell.byteCount + average) + replicas
  }
}

/// What a run is made from, whether it is new or resumed: its settings, random streams and processes.
@usableFromInline
package struct RunInput {
  @usableFromInline package let configuration: RunConfiguration
  /// The random streams of the workers of all processes.
  package let streams: [RandomStream]
  /// The value of every state before training, in score points; 0 for a run that is resumed.
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
