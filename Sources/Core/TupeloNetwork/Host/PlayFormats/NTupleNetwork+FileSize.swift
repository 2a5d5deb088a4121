internal import TupeloTables

extension NTupleNetwork {
  /// A pruned copy whose compact file has at most a given size.
  ///
  /// - Parameters:
  ///   - bytes: the largest size of the file
  ///   - step: the step of the file, in score points
  ///   - usage: the lookups of play, which decide which weights are kept; see `pruned(to:by:)`
  ///   - metadata: the entries that will be written into the file
  ///   - path: the file, for errors
  /// - Throws: `CompactModelError.cannotFit` if no weight fits; the errors of `save`.
  /// - Complexity: the network is compressed up to twelve times
  public func pruned(
    toFileOf bytes: Int, step: Float, by usage: borrowing WeightUsage, metadata: [String: String] = [:], path: String
  ) throws -> NTupleNetwork {
    func size(_ network: NTupleNetwork) throws -> Int {
      try network.writer.compactSize(step: step, metadata: metadata, path: path)
    }
    let whole = (kept: weights.count, size: try size(self))
    guard whole.size > bytes else { return self }
    var (best, fitting) = (try pruned(to: 0, by: usage), (kept: 0, size: 0))
    fitting.size = try size(best)
    let smallest = fitting.size
    // The size is nearly proportional to the number of weights that are not zero. Many weights of the whole network are
    // zero.
    var tooLarge = whole
    tooLarge.kept = weights.reading { $0.withWeights { span in span.indices.count { span[$0] != 0 } } }
    for trial in 0..<10 where Double(fitting.size) < 0.985 * Double(bytes) {
      // Trials alternate between interpolation and bisection. Weights below half a step take no space, so the size is
      // not linear.
      let share = trial % 2 == 1 ? 0.5 : 0.995 * Double(bytes - fitting.size) / Double(tooLarge.size - fitting.size)
      let kept = fitting.kept + Int(Double(tooLarge.kept - fitting.kept) * share)
      guard kept > fitting.kept, kept < tooLarge.kept else { break }
      let candidate = try pruned(to: kept, by: usage)
      let size = try size(candidate)
      if size <= bytes { (best, fitting) = (candidate, (kept, size)) } else { tooLarge = (kept, size) }
    }
    guard fitting.kept > 0 else { throw CompactModelError.cannotFit(path: path, bytes: bytes, smallest: smallest) }
    return best
  }
}
