/// What batches of updates and passes over parts of a table need of buffers and storage.
extension FeatureBuffer {
  /// Copies the features of a slot from another buffer of the same network.
  @inlinable @inline(__always)
  public func copy(_ source: borrowing FeatureBuffer, slot: Int, toSlot target: Int) {
    precondition(source.featureCount == featureCount)
    let (from, to) = unsafe (source.base(ofSlot: slot), base(ofSlot: target))
    unsafe to.update(from: from, count: featureCount)
  }

  /// One feature of a slot.
  @inlinable @inline(__always)
  public func feature(_ number: Int, ofSlot slot: Int) -> UInt32 {
    precondition(number >= 0 && number < featureCount)
    return unsafe base(ofSlot: slot)[number]
  }
}

extension WeightStorage {
  /// Writes the weights of the first `slots` slots into a matrix, a row of `featureCount` numbers per slot.
  ///
  /// - Precondition: the matrix has room for them.
  @inlinable
  public func gather(_ features: borrowing FeatureBuffer, slots: Int, into matrix: inout MutableSpan<Float>) {
    precondition(slots <= features.slots && matrix.count >= slots * features.featureCount)
    let count = features.featureCount
    for slot in 0..<slots {
      let indices = unsafe features.base(ofSlot: slot)
      for number in 0..<count { matrix[slot &* count &+ number] = unsafe address(indices[number]).loadRelaxed(word: 0) }
    }
  }

  /// The weight at a storage index, without the sums that are kept with it.
  @inlinable @inline(__always)
  public func weight(at index: Int) -> Float {
    precondition(index >= 0 && index < count)
    return unsafe address(UInt32(truncatingIfNeeded: index)).loadRelaxed(word: 0)
  }

  /// Changes the cell at a storage index and returns its weight.
  @inlinable @inline(__always)
  public func update(at index: Int, _ change: (inout Cell) -> Void) -> Float {
    precondition(index >= 0 && index < count)
    return unsafe update(UInt32(truncatingIfNeeded: index), change)
  }

  /// Asks for the cache lines of the cell at a storage index, for an update.
  @inlinable @inline(__always)
  public func prefetchCell(_ index: Int) {
    precondition(index >= 0 && index < count)
    unsafe prefetchLine(address(UInt32(truncatingIfNeeded: index)))
    if Cell.sumCount > 0 { unsafe prefetchLine(sumsAddress(UInt32(truncatingIfNeeded: index))) }
  }

  /// Changes the cell of one feature.
  @inlinable @inline(__always)
  public func update(
    feature number: Int, of features: borrowing FeatureBuffer, slot: Int, _ change: (inout Cell) -> Void
  ) {
    _ = unsafe update(features.feature(number, ofSlot: slot), change)
  }
}

extension TupleIndexer {
  /// Where each table lies in storage; see `NetworkSpecification.tables`.
  public var tables: [Range<Int>] {
    var start = 0
    return specification.tables.map { table in
      defer { start += table.size }
      return start..<start + table.size
    }
  }
}
