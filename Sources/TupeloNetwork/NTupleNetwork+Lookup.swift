internal import TupeloTables

/// Evaluates one position without memory for its indices; batches keep theirs, see `evaluate`. The order of additions
/// is the one of `WeightStorage.sum`.
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
    return sums.total
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
  }
}
