package import TupeloTables

/// What a later stage takes over from the one before it, in passes over the whole table.
/// `WeightStorage.promote(_:slot:stageSize:)` does it weight by weight.
extension ExclusiveWeights {
  /// Gives every weight of a later stage that is zero the weight of the stage before.
  package mutating func fillStages(of specification: NetworkSpecification) {
    let size = specification.stageWeightCount
    withMutableWeights { weights in
      for index in size..<specification.weightCount where weights[index] == 0 {
        weights[index] = weights[index - size]
      }
    }
  }

  /// Gives weights of later stages that are zero here and no longer in `running` what the nearest earlier stage has
  /// here: until they were taken over there, they played as it.
  package mutating func fillStages<Running: WeightCell>(
    of specification: NetworkSpecification, takenOverIn running: borrowing ExclusiveWeights<Running>
  ) {
    let size = specification.stageWeightCount
    precondition(running.count == count)
    running.withWeights { running in
      withMutableWeights { weights in
        for index in size..<specification.weightCount where weights[index] == 0 && running[index] != 0 {
          var earlier = index
          while earlier >= size, weights[earlier] == 0 { earlier -= size }
          weights[index] = weights[earlier]
        }
      }
    }
  }

  /// Gives every later stage all weights of the first. Their sums become those of the first as well.
  package mutating func copyFirstStage(of specification: NetworkSpecification) {
    let size = specification.stageWeightCount
    withMutableWeights { weights in
      for index in size..<specification.weightCount { weights[index] = weights[index - size] }
    }
    let width = Cell.sumCount
    guard width > 0 else { return }
    withMutableSums { sums in
      for index in size * width..<specification.weightCount * width { sums[index] = sums[index - size * width] }
    }
  }
}
