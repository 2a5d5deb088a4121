/// Visits counted at numbered places.
public protocol VisitTable: Sendable {
  /// What checkpoints call it.
  static var tensorName: String { get }
  /// A multiple of 1,024.
  var placeCount: Int { get }

  func visits(at place: Int) -> Float
  func set(visits: Float, at place: Int)
}

extension VisitTable {
  /// Counts one visit more. Exact up to 2^24 of them, where it stays.
  @inlinable @inline(__always)
  public func add(at place: Int) { set(visits: visits(at: place) + 1, at: place) }

  /// Forgets all visits. Between rounds.
  public func clear() {
    for place in 0..<placeCount { set(visits: 0, at: place) }
  }
}
