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

extension NTupleNetwork {
  /// Adds the structure and all weights to a hash. No thread may change weights during the call.
  package func add(to hash: inout WeightHash) {
    for byte in specification.canonicalText.utf8 { hash.add(UInt32(byte)) }
    weights.reading { $0.add(to: &hash) }
  }
}

extension NTupleNetwork {
  /// Move values for two interleaved boards. Two boards were faster than one on most networks, and three were never
  /// faster than two.
  public func makeMoveValues() -> any MoveValues { makeMoveValues(boards: 2) }

  /// - Precondition: `boards` is at least 1.
  package func makeMoveValues(boards: Int) -> any MoveValues { NTupleMoveValues(self, boards: boards) }
}

/// Each kind of network has a separate type, because the compiler would not specialise a generic one.
private final class NTupleMoveValues: MoveValues {
  private let slots: MoveSlots<WeightStorage<PlainCell>>

  init(_ network: NTupleNetwork, boards: Int) { slots = MoveSlots(network.indexer, network.weights, boards: boards) }

  var boards: Int { slots.boards }

  func prepare(_ successors: Successors, place: Int) { slots.prepare(successors, place: place) }

  func values(of successors: Successors, place: Int) -> SIMD4<Float> { slots.values(of: successors, place: place) }
}
