package import TupeloTables

/// How far the weights move between two looks: the norm of the difference to a snapshot, estimated from one weight in
/// 64.
///
/// A snapshot of everything would double the memory of a plain table. So each stretch of 64 weights lends one, at a
/// place drawn once for all; the sum of the squared differences times 64 has the right expectation. Neighbours are
/// alike (hot entries share cache lines), which is why the place is drawn and not the same everywhere.
package struct UpdateNorm: Sendable {
  /// Weights per weight that is looked at.
  package static let spacing = 64

  private var snapshot: [Float]
  /// Where in its stretch each lies, below `spacing`.
  private let places: [UInt8]

  /// Remembers the weights as they stand. Takes 5 bytes per 64 weights.
  package init<Cell: WeightCell>(_ weights: borrowing ExclusiveWeights<Cell>) {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    places = (0..<weights.count / Self.spacing).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 58)
    }
    snapshot = [Float](repeating: 0, count: places.count)
    _ = advance(weights)
  }

  /// The norm of what the weights have changed by since they were last looked at, in score points; they are remembered
  /// anew.
  ///
  /// A few large changes carry most of a norm, so it scatters.
  ///
  /// - Precondition: as many weights as at the start.
  /// - Complexity: O(count / 64), one cache line each.
  package mutating func advance<Cell: WeightCell>(_ weights: borrowing ExclusiveWeights<Cell>) -> Double {
    precondition(weights.count / Self.spacing == places.count)
    var squares = 0.0
    weights.withWeights { weights in
      for index in places.indices {
        let weight = weights[index * Self.spacing + Int(places[index])]
        let change = Double(weight - snapshot[index])
        squares += change * change
        snapshot[index] = weight
      }
    }
    return (squares * Double(Self.spacing)).squareRoot()
  }
}
