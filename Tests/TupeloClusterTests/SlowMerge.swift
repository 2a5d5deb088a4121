import TupeloTables

/// The merge in double precision, weight by weight, straight from its equations: the reference of the tests.
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

  /// The mean over the replicas that changed the weight.
  static func mean(_ base: Float, _ weights: [Float]) -> Double {
    let changed = weights.filter { $0 != base }
    return changed.isEmpty ? Double(base) : changed.reduce(0) { $0 + Double($1) } / Double(changed.count)
  }
}
