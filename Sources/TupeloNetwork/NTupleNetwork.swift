public import TupeloEngine
public import TupeloTables

/// An n-tuple network: the value of an afterstate is the sum of the weights that its patterns pick, over all symmetric
/// boards (Szubert & Jaskowski 2014, eq. 8; Jaskowski 2016, eq. 3).
///
/// Weights are 32-bit floats in score points. Sendable: any number of threads may evaluate while others train it.
public final class NTupleNetwork: InterleavingEvaluator {
  public let specification: NetworkSpecification
  public let indexer: TupleIndexer
  public let weights: WeightStorage<PlainCell>

  /// A network with all weights zero.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public convenience init(_ specification: NetworkSpecification) throws(WeightStorageError) {
    self.init(indexer: TupleIndexer(specification), weights: try WeightStorage(count: specification.weightCount))
  }

  /// A network over weights that already exist, such as the ones being trained.
  ///
  /// - Precondition: as many weights as the indexer's specification says.
  package init(indexer: TupleIndexer, weights: WeightStorage<PlainCell>) {
    precondition(weights.count == indexer.specification.weightCount)
    specification = indexer.specification
    self.indexer = indexer
    self.weights = weights
  }

  public func value(of afterstate: Afterstate) -> Float {
    value(ofBits: afterstate.bits)
  }

  /// Prefetches the weights of a few positions ahead of adding them up.
  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    let count = indexer.featureCount
    guard count <= 64 else { return evaluateTwice(afterstates, into: &values) }
    // Four slots of up to 64 indices, or eight of up to 32, in turn: small enough to lie on the stack. Sound because a
    // slot is written by these weights' own indexer before it is read.
    let (size, window) = count <= 32 ? (32, 8) : (64, 4)
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { memory in
      guard let slots = memory.baseAddress else { return }
      for index in 0..<min(window, afterstates.count) {
        unsafe indexer.write(afterstates[index].bits, to: slots + index &* size)
        unsafe weights.prefetch(slots + index &* size, count: count)
      }
      for index in afterstates.indices {
        let slot = unsafe slots + (index & (window &- 1)) &* size
        values[index] = unsafe weights.sum(slot, count: count)
        if index &+ window < afterstates.count {
          unsafe indexer.write(afterstates[index &+ window].bits, to: slot)
          unsafe weights.prefetch(slot, count: count)
        }
      }
    }
  }

  /// Of two boards. Against one they made greedy play faster by 1.23 (2x4+2x6), 1.05 (5x6, 4x5), 1.04 (17x4) and 1.00
  /// (8x6); three were slower than two or the same.
  public func makeMoveValues() -> any MoveValues { makeMoveValues(boards: 2) }

  /// - Precondition: `boards` is at least 1.
  package func makeMoveValues(boards: Int) -> any MoveValues { NetworkMoveValues(self, boards: boards) }

  /// The same for larger networks, whose indices are computed again instead of kept.
  func evaluateTwice(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    let window = 4
    for index in 0..<min(window, afterstates.count) { prefetch(afterstates[index].bits) }
    for index in afterstates.indices {
      if index &+ window < afterstates.count { prefetch(afterstates[index &+ window].bits) }
      values[index] = value(ofBits: afterstates[index].bits)
    }
  }

  /// Weight number `standardIndex` of `pattern` (its number) in a stage, in the order that files use.
  public subscript(pattern pattern: Int, standardIndex index: Int, stage stage: Int = 0) -> Float {
    get { weights[indexer.storageIndex(pattern: pattern, standardIndex: index, stage: stage)].weight }
    set {
      weights[indexer.storageIndex(pattern: pattern, standardIndex: index, stage: stage)] = PlainCell(weight: newValue)
    }
  }
}
