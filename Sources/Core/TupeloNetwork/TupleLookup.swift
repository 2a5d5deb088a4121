internal import TupeloEngine
internal import TupeloTables

/// The values of a network that looks up its weights by an indexer.
///
/// All methods give equal bits for equal weights, for any place of the weights in memory, because they add in the order
/// of `LaneSums`.
protocol TupleLookup: Sendable {
  associatedtype Weights: PlayedWeights
  var indexer: TupleIndexer { get }
  var weights: Weights { get }
}

extension TupleLookup {
  /// The value of one position, without memory for its indices.
  @inline(__always)
  func lookUp(_ afterstate: Afterstate) -> Float {
    let (parts, count) = unsafe (indexer.parts(of: afterstate), indexer.featureCount)
    let weights = weights
    var sums = LaneSums()
    var feature = 0
    while feature &+ 8 <= count {
      let indices = unsafe parts.indices(at: feature)
      sums.add { lane in unsafe weights.weight(indices[lane]) }
      feature &+= 8
    }
    while feature < count {
      unsafe sums.add(weights.weight(parts.index(at: feature)), lane: feature & 7)
      feature &+= 1
    }
    return sums.total
  }

  /// Values of many positions. The weights of each position are prefetched a few positions ahead of their sum.
  @inline(__always)
  func lookUp(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    let count = indexer.featureCount
    guard count <= 64 else { return lookUpTwice(afterstates, into: &values) }
    // A ring of four slots of up to 64 indices, or eight of up to 32: small enough for the stack. Sound, because these
    // weights' own indexer writes a slot before it is read.
    let (size, window) = count <= 32 ? (32, 8) : (64, 4)
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { memory in
      guard let slots = memory.baseAddress else { return }
      for index in 0..<min(window, afterstates.count) {
        unsafe indexer.write(afterstates[index], to: slots + index &* size)
        unsafe weights.prepare(slots + index &* size, count: count)
      }
      for index in afterstates.indices {
        let slot = unsafe slots + (index & (window &- 1)) &* size
        values[index] = unsafe weights.sum(slot, count: count)
        if index &+ window < afterstates.count {
          unsafe indexer.write(afterstates[index &+ window], to: slot)
          unsafe weights.prepare(slot, count: count)
        }
      }
    }
  }

  /// Evaluates networks with more than 64 features. Indices are computed twice instead of kept.
  func lookUpTwice(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    let window = 4
    for index in 0..<min(window, afterstates.count) { prefetch(afterstates[index]) }
    for index in afterstates.indices {
      if index &+ window < afterstates.count { prefetch(afterstates[index &+ window]) }
      values[index] = lookUp(afterstates[index])
    }
  }

  @inline(__always)
  private func prefetch(_ afterstate: Afterstate) {
    let (parts, count) = unsafe (indexer.parts(of: afterstate), indexer.featureCount)
    var feature = 0
    while feature < count {
      let indices = unsafe parts.indices(at: feature)
      for lane in 0..<8 { unsafe weights.prefetch(indices[lane]) }
      feature &+= 8
    }
  }
}
