public import SetEngine
public import TupeloTables

/// A learned value function of Set: the sum of the weights that the remaining cards and Sets select; see
/// `SetSpecification`.
///
/// With an empty deck the value is exact, computed by search. Any number of threads may evaluate.
public final class SetNetwork: SetEvaluator {
  public let specification: SetSpecification
  public let encoder: SetEncoder
  public let weights: WeightStorage<PlainCell>

  /// A network with all weights zero.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public convenience init(_ specification: SetSpecification) throws(WeightStorageError) {
    self.init(encoder: SetEncoder(specification), weights: try WeightStorage(count: specification.weightCount))
  }

  /// A network over existing weights.
  ///
  /// - Precondition: `weights` has as many weights as the encoder's specification.
  package init(encoder: SetEncoder, weights: WeightStorage<PlainCell>) {
    precondition(weights.count == encoder.specification.weightCount)
    specification = encoder.specification
    self.encoder = encoder
    self.weights = weights
  }

  /// The expected number of Sets still to come after `afterstate`.
  ///
  /// - Complexity: a few microseconds, and one allocation; use `evaluate` for many afterstates.
  public func value(of afterstate: SetAfterstate) -> Float {
    guard !afterstate.unseen.isEmpty else { return Float(afterstate.table.mostSets) }
    var features = encoder.makeBuffer(slots: 1)
    return value(of: afterstate, &features)
  }

  /// Values of many afterstates.
  public func evaluate(_ afterstates: Span<SetAfterstate>, into values: inout MutableSpan<Float>) {
    var features = encoder.makeBuffer(slots: 1)
    for index in afterstates.indices { values[index] = value(of: afterstates[index], &features) }
  }

  private func value(of afterstate: SetAfterstate, _ features: inout FeatureBuffer) -> Float {
    guard !afterstate.unseen.isEmpty else { return Float(afterstate.table.mostSets) }
    encoder.write(afterstate, into: &features, slot: 0)
    return weights.sum(features, slot: 0)
  }
}
