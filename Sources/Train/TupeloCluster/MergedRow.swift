internal import TupeloTables

/// The state of some weights in one replica, or in several merged replicas: the weights, the amounts of their updates,
/// and the growth of their sums of errors.
package struct MergedRow: Sendable {
  package var weights: [Float]
  /// n: the growth of A, or with a constant step size the number of replicas that changed the weight.
  package var visits: [Float]
  /// The growth of E; empty without the sums of temporal coherence.
  package var errors: [Float]

  /// The smallest value that counts as growth of A. Traces of all replicas together stay below it. See `ReplicaMean`.
  static var leastGrowth: Float { 0x1p-107 }

  init(capacity: Int, isCoherent: Bool) {
    weights = [Float](repeating: 0, count: capacity)
    visits = weights
    errors = isCoherent ? weights : []
  }

  /// Updates the last merge's weights and sums to those of this row.
  package func apply(to base: inout CellBuffer, count: Int) {
    for index in 0..<count where visits[index] > 0 { base.weights[index] = weights[index] }
    guard !errors.isEmpty else { return }
    for index in 0..<count {
      base.sums[2 * index] += errors[index]
      if visits[index] >= Self.leastGrowth { base.sums[2 * index + 1] += visits[index] }
    }
  }
}

/// Rows as words for the network. Each block is a mask of its changed weights, followed by the weight, the visits and
/// the errors of each changed weight.
///
/// At most about a quarter of the weights in a changed block have changed, so this takes a fraction of whole blocks,
/// without loss.
extension MergedRow {
  private func range(_ place: Int) -> Range<Int> {
    place * TouchMap.blockSize..<(place + 1) * TouchMap.blockSize
  }

  func append(place: Int, to words: inout [UInt32]) {
    let range = range(place)
    var mask: UInt32 = 0
    words.append(mask)
    let header = words.count - 1
    for index in range where visits[index] > 0 || (!errors.isEmpty && errors[index] != 0) {
      mask |= 1 << UInt32(index - range.lowerBound)
      words.append(weights[index].bitPattern)
      words.append(visits[index].bitPattern)
      if !errors.isEmpty { words.append(errors[index].bitPattern) }
    }
    words[header] = mask
  }

  /// Takes the words of some blocks from the front of words that were appended.
  static func popRows(_ count: Int, from words: inout ArraySlice<UInt32>, isCoherent: Bool) -> ArraySlice<UInt32> {
    var end = words.startIndex
    for _ in 0..<count {
      precondition(end < words.endIndex, Self.tooFew)
      end += 1 + words[end].nonzeroBitCount * width(isCoherent)
    }
    precondition(end <= words.endIndex, Self.tooFew)
    defer { words = words[end...] }
    return words[..<end]
  }

  private static func width(_ isCoherent: Bool) -> Int { isCoherent ? 3 : 2 }

  private static var tooFew: String { "a rank sent fewer blocks than it announced" }

  /// Takes a block from the front of words that were appended.
  mutating func take(place: Int, from words: inout ArraySlice<UInt32>) {
    let range = range(place)
    guard let mask = words.popFirst() else { preconditionFailure(Self.tooFew) }
    let width = Self.width(!errors.isEmpty)
    precondition(
      words.count >= mask.nonzeroBitCount * width && mask >> UInt32(TouchMap.blockSize) == 0, Self.tooFew)
    var next = words.startIndex
    for index in range {
      let isChanged = mask >> UInt32(index - range.lowerBound) & 1 == 1
      weights[index] = isChanged ? Float(bitPattern: words[next]) : 0
      visits[index] = isChanged ? Float(bitPattern: words[next + 1]) : 0
      if !errors.isEmpty { errors[index] = isChanged ? Float(bitPattern: words[next + 2]) : 0 }
      if isChanged { next += width }
    }
    words = words[next...]
  }
}
