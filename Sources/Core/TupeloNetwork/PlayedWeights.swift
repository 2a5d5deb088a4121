internal import TupeloTables

/// Weights that a network looks up for play: all of them in memory, or only blocks with weights that are not zero.
///
/// The indices were written by an encoder with the same number of weights.
protocol PlayedWeights: Sendable {
  /// Prefetches the weights at `count` indices, and may replace the indices with the places of the weights.
  ///
  /// - Precondition: `indices` points to `count` indices, rounded up to whole vectors of eight. They have been written
  ///   since the last call.
  @unsafe func prepare(_ indices: UnsafeMutablePointer<UInt32>, count: Int)
  /// The sum of the weights that `prepare` found, in score points.
  @unsafe func sum(_ places: UnsafePointer<UInt32>, count: Int) -> Float
  @unsafe func weight(_ index: UInt32) -> Float
  @unsafe func prefetch(_ index: UInt32)
}

extension WeightStorage<PlainCell>: PlayedWeights {
  @unsafe @inline(__always)
  func prepare(_ indices: UnsafeMutablePointer<UInt32>, count: Int) { unsafe prefetch(indices, count: count) }

  @unsafe @inline(__always)
  func prefetch(_ index: UInt32) { unsafe prefetchLine(address(index)) }
}

extension SparseWeights: PlayedWeights {}
