/// The one seam between players and what they have learned: a value for every afterstate.
///
/// Search sees only this; a network conforms to it, and tests put a stub in its place.
public protocol Evaluator: Sendable {
  /// The expected score still to come after `afterstate`, in score points.
  func value(of afterstate: Afterstate) -> Float

  /// The values of many afterstates at once, which lets a network overlap its memory accesses.
  ///
  /// - Parameters:
  ///   - afterstates: any number of positions
  ///   - values: receives one value per position; at least as long as `afterstates`
  func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>)
}

extension Evaluator {
  @inlinable
  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    for index in afterstates.indices {
      values[index] = value(of: afterstates[index])
    }
  }
}
