/// A table of visit counts at numbered places.
public protocol VisitTable: Sendable {
  /// The tensor name in checkpoints.
  static var tensorName: String { get }
  /// The number of places, a multiple of 1,024.
  var placeCount: Int { get }

  func visits(at place: Int) -> Float
  func set(visits: Float, at place: Int)
}

extension VisitTable {
  /// Adds one visit. Counts are exact up to 2^24, where they stay.
  @inlinable @inline(__always)
  public func add(at place: Int) { set(visits: visits(at: place) + 1, at: place) }

  /// Sets all counts to zero.
  ///
  /// - Precondition: no worker runs.
  public func clear() {
    for place in 0..<placeCount { set(visits: 0, at: place) }
  }
}
