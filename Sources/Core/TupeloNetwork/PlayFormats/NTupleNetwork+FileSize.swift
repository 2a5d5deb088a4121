#if !hasFeature(Embedded)
internal import TupeloTables

extension NTupleNetwork {
  /// A pruned copy whose compact file has at most a given size.
  ///
  /// - Parameters:
  ///   - bytes: the size of the file at most
  ///   - step: the step of the file, in score points
  ///   - usage: the lookups of play, which decide what is kept; see `pruned(to:by:)`
  ///   - metadata: the entries that will be written into the file
  ///   - path: the file, for errors
  /// - Throws: `CompactModelError.cannotFit` when not even an empty file is so small; what `save` throws.
  /// - Complexity: the network is compressed up to twelve times
  public func pruned(
    toFileOf bytes: Int, step: Float, by usage: borrowing WeightUsage, metadata: [String: String] = [:], path: String
  ) throws -> NTupleNetwork {
    let room = bytes - Self.headerSize(metadata)
    func size(_ network: NTupleNetwork) throws -> Int {
      try network.writer.compactContents(step: step, path: path).byteCount
    }
    let whole = (kept: weights.count, size: try size(self))
    guard whole.size > room else { return self }
    var (best, fitting) = (try pruned(to: 0, by: usage), (kept: 0, size: 0))
    fitting.size = try size(best)
    guard fitting.size <= room else {
      throw CompactModelError.cannotFit(path: path, bytes: bytes, smallest: fitting.size + bytes - room)
    }
    // The size grows nearly in proportion to the number of weights. The whole network has many that are zero.
    var tooLarge = whole
    tooLarge.kept = weights.exclusively { $0.withWeights { span in span.indices.count { span[$0] != 0 } } }
    for trial in 0..<10 where Double(fitting.size) < 0.985 * Double(room) {
      // By turns in proportion, and half way: weights below half a step take no room, so the size is no straight line.
      let share = trial % 2 == 1 ? 0.5 : 0.995 * Double(room - fitting.size) / Double(tooLarge.size - fitting.size)
      let kept = fitting.kept + Int(Double(tooLarge.kept - fitting.kept) * share)
      guard kept > fitting.kept, kept < tooLarge.kept else { break }
      let candidate = try pruned(to: kept, by: usage)
      let size = try size(candidate)
      if size <= room { (best, fitting) = (candidate, (kept, size)) } else { tooLarge = (kept, size) }
    }
    return best
  }

  /// Bytes for the header of a file, generously.
  private static func headerSize(_ metadata: [String: String]) -> Int {
    1 << 14 + metadata.reduce(0) { $0 + 2 * ($1.key.utf8.count + $1.value.utf8.count) }
  }
}
#endif
