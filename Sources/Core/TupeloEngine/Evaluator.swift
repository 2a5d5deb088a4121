/// A value function of afterstates: the only interface between search and learned values.
///
/// Search uses only this protocol. Networks adopt it, and tests use a stub.
public protocol Evaluator: Sendable {
  /// The expected score still to come after `afterstate`, in score points.
  func value(of afterstate: Afterstate) -> Float

  /// Computes the values of many afterstates in one call, so that a network can overlap its memory accesses.
  ///
  /// - Parameters:
  ///   - afterstates: any number of positions
  ///   - values: receives one value per position, in score points; at least as long as `afterstates`
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
