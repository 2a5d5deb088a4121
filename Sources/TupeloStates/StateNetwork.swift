public import TupeloEngine
public import TupeloNetwork
public import TupeloTables

/// An evaluator for small boards: an n-tuple network plus a weight for every state that training has met.
///
/// V(s) = max(patterns(s), 0) + w(s), in score points. It is a decorator of `NTupleNetwork`: patterns cannot tell all
/// states of a small board apart; see `StateIndex`. Any number of threads may evaluate.
public final class StateNetwork: Evaluator {
  public let patterns: NTupleNetwork
  /// Which states have weights.
  public let states: StateIndex
  /// The states' own weights, by slot of `states`.
  public let weights: WeightStorage<PlainCell>
  public let specification: StateSpecification

  /// A network that knows no state and whose weights are all zero.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public convenience init(_ specification: StateSpecification) throws(WeightStorageError) {
    self.init(
      try NTupleNetwork(specification.patterns), states: try StateIndex(specification),
      weights: try WeightStorage(count: 1 << specification.bits))
  }

  /// - Precondition: `weights` has one weight per slot of `states`.
  package init(_ patterns: NTupleNetwork, states: StateIndex, weights: WeightStorage<PlainCell>) {
    precondition(states.count == weights.count)
    (self.patterns, self.states, self.weights) = (patterns, states, weights)
    specification = StateSpecification(patterns.specification, bits: states.count.trailingZeroBitCount)
  }

  public func value(of afterstate: Afterstate) -> Float { add(patterns.value(of: afterstate), afterstate) }

  /// Values of many positions. It prefetches the entries of all positions before it adds their weights.
  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    for afterstate in 0..<afterstates.count {
      let hash = states.hash(afterstates[afterstate].bits)
      states.prefetch(hash)
      weights.prefetch(states.hash.bucket(of: hash))
    }
    patterns.evaluate(afterstates, into: &values)
    for index in 0..<afterstates.count { values[index] = add(values[index], afterstates[index]) }
  }

  /// The value of a state, given the patterns' value.
  private func add(_ patterns: Float, _ afterstate: Afterstate) -> Float {
    let base = StateIndex.base(patterns: patterns)
    return states.slot(of: states.hash(afterstate.bits)).map { base + weights.weight(at: $0) } ?? base
  }

  /// The network with its patterns folded into fewer ones; values do not change. See `NTupleNetwork.folded()`.
  public func folded() throws -> StateNetwork {
    StateNetwork(try patterns.folded(), states: states, weights: weights)
  }

  /// Adds the states' own weights to a hash; the patterns add theirs.
  package func addStates(to hash: inout WeightHash) {
    weights.exclusively { $0.add(to: &hash) }
  }
}
