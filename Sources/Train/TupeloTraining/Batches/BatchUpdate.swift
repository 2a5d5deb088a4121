public import TupeloLearning
public import TupeloTables

/// Updates weights by TD(0) in batches (Jacobi updates). The errors of N states are computed from the same weights, and
/// then all weights move.
///
/// A weight that several states share would move by the sum of their steps, which diverges. So each step is divided by
/// the number of states in the batch that have the weight. The weight then moves by the mean of their single steps. A
/// batch of one state equals the sequential learner, up to rounding in single precision. The sums of temporal coherence
/// add every error in full, state by state, as in sequential learning.
public struct BatchUpdate<Rule: StepSizeRule>: ~Copyable, Sendable {
  public var table: ValueTable<Rule>
  /// N: the number of states in a full batch.
  public let capacity: Int
  /// The number of states gathered so far.
  public private(set) var count = 0
  private var features: FeatureBuffer
  private var dense: DenseBatch
  private var occurrences: OccurrenceCounts
  /// The place of each weight's count, per state and feature.
  private var places: [Int]

  /// - Precondition: `capacity` is at least 1.
  public init(_ table: ValueTable<Rule>, layout: FeatureLayout, capacity: Int) {
    precondition(capacity >= 1)
    self.table = table
    self.capacity = capacity
    features = FeatureBuffer(layout, slots: capacity)
    let featureCount = layout.featureCount
    dense = DenseBatch(rows: capacity, columns: featureCount)
    occurrences = OccurrenceCounts(capacity: capacity * featureCount)
    places = [Int](repeating: 0, count: capacity * featureCount)
  }

  /// Adds a state to the batch, unless its stage is frozen, and learns the batch when it is full.
  ///
  /// - Parameters:
  ///   - source: the buffer with the state's features, which are copied
  ///   - slot: the slot of these features in `source`
  ///   - target: r + V(s'), or 0 after the last move of an episode
  /// - Returns: the sum of the absolute TD errors of the states that were learned, in score points.
  @specialized(where Rule == ConstantStepSize)
  @specialized(where Rule == TemporalCoherence)
  public mutating func append(_ source: borrowing FeatureBuffer, slot: Int, target: Float) -> Double {
    guard !table.isFrozen(source, slot: slot) else { return 0 }
    features.copy(source, slot: slot, toSlot: count)
    dense.targets[count] = target
    count += 1
    return count == capacity ? learn() : 0
  }

  /// Learns the states gathered so far, also when the batch is not full.
  ///
  /// - Returns: the sum of the absolute TD errors, in score points.
  /// - Complexity: O(count * m)
  @specialized(where Rule == ConstantStepSize)
  @specialized(where Rule == TemporalCoherence)
  public mutating func learn() -> Double {
    let (rows, columns) = (count, features.layout.featureCount)
    let (weights, rule) = (table.weights, table.rule)
    dense.gather(weights, features, rows: rows)
    dense.computeByBLAS(rows: rows, share: 1 / Float(columns))
    occurrences.beginBatch()
    for row in 0..<rows {
      weights.prefetchSums(features, slot: row)
      for column in 0..<columns {
        places[row * columns + column] = occurrences.add(features.feature(column, ofSlot: row), row: row)
      }
    }
    var absoluteErrors = 0.0
    for row in 0..<rows {
      let error = dense.errors[row]
      absoluteErrors += Double(abs(error))
      for column in 0..<columns {
        let number = row * columns + column
        let step = dense.steps[number] / Float(occurrences.count(at: places[number]))
        weights.update(feature: column, of: features, slot: row) { rule.apply(&$0, step: step, error: error) }
      }
    }
    count = 0
    return absoluteErrors
  }
}
