internal import TupeloTables

/// Evaluation of one position at a time, without memory for its indices; batches keep theirs, see `evaluate`. The order of additions is
/// that of `WeightStorage.sum`.
extension NTupleNetwork {
  @inline(__always)
  func value(ofBits bits: UInt64) -> Float {
    let (parts, count) = unsafe (indexer.parts(of: bits), indexer.featureCount)
    var sums = LaneSums()
    var feature = 0
    while feature &+ 8 <= count {
      let indices = unsafe parts.indices(at: feature)
      sums.add { lane in unsafe self.weights.weight(indices[lane]) }
      feature &+= 8
    }
    while feature < count {
      unsafe sums.add(weights.weight(parts.index(at: feature)), lane: feature & 7)
      feature &+= 1
    }
    return value(patterns: sums.total, ofBits: bits)
  }

  @inline(__always)
  func prefetch(_ bits: UInt64) {
    let (parts, count) = unsafe (indexer.parts(of: bits), indexer.featureCount)
    var feature = 0
    while feature < count {
      let indices = unsafe parts.indices(at: feature)
      for lane in 0..<8 { unsafe prefetchLine(weights.address(indices[lane])) }
      feature &+= 8
    }
    prefetch(state: bits)
  }

  /// The value of a state from what the patterns say of it.
  @inline(__always)
  func value(patterns: Float, ofBits bits: UInt64) -> Float {
    guard let states else { return patterns }
    let base = StateIndex.base(patterns: patterns)
    return states.slot(of: states.hash(bits)).map { base + weights.weight(at: states.first + $0) } ?? base
  }

  @inline(__always)
  func prefetch(state bits: UInt64) {
    guard let states else { return }
    let hash = states.hash(bits)
    states.prefetch(hash)
    weights.prefetch(states.first + states.hash.bucket(of: hash))
  }
}
