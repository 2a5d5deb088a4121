public import TupeloEngine
package import TupeloTables

/// An n-tuple network for play. It takes memory for little more than its weights that are not zero.
///
/// Values are bit-identical to those of the `NTupleNetwork` of the same file. It is slower, because each lookup
/// must first find the place of the weight. Sendable: any number of threads may share it. The section "Memory to play"
/// of configs/RESULTS.md has figures.
public final class SparseNetwork: InterleavingEvaluator, TupleLookup {
  public let specification: NetworkSpecification
  let indexer: TupleIndexer
  let weights: SparseWeights

  /// - Precondition: `weights` has as many weights as the indexer's specification.
  package init(indexer: TupleIndexer, weights: SparseWeights) {
    precondition(weights.count == indexer.specification.weightCount)
    specification = indexer.specification
    self.indexer = indexer
    self.weights = weights
  }

  /// The memory that the weights take, in bytes.
  public var byteCount: Int { weights.byteCount }

  public func value(of afterstate: Afterstate) -> Float { lookUp(afterstate) }

  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    lookUp(afterstates, into: &values)
  }
}
