/// Evaluation of one position at a time, without memory for its indices; batches keep theirs, see `evaluate`. The order of additions is that of `WeightStorage.sum`.
extension NTupleNetwork {
  @inlinable @inline(__always)
  func value(ofBits bits: UInt64) -> Float {
    var sums = LaneSums()
    if indexer.boards == 1 {
      let (planes, stageBase) = (bits.bitPlanes, indexer.stageBase(of: bits))
      for pattern in 0..<indexer.patternCount {
        let index = indexer.index(pattern: pattern, planes: planes) &+ stageBase
        unsafe sums.add(weights.address(index).loadRelaxed(word: 0), lane: pattern & 7)
      }
      return sums.total
    }
    let lanes = indexer.lanes(of: bits)
    for pattern in 0..<indexer.patternCount {
      let indices = indexer.indices(pattern: pattern, lanes: lanes)
      if indexer.boards == 8 {
        sums.add { lane in unsafe self.weights.address(indices[lane]).loadRelaxed(word: 0) }
      } else {
        let even = indices.evenHalf
        for lane in 0..<4 {
          unsafe sums.add(weights.address(even[lane]).loadRelaxed(word: 0), lane: (pattern & 1) &* 4 &+ lane)
        }
      }
    }
    return sums.total
  }

  @inlinable @inline(__always)
  func prefetch(_ bits: UInt64) {
    if indexer.boards == 1 {
      let (planes, stageBase) = (bits.bitPlanes, indexer.stageBase(of: bits))
      for pattern in 0..<indexer.patternCount {
        unsafe prefetchLine(weights.address(indexer.index(pattern: pattern, planes: planes) &+ stageBase))
      }
      return
    }
    let lanes = indexer.lanes(of: bits)
    for pattern in 0..<indexer.patternCount {
      let indices = indexer.indices(pattern: pattern, lanes: lanes)
      for lane in 0..<8 {
        unsafe prefetchLine(weights.address(indices[lane]))
      }
    }
  }
}
