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

extension SparseNetwork {
  /// Copies the weights of a network that are not zero. No thread may change them during the call.
  ///
  /// - Throws: `WeightStorageError` when they do not fit into memory.
  package convenience init(_ network: NTupleNetwork) throws(WeightStorageError) {
    var weights = try SparseWeights.Builder(count: network.weights.count)
    for index in 0..<network.weights.count {
      let weight = network.weights.weight(at: index)
      if weight.bitPattern != 0 { try weights.set(weight, at: index) }
    }
    self.init(indexer: network.indexer, weights: weights.finished())
  }
}

extension SparseNetwork {
  /// Move values for two interleaved boards. Two boards were faster than one on most networks, and three were never
  /// faster than two.
  public func makeMoveValues() -> any MoveValues { makeMoveValues(boards: 2) }

  /// - Precondition: `boards` is at least 1.
  package func makeMoveValues(boards: Int) -> any MoveValues { SparseMoveValues(self, boards: boards) }
}

/// Each kind of network has a separate type, because the compiler would not specialise a generic one.
private final class SparseMoveValues: MoveValues {
  private let slots: MoveSlots<SparseWeights>

  init(_ network: SparseNetwork, boards: Int) { slots = MoveSlots(network.indexer, network.weights, boards: boards) }

  var boards: Int { slots.boards }

  func prepare(_ successors: Successors, place: Int) { slots.prepare(successors, place: place) }

  func values(of successors: Successors, place: Int) -> SIMD4<Float> { slots.values(of: successors, place: place) }
}
