internal import TupeloBLAS
internal import TupeloBase
internal import TupeloTables

/// The merge of several replicas of the same weights. All arithmetic of merging is here.
///
///     W = sum n_r W_r / sum n_r,    A = A0 + sum n_r,    E = E0 + sum (E_r - E0)
///
/// n_r measures how much replica r has updated the weight since the last merge, whose results are W0, E0 and A0. With
/// averages that weight each entry by its visits, learning is as fast as if one learner had all data, and no replica
/// needs to visit every state (Woo, Joshi & Chi, JMLR 26(26), 2025). The mean equals W0 + sum n_r (W_r - W0) / sum n_r.
///
/// With temporal coherence n_r is the growth of A, the sum of absolute errors. With a constant step size it is 1 if the
/// replica has changed the weight, otherwise 0. A change of a weight without growth of A (in a warm-up, or by weight
/// promotion) counts as the smallest possible growth. Among such changes the mean is plain, and compared with any
/// growth they do not count.
///
/// Replicas are copied into dense rows. BLAS computes the growth of sums and their totals. Products and quotients of
/// vectors are loops, because BLAS has no routines for them.
package struct ReplicaMean {
  /// The number of replicas.
  package let replicas: Int
  /// The number of weights that fit in each row.
  package let capacity: Int
  /// W_r, n_r and E_r - E0, replica after replica.
  private var weights: [Float]
  private var visits: [Float]
  private var errors: [Float]
  /// The result of the last merge, in the order of weights.
  package private(set) var result: MergedRow
  /// Memory for the growth of sums, in the order of storage.
  private var growth: [Float]
  private let isCoherent: Bool

  /// The growth that counts for a change of a weight without growth of A.
  private static var trace: Float { 0x1p-120 }

  /// - Parameters:
  ///   - replicas: at most 4,096
  ///   - capacity: the largest number of weights that are merged at once
  ///   - isCoherent: whether weights have the sums of temporal coherence
  package init(replicas: Int, capacity: Int, isCoherent: Bool) {
    precondition((1...4096).contains(replicas))
    (self.replicas, self.capacity, self.isCoherent) = (replicas, capacity, isCoherent)
    let room = [Float](repeating: 0, count: replicas * capacity)
    result = MergedRow(capacity: capacity, isCoherent: isCoherent)
    (weights, visits) = (room, room)
    errors = isCoherent ? room : []
    growth = isCoherent ? [Float](repeating: 0, count: 2 * capacity) : []
  }

  /// Adds a replica's state of some weights to the merge.
  ///
  /// - Parameters:
  ///   - replica: the number of the replica
  ///   - own: the replica's weights and sums; it has memory for `capacity` weights, like `base`
  ///   - base: the weights and sums of the last merge
  ///   - count: the number of weights
  package mutating func take(replica: Int, _ own: CellBuffer, base: CellBuffer, count: Int) {
    precondition(replica >= 0 && replica < replicas && count <= capacity)
    let start = replica * capacity
    if isCoherent {
      subtract(base.sums, from: own.sums)
      Self.take(growth, start, count, &visits, &errors)
    }
    Self.take(own.weights, base.weights, start, count, &weights, &visits, isCoherent: isCoherent)
  }

  /// Adds the growth of sums to the merge.
  private static func take(
    _ growth: [Float], _ start: Int, _ count: Int, _ visits: inout [Float], _ errors: inout [Float]
  ) {
    let growth = growth.span
    var visits = visits.mutableSpan
    var errors = errors.mutableSpan
    for index in 0..<count {
      let grown = growth[2 * index + 1]
      errors[start + index] = growth[2 * index]
      visits[start + index] = grown >= MergedRow.leastGrowth ? grown : 0
    }
  }

  /// Adds weights to the merge, with the growth that counts for a changed weight without growth.
  private static func take(
    _ own: [Float], _ base: [Float], _ start: Int, _ count: Int, _ weights: inout [Float], _ visits: inout [Float],
    isCoherent: Bool
  ) {
    let own = own.span
    let base = base.span
    var weights = weights.mutableSpan
    var visits = visits.mutableSpan
    for index in 0..<count {
      weights[start + index] = own[index]
      let isChanged = own[index] != base[index]
      if isCoherent {
        if isChanged, visits[start + index] == 0 { visits[start + index] = trace }
      } else {
        visits[start + index] = isChanged ? 1 : 0
      }
    }
  }

  /// Adds a block of a row that is merged already, such as the row of another machine, to the merge.
  ///
  /// - Parameter place: the number of the block in the row and here
  package mutating func take(replica: Int, _ row: MergedRow, place: Int) {
    let range = place * TouchMap.blockSize..<(place + 1) * TouchMap.blockSize
    precondition(replica >= 0 && replica < replicas && range.upperBound <= capacity)
    for index in range {
      weights[replica * capacity + index] = row.weights[index]
      visits[replica * capacity + index] = row.visits[index]
      if isCoherent { errors[replica * capacity + index] = row.errors[index] }
    }
  }

  /// Records that a replica has not changed a block.
  package mutating func takeNothing(replica: Int, place: Int) {
    let range = place * TouchMap.blockSize..<(place + 1) * TouchMap.blockSize
    precondition(replica >= 0 && replica < replicas && range.upperBound <= capacity)
    for index in range {
      weights[replica * capacity + index] = 0
      visits[replica * capacity + index] = 0
      if isCoherent { errors[replica * capacity + index] = 0 }
    }
  }

  /// Computes the growth of the sums. It also computes places beyond the weights of this merge, whose results have no
  /// meaning.
  private mutating func subtract(_ base: [Float], from own: [Float]) {
    var growth = growth.mutableSpan
    BLAS.copy(own.span, &growth)
    BLAS.axpy(-1, base.span, &growth)
  }

  /// Merges the added states into `result`. The states are then used up, so each merge needs new ones.
  ///
  /// - Complexity: O(replicas * count)
  package mutating func merge(count: Int) {
    guard replicas > 1 else { return takeOnly() }
    Self.merge(weights, visits, replicas, capacity, count, &result.weights, &result.visits)
    if isCoherent { Self.addUp(errors, replicas, capacity, count, &result.errors) }
  }

  /// The mean of one replica equals its weights. This computes equal numbers in less time.
  private mutating func takeOnly() {
    swap(&result.weights, &weights)
    swap(&result.visits, &visits)
    swap(&result.errors, &errors)
  }

  /// Computes the sum of n_r and the mean of W_r for some weights.
  private static func merge(
    _ weights: [Float], _ visits: [Float], _ replicas: Int, _ capacity: Int, _ count: Int,
    _ means: inout [Float], _ sums: inout [Float]
  ) {
    let weights = weights.span
    let visits = visits.span
    var means = means.mutableSpan
    var sums = sums.mutableSpan
    for index in 0..<count {
      var (most, largest) = (0.0, 0.0)
      for place in stride(from: index, to: replicas * capacity, by: capacity) {
        let n = Double(visits[place])
        most = max(most, n)
        largest = max(largest, abs(n * Double(weights[place])))
      }
      let (sumGrid, momentGrid) = (OrderFreeSum.grid(for: most), OrderFreeSum.grid(for: largest))
      var (sum, moment) = (0.0, 0.0)
      for place in stride(from: index, to: replicas * capacity, by: capacity) {
        let n = Double(visits[place])
        sum += (n + sumGrid) - sumGrid
        moment += (n * Double(weights[place]) + momentGrid) - momentGrid
      }
      sums[index] = Float(sum)
      // Without visits the weight does not change, and this number is not used.
      means[index] = sum > 0 ? Float(moment / sum) : 0
    }
  }

  /// Computes the sum of rows.
  private static func addUp(
    _ rows: [Float], _ replicas: Int, _ capacity: Int, _ count: Int, _ sums: inout [Float]
  ) {
    let rows = rows.span
    var sums = sums.mutableSpan
    for index in 0..<count {
      var largest = 0.0
      for place in stride(from: index, to: replicas * capacity, by: capacity) {
        largest = max(largest, abs(Double(rows[place])))
      }
      let grid = OrderFreeSum.grid(for: largest)
      var sum = 0.0
      for place in stride(from: index, to: replicas * capacity, by: capacity) {
        sum += (Double(rows[place]) + grid) - grid
      }
      sums[index] = Float(sum)
    }
  }
}
