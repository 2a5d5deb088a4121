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
    guard slots > 0 else { return }
    let indices = unsafe features.base(ofSlot: 0)
    for number in 0..<slots &* features.featureCount {
      matrix[number] = unsafe address(indices[number]).loadRelaxed(word: 0)
    }
  }

  /// Changes the cell of one feature.
  @inlinable @inline(__always)
  public func update(
    feature number: Int, of features: borrowing FeatureBuffer, slot: Int, _ change: (inout Cell) -> Void
  ) {
    let address = unsafe address(features.feature(number, ofSlot: slot))
    var cell = unsafe Cell(from: address)
    change(&cell)
    unsafe cell.store(to: address)
  }

  /// Some of the cells as 32-bit floats, to be changed: `withMutableWords` for a part of the table, such as that of one stage.
  public func withMutableWords<R>(of cells: Range<Int>, _ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    precondition(cells.lowerBound >= 0 && cells.upperBound <= count)
    let start = unsafe (base + cells.lowerBound * Cell.stride).assumingMemoryBound(to: Float.self)
    let words = unsafe UnsafeMutableBufferPointer(start: start, count: cells.count * (Cell.stride / 4))
    var span = unsafe words.mutableSpan
    return try body(&span)
  }
}

extension TupleIndexer {
  /// Where each table lies in storage; see `NetworkSpecification.tables`.
  public var tables: [Range<Int>] {
    var start = 0
    return specification.tables.map { pattern in
      defer { start += pattern.tableSize }
      return start..<start + pattern.tableSize
    }
  }
}
