internal import TupeloTables

/// What one replica, or several that have been merged, made of some weights: the weights, by how much they were
/// updated, and how their sums of errors grew.
package struct MergedRow: Sendable {
  package var weights: [Float]
  /// n: the growth of A, or with a constant step size the number of replicas that changed the weight.
  package var visits: [Float]
  /// The growth of E; empty without the sums of temporal coherence.
  package var errors: [Float]

  /// Growth of A from here on counts as growth; traces of all replicas together stay below it. See `ReplicaMean`.
  static var leastGrowth: Float { 0x1p-107 }

  init(capacity: Int, isCoherent: Bool) {
    weights = [Float](repeating: 0, count: capacity)
    visits = weights
    errors = isCoherent ? weights : []
  }

  /// Moves the last merge's weights and sums on to those of this row.
  package func apply(to base: inout CellBuffer, count: Int) {
    for index in 0..<count where visits[index] > 0 { base.weights[index] = weights[index] }
    guard !errors.isEmpty else { return }
    for index in 0..<count {
      base.sums[2 * index] += errors[index]
      if visits[index] >= Self.leastGrowth { base.sums[2 * index + 1] += visits[index] }
    }
  }
}

/// Rows as numbers that travel: block after block, each with its weights, visits and errors.
extension MergedRow {
  private func range(_ place: Int) -> Range<Int> {
    place * TouchMap.blockSize..<(place + 1) * TouchMap.blockSize
  }

  func append(place: Int, to numbers: inout [Float]) {
    let range = range(place)
    numbers += weights[range]
    numbers += visits[range]
    if !errors.isEmpty { numbers += errors[range] }
  }

  /// Takes a block from the front of numbers that were appended.
  mutating func take(place: Int, from numbers: inout ArraySlice<Float>) {
    let (range, size) = (range(place), TouchMap.blockSize)
    precondition(numbers.count >= (errors.isEmpty ? 2 : 3) * size, "a rank sent fewer blocks than it announced")
    weights.replaceSubrange(range, with: numbers.prefix(size))
    visits.replaceSubrange(range, with: numbers.dropFirst(size).prefix(size))
    if !errors.isEmpty { errors.replaceSubrange(range, with: numbers.dropFirst(2 * size).prefix(size)) }
    numbers = numbers.dropFirst((errors.isEmpty ? 2 : 3) * size)
  }
}
