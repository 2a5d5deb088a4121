public import TupeloEngine
internal import TupeloTables

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
