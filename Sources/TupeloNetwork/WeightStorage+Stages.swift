/// What a later stage takes over from the one before it.
extension WeightStorage {
  /// Weight promotion (Jaskowski 2018, section III-F): a weight of a later stage that is still zero takes the value that it has in the
  /// nearest earlier stage, for good, when it is first looked at.
  ///
  /// - Parameter stageSize: weights per stage
  @inlinable
  public func promote(_ features: borrowing FeatureBuffer, slot: Int, stageSize: UInt32) {
    let indices = unsafe features.base(ofSlot: slot)
    for feature in 0..<features.featureCount {
      let address = unsafe address(indices[feature])
      guard unsafe address.loadRelaxed(word: 0) == 0 else { continue }
      var earlier = unsafe indices[feature]
      while earlier >= stageSize {
        earlier &-= stageSize
        let weight = unsafe self.address(earlier).loadRelaxed(word: 0)
        guard weight != 0 else { continue }
        unsafe address.storeRelaxed(weight, word: 0)
        break
      }
    }
  }

  /// Gives every weight of a later stage that is zero the weight of the stage before. While no worker runs.
  public func fillStages(of specification: NetworkSpecification) {
    let size = specification.stageWeightCount
    withMutableWeights { weights in
      for index in size..<specification.patternWeightCount where weights[index] == 0 {
        weights[index] = weights[index - size]
      }
    }
  }

  /// Gives weights of later stages that are zero here and no longer in `running` what the nearest earlier stage has here: until they were taken
  /// over there, they played as it. While no worker runs.
  public func fillStages<Running: WeightCell>(
    of specification: NetworkSpecification, takenOverIn running: WeightStorage<Running>
  ) {
    let size = specification.stageWeightCount
    precondition(running.count == count)
    running.withWeights { running in
      withMutableWeights { weights in
        for index in size..<specification.patternWeightCount where weights[index] == 0 && running[index] != 0 {
          var earlier = index
          while earlier >= size, weights[earlier] == 0 { earlier -= size }
          weights[index] = weights[earlier]
        }
      }
    }
  }

  /// Gives every later stage all of the first. While no worker runs.
  public func copyFirstStage(of specification: NetworkSpecification) {
    let size = specification.stageWeightCount
    for index in size..<specification.patternWeightCount { self[index] = self[index - size] }
  }
}
