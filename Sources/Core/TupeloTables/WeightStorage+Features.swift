/// Prefetches, reads and updates the weights that a slot of a `FeatureBuffer` names.
extension WeightStorage {
  /// The address of a slot's features.
  ///
  /// - Precondition: the buffer's layout names no weight beyond this storage.
  @unsafe @inlinable @inline(__always)
  func indices(_ features: borrowing FeatureBuffer, slot: Int) -> UnsafePointer<UInt32> {
    precondition(features.layout.weightCount <= count, "the features are of a larger network than the weights")
    return unsafe features.base(ofSlot: slot)
  }

  /// Prefetches the weights of all features of a slot.
  ///
  /// The layout is not compared, because a prefetch is harmless for any address.
  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) {
    unsafe prefetch(features.base(ofSlot: slot), count: features.layout.featureCount)
  }

  /// Prefetches the weights at `count` indices.
  ///
  /// - Precondition: `indices` points to `count` indices, rounded up to whole vectors of eight.
  @unsafe @inlinable @inline(__always)
  package func prefetch(_ indices: UnsafePointer<UInt32>, count: Int) {
    var feature = 0
    while feature < count {
      for lane in 0..<8 { unsafe prefetchLine(address(indices[feature &+ lane])) }
      feature &+= 8
    }
  }

  /// Prefetches the sums of all features of a slot, for an update.
  @inlinable @inline(__always)
  public func prefetchSums(_ features: borrowing FeatureBuffer, slot: Int) {
    guard Cell.sumCount > 0 else { return }
    let indices = unsafe features.base(ofSlot: slot)
    var feature = 0
    while feature < features.layout.featureCount {
      for lane in 0..<8 { unsafe prefetchLine(sumsAddress(indices[feature &+ lane])) }
      feature &+= 8
    }
  }

  /// The sum of the weights of a slot's features, in score points; see `LaneSums` for the order of additions.
  @inlinable @inline(__always)
  public func sum(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    unsafe sum(indices(features, slot: slot), count: features.layout.featureCount)
  }

  /// The sum of the weights at `count` indices, in score points.
  @unsafe @inlinable @inline(__always)
  package func sum(_ indices: UnsafePointer<UInt32>, count: Int) -> Float {
    var sums = LaneSums()
    var feature = 0
    while feature &+ 8 <= count {
      sums.add { lane in unsafe self.weight(indices[feature &+ lane]) }
      feature &+= 8
    }
    while feature < count {
      unsafe sums.add(weight(indices[feature]), lane: feature & 7)
      feature &+= 1
    }
    return sums.total
  }

  /// Changes every cell of a slot's features, one after the other. A feature that occurs twice is changed twice.
  ///
  /// - Parameter change: changes one cell
  /// - Returns: the sum of the changed weights, as `update(_:slot:_:four:)` returns it
  @inlinable @inline(__always) @discardableResult
  public func update(_ features: borrowing FeatureBuffer, slot: Int, _ change: (inout Cell) -> Void) -> Float {
    let (indices, count) = unsafe (indices(features, slot: slot), features.layout.featureCount)
    let joined = phase.join(isOfRound: isOfRound)
    defer { if joined { phase.leave() } }
    unsafe touch(indices, count: count)
    var sums = LaneSums()
    var feature = 0
    while feature < count {
      unsafe sums.add(update(indices[feature], change), lane: feature & 7)
      feature &+= 1
    }
    return sums.total
  }

  /// Changes every cell of a slot's features, in order. A feature that occurs twice is changed twice.
  ///
  /// - Parameters:
  ///   - features: the buffer of features
  ///   - slot: the slot of the features
  ///   - change: changes one cell
  ///   - steps: updates the sums of four weights and returns how far each weight moves, as `change` does for one
  /// - Returns: the sum of the changed weights, in score points. The sum is the slot's new value, unless a feature
  ///   occurs twice. For the first occurrence of such a feature, the weight between its two changes counts.
  @inlinable @inline(__always) @discardableResult
  public func update(
    _ features: borrowing FeatureBuffer, slot: Int, _ change: (inout Cell) -> Void,
    four steps: (inout Cell.FourSums) -> SIMD4<Float>
  ) -> Float {
    let (indices, count) = unsafe (indices(features, slot: slot), features.layout.featureCount)
    let joined = phase.join(isOfRound: isOfRound)
    defer { if joined { phase.leave() } }
    unsafe touch(indices, count: count)
    var sums = LaneSums()
    var feature = 0
    if features.layout.groupSize == 8 {
      // The first features of four groups are updated at once, then the second features, and so on. Features of two
      // groups are never equal, so the changes of a cell that occurs twice keep their order.
      while feature &+ 32 <= count {
        sums.addFour { lane in
          let first = unsafe indices + (feature &+ lane)
          return unsafe self.update(SIMD4(first[0], first[8], first[16], first[24]), steps)
        }
        feature &+= 32
      }
    }
    while feature < count {
      unsafe sums.add(update(indices[feature], change), lane: feature & 7)
      feature &+= 1
    }
    return sums.total
  }

  /// Changes the cell of one feature, by its number in `0..<layout.featureCount`.
  @inlinable @inline(__always)
  public func update(
    feature number: Int, of features: borrowing FeatureBuffer, slot: Int, _ change: (inout Cell) -> Void
  ) {
    precondition(number >= 0 && number < features.layout.featureCount)
    let index = unsafe indices(features, slot: slot)[number]
    let joined = phase.join(isOfRound: isOfRound)
    defer { if joined { phase.leave() } }
    unsafe touch(index)
    _ = unsafe update(index, change)
  }

  /// Writes the weights of the first `slots` slots into a matrix of `slots` rows and `featureCount` columns.
  ///
  /// - Precondition: the matrix has room for `slots * featureCount` numbers.
  @inlinable
  public func gather(_ features: borrowing FeatureBuffer, slots: Int, into matrix: inout MutableSpan<Float>) {
    let count = features.layout.featureCount
    precondition(slots <= features.slots && matrix.count >= slots * count)
    for slot in 0..<slots {
      let indices = unsafe indices(features, slot: slot)
      for number in 0..<count { matrix[slot &* count &+ number] = unsafe weight(indices[number]) }
    }
  }

  /// Fills zero weights of later stages from earlier stages (weight promotion; Jaskowski 2018, section III-F).
  ///
  /// A weight of a later stage that is still zero takes the nearest earlier stage's weight that is not zero. This
  /// happens when the weight is first used, and the weight keeps this value.
  ///
  /// - Parameters:
  ///   - features: the buffer of features
  ///   - slot: the slot of the features
  ///   - stageSize: weights per stage, 1 or more
  @inlinable
  public func promote(_ features: borrowing FeatureBuffer, slot: Int, stageSize: UInt32) {
    let indices = unsafe indices(features, slot: slot)
    let joined = phase.join(isOfRound: isOfRound)
    defer { if joined { phase.leave() } }
    for feature in 0..<features.layout.featureCount {
      let address = unsafe address(indices[feature])
      guard unsafe address.loadRelaxed() == 0 else { continue }
      let weight = unsafe weight(before: indices[feature], stageSize: stageSize)
      guard weight != 0 else { continue }
      unsafe address.storeRelaxed(weight)
      unsafe touch(indices[feature])
    }
  }

  /// The sum of the weights of a slot's features as `promote` would leave them, without changing any weight.
  @inlinable
  public func promotedSum(_ features: borrowing FeatureBuffer, slot: Int, stageSize: UInt32) -> Float {
    let indices = unsafe indices(features, slot: slot)
    var sums = LaneSums()
    for feature in 0..<features.layout.featureCount {
      let weight = unsafe weight(indices[feature])
      unsafe sums.add(
        weight == 0 ? self.weight(before: indices[feature], stageSize: stageSize) : weight, lane: feature & 7)
    }
    return sums.total
  }

  /// The nearest weight of an earlier stage that is not zero; 0 if there is none.
  @unsafe @inlinable
  func weight(before index: UInt32, stageSize: UInt32) -> Float {
    precondition(stageSize > 0, "a stage has weights")
    var earlier = index
    while earlier >= stageSize {
      earlier &-= stageSize
      let weight = unsafe weight(earlier)
      if weight != 0 { return weight }
    }
    return 0
  }
}
