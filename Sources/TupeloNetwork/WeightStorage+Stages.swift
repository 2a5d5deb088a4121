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

  /// Gives every later stage all of the first. While no worker runs.
  public func copyFirstStage(of specification: NetworkSpecification) {
    let size = specification.stageWeightCount
    for index in size..<specification.patternWeightCount { self[index] = self[index - size] }
  }
}
