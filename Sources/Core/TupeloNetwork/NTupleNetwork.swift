public import TupeloEngine
public import TupeloTables

/// An n-tuple network: the value of an afterstate is the sum of the weights that its patterns select, over all
/// symmetric boards (Szubert & Jaskowski 2014, eq. 8; Jaskowski 2018, eq. 3).
///
/// Weights are 32-bit floats in score points. Sendable: any number of threads may evaluate it while other threads train
/// it.
public final class NTupleNetwork: InterleavingEvaluator, TupleLookup {
  public let specification: NetworkSpecification
  public let indexer: TupleIndexer
  public let weights: WeightStorage<PlainCell>

  /// A network with all weights zero.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public convenience init(_ specification: NetworkSpecification) throws(WeightStorageError) {
    self.init(indexer: TupleIndexer(specification), weights: try WeightStorage(count: specification.weightCount))
  }

  /// A network over existing weights, such as the weights of a training run.
  ///
  /// - Precondition: `weights` has as many weights as the indexer's specification.
  package init(indexer: TupleIndexer, weights: WeightStorage<PlainCell>) {
    precondition(weights.count == indexer.specification.weightCount)
    specification = indexer.specification
    self.indexer = indexer
    self.weights = weights
  }

  public func value(of afterstate: Afterstate) -> Float { lookUp(afterstate) }

  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    lookUp(afterstates, into: &values)
  }

  /// A weight of a pattern in a stage.
  ///
  /// - Parameters:
  ///   - pattern: the number of the pattern
  ///   - index: the index within the pattern's table, in the order that files use
  ///   - stage: the number of the stage, from 0
  public subscript(pattern pattern: Int, standardIndex index: Int, stage stage: Int = 0) -> Float {
    get { weights[indexer.storageIndex(pattern: pattern, standardIndex: index, stage: stage)].weight }
    set {
      weights[indexer.storageIndex(pattern: pattern, standardIndex: index, stage: stage)] = PlainCell(weight: newValue)
    }
  }
}
