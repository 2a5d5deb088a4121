public import SetEngine

extension SetEvaluator {
  /// The Sets of a position whose afterstates have the highest value: the choices of greedy play.
  ///
  /// - Parameter tolerance: values that are closer than this to the best count as equal, in Sets. Values of symmetric
  ///   positions may differ by rounding
  public func bestSets(in position: SetPosition, tolerance: Float = 1e-5) -> [Trio] {
    let trios = Array(position.sets)
    let afterstates = trios.compactMap(position.afterstate(of:))
    var values = [Float](repeating: 0, count: trios.count)
    var span = values.mutableSpan
    evaluate(afterstates.span, into: &span)
    let best = values.max() ?? 0
    return zip(trios, values).filter { $1 >= best - tolerance }.map(\.0)
  }
}
