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

  /// A network over existing weights, such as the ones being trained.
  ///
  /// - Precondition: `weights` has as many weights as the indexer's specification.
  package init(indexer: TupleIndexer, weights: WeightStorage<PlainCell>) {
    precondition(weights.count == indexer.specification.weightCount)
    specification = indexer.specification
    self.indexer = indexer
    self.weights = weights
  }

  public func value(of afterstate: Afterstate) -> Float {
    value(ofBits: afterstate.bits)
  }

  /// Values of many positions. The weights of each position are prefetched a few positions ahead of their sum.
  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    let count = indexer.featureCount
    guard count <= 64 else { return evaluateTwice(afterstates, into: &values) }
    // A ring of four slots of up to 64 indices, or eight of up to 32: small enough for the stack. Sound, because these
    // weights' own indexer writes a slot before it is read.
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

  /// Move values for two interleaved boards. Two boards were faster than one on most networks, and three were never
  /// faster than two.
  public func makeMoveValues() -> any MoveValues { makeMoveValues(boards: 2) }

  /// - Precondition: `boards` is at least 1.
  package func makeMoveValues(boards: Int) -> any MoveValues { NetworkMoveValues(self, boards: boards) }

  /// Evaluates networks with more than 64 features. Indices are computed twice instead of kept.
  func evaluateTwice(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    let window = 4
    for index in 0..<min(window, afterstates.count) { prefetch(afterstates[index].bits) }
    for index in afterstates.indices {
      if index &+ window < afterstates.count { prefetch(afterstates[index &+ window].bits) }
      values[index] = value(ofBits: afterstates[index].bits)
    }
  }

  /// A weight of a pattern in a stage.
  ///
  /// - Parameters:
  ///   - pattern: the number of the pattern
  ///   - index: the index within the pattern's table, in the order that files use
  ///   - stage: the number of the stage, from 0
  public subscript(pattern pattern: Int, standardIndex index: Int, stage stage: Int = 0) -> Float {
    get { weights[indexer.storageIndex(pattern: pattern, standardIndex: index, stage: stage)].weight }
    set {
      weights[indexer.storageIndex(pattern: pattern, standardIndex: index, stage: stage)] = PlainCell(weight: newValue)
    }
  }
}
