public import TupeloEngine
public import TupeloNetwork
public import TupeloTables

/// An n-tuple network with a weight of its own for every state that training has met: V(s) = max(patterns(s), 0) +
/// w(s).
///
/// A decorator for small boards, where patterns cannot tell all states apart; see `StateIndex`. Weights are in score
/// points. Any number of threads may evaluate.
public final class StateNetwork: Evaluator {
  public let patterns: NTupleNetwork
  /// Which states have weights.
  public let states: StateIndex
  /// By slot of `states`.
  public let weights: WeightStorage<PlainCell>
  public let specification: StateSpecification

  /// A network with all weights zero that knows no state.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public convenience init(_ specification: StateSpecification) throws(WeightStorageError) {
    self.init(
      try NTupleNetwork(specification.patterns), states: try StateIndex(specification),
      weights: try WeightStorage(count: 1 << specification.bits))
  }

  /// - Precondition: as many weights as states.
  package init(_ patterns: NTupleNetwork, states: StateIndex, weights: WeightStorage<PlainCell>) {
    precondition(states.count == weights.count)
    (self.patterns, self.states, self.weights) = (patterns, states, weights)
    specification = StateSpecification(patterns.specification, bits: states.count.trailingZeroBitCount)
  }

  public func value(of afterstate: Afterstate) -> Float { add(patterns.value(of: afterstate), afterstate) }

  /// Prefetches what a few positions ahead need before adding it up.
  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    for afterstate in 0..<afterstates.count {
      let hash = states.hash(afterstates[afterstate].bits)
      states.prefetch(hash)
      weights.prefetch(states.hash.bucket(of: hash))
    }
    patterns.evaluate(afterstates, into: &values)
    for index in 0..<afterstates.count { values[index] = add(values[index], afterstates[index]) }
  }

  /// The value of a state from what the patterns say of it.
  private func add(_ patterns: Float, _ afterstate: Afterstate) -> Float {
    let base = StateIndex.base(patterns: patterns)
    return states.slot(of: states.hash(afterstate.bits)).map { base + weights.weight(at: $0) } ?? base
  }

  /// The network with fewer patterns of the same values; see `NTupleNetwork.folded()`.
  public func folded() throws -> StateNetwork {
    StateNetwork(try patterns.folded(), states: states, weights: weights)
  }
}
