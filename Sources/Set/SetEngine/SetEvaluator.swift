/// A value function of afterstates: the only interface between players of Set and learned values.
///
/// Search uses only this protocol. Networks adopt it, and tests use a stub.
public protocol SetEvaluator: Sendable {
  /// The expected number of Sets still to come after `afterstate`.
  func value(of afterstate: SetAfterstate) -> Float

  /// Computes the values of many afterstates in one call, so that a network can value them together.
  ///
  /// - Parameters:
  ///   - afterstates: any number of afterstates
  ///   - values: receives one value per afterstate, in Sets; at least as long as `afterstates`
  func evaluate(_ afterstates: Span<SetAfterstate>, into values: inout MutableSpan<Float>)
}

extension SetEvaluator {
  @inlinable
  public func evaluate(_ afterstates: Span<SetAfterstate>, into values: inout MutableSpan<Float>) {
    for index in afterstates.indices {
      values[index] = value(of: afterstates[index])
    }
  }
}
