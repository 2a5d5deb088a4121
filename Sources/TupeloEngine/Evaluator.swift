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

  /// On how many boards a thread that plays several games had better move in turn. By default one.
  var boardsAtOnce: Int { get }

  /// The same values for a caller that moves on some boards in turn.
  ///
  /// - Parameter boards: how many, at least 1
  func moveValues(boards: Int) -> any MoveValues
}

extension Evaluator {
  @inlinable
  public var boardsAtOnce: Int { 1 }

  @inlinable
  public func moveValues(boards: Int) -> any MoveValues { EvaluatedMoves(self) }

  @inlinable
  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    for index in afterstates.indices {
      values[index] = value(of: afterstates[index])
    }
  }
}
