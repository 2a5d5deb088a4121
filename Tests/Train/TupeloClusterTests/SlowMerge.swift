import TupeloTables

/// The merge in double precision, weight by weight, straight from its equations: the reference of these tests.
enum SlowMerge {
  /// - Parameters:
  ///   - base: the cell of the last merge
  ///   - cells: what each replica has made of it
  static func merge(_ base: CoherenceCell, _ cells: [CoherenceCell]) -> (w: Double, e: Double, a: Double) {
    var (sum, moment) = (0.0, 0.0)
    var (e, a) = (Double(base.errorSum), Double(base.absoluteErrorSum))
    for cell in cells {
      let growth = Double(cell.absoluteErrorSum) - Double(base.absoluteErrorSum)
      sum += growth
      moment += growth * (Double(cell.weight) - Double(base.weight))
      e += Double(cell.errorSum) - Double(base.errorSum)
      a += growth
    }
    if sum > 0 { return (Double(base.weight) + moment / sum, e, a) }
    return (mean(base.weight, cells.map(\.weight)), e, a)
  }

  /// Whether a merged cell equals the reference, within rounding in single precision.
  static func agrees(
    _ cell: CoherenceCell, with expected: (w: Double, e: Double, a: Double), base: CoherenceCell
  ) -> Bool {
    let scale = Double(abs(base.absoluteErrorSum)) + 1e4
    return abs(Double(cell.weight) - expected.w) <= 1e-3
      && abs(Double(cell.errorSum) - expected.e) <= 1e-6 * scale
      && abs(Double(cell.absoluteErrorSum) - expected.a) <= 1e-6 * scale
  }

  /// The mean over the replicas that changed the weight.
  static func mean(_ base: Float, _ weights: [Float]) -> Double {
    let changed = weights.filter { $0 != base }
    return changed.isEmpty ? Double(base) : changed.reduce(0) { $0 + Double($1) } / Double(changed.count)
  }
}
