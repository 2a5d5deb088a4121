package import TupeloTables

/// Estimates how far the weights move between two measurements: the norm of their change, from one weight in 64.
///
/// A full snapshot would double the memory of a plain table. So each run of 64 weights contributes one weight, at a
/// random place that is drawn once. The sum of the squared changes times 64 has the right expectation. The places are
/// random because neighbours are similar: frequently used entries share cache lines.
package struct UpdateNorm: Sendable {
  /// The number of weights per sampled weight.
  package static let spacing = 64

  private var snapshot: [Float]
  /// The place of each sampled weight in its run, below `spacing`.
  private let places: [UInt8]

  /// Takes a first snapshot of the weights. Memory: 5 bytes per 64 weights.
  package init<Cell: WeightCell>(_ weights: borrowing ReadableWeights<Cell>) {
    self.init(count: weights.count)
    _ = advance(weights)
  }

  /// Takes a first snapshot of the parameters of a dense network.
  package init(_ parameters: Span<Float>) {
    self.init(count: parameters.count)
    _ = advance(parameters)
  }

  private init(count: Int) {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    places = (0..<count / Self.spacing).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 58)
    }
    snapshot = [Float](repeating: 0, count: places.count)
  }

  /// The norm of the weights' change since the last snapshot, in score points. The method takes a new snapshot.
  ///
  /// A few large changes make up most of the norm, so the estimate has much noise.
  ///
  /// - Precondition: the number of weights is the number in the first snapshot.
  /// - Complexity: O(count / 64), one cache line per sampled weight.
  package mutating func advance<Cell: WeightCell>(_ weights: borrowing ReadableWeights<Cell>) -> Double {
    weights.withWeights { advance($0) }
  }

  /// The norm of the parameters' change since the last snapshot.
  package mutating func advance(_ weights: Span<Float>) -> Double {
    precondition(weights.count / Self.spacing == places.count)
    var squares = 0.0
    for index in places.indices {
      let weight = weights[index * Self.spacing + Int(places[index])]
      let change = Double(weight - snapshot[index])
      squares += change * change
      snapshot[index] = weight
    }
    return (squares * Double(Self.spacing)).squareRoot()
  }
}
