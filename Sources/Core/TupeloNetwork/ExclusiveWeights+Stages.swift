package import TupeloTables

/// Fills later stages from earlier ones, in passes over the whole table. `WeightStorage.promote(_:slot:stageSize:)`
/// does it one weight at a time.
extension ExclusiveWeights {
  /// Gives every weight of a later stage that is zero the weight of the previous stage.
  package mutating func fillStages(of specification: NetworkSpecification) {
    let size = specification.stageWeightCount
    withMutableWeights { weights in
      for index in size..<specification.weightCount where weights[index] == 0 {
        weights[index] = weights[index - size]
      }
    }
  }

  /// Fills weights of later stages that are zero here but no longer zero in `running`.
  ///
  /// Each of these weights takes the value that the nearest earlier stage has here. Until `running` promoted the
  /// weight, play used this value for it.
  package mutating func fillStages<Running: WeightCell>(
    of specification: NetworkSpecification, takenOverIn running: borrowing ReadableWeights<Running>
  ) {
    let size = specification.stageWeightCount
    precondition(running.count == count)
    running.withWeights { running in
      for range in changeable {
        for index in range where index >= size && self[index] == 0 && running[index] != 0 {
          var earlier = index
          while earlier >= size, self[earlier] == 0 { earlier -= size }
          self[index] = self[earlier]
        }
      }
    }
  }

  /// Copies all weights of the first stage, with their sums, to every later stage that may change.
  package mutating func copyFirstStage(of specification: NetworkSpecification) {
    let size = specification.stageWeightCount
    for start in stride(from: size, to: specification.weightCount, by: size)
    where isChangeable(start..<start + size) { copy(0..<size, to: start) }
  }
}
