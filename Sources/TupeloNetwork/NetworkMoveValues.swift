internal import TupeloEngine
internal import TupeloTables

/// Keeps the indices of the moves on each board, computed once for prefetch and value.
final class NetworkMoveValues: MoveValues {
  let boards: Int
  private let network: NTupleNetwork
  /// Unchecked, because checks for exclusive access cost a third of greedy play. No method of this class calls another one or anything that
  /// could come back here, and each thread has its own object.
  @exclusivity(unchecked) private var features: FeatureBuffer

  init(_ network: NTupleNetwork, boards: Int) {
    precondition(boards >= 1, "there is at least one board")
    self.boards = boards
    self.network = network
    unsafe features = network.indexer.makeBuffer(slots: boards * 4)
  }

  func prepare(_ successors: Successors, place: Int) {
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      unsafe network.indexer.write(successors.afterstate(number: move), into: &features, slot: place &* 4 &+ move)
      unsafe network.weights.prefetch(features, slot: place &* 4 &+ move)
      network.prefetch(state: successors.bits[move])
    }
  }

  func values(of successors: Successors, place: Int) -> SIMD4<Float> {
    var values = SIMD4<Float>.zero
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let patterns = unsafe network.weights.sum(features, slot: place &* 4 &+ move)
      values[move] = network.value(patterns: patterns, ofBits: successors.bits[move])
    }
    return values
  }
}
