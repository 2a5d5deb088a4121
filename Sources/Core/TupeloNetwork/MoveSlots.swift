internal import TupeloEngine
internal import TupeloTables

/// The indices of the moves on several boards. They are computed once, for prefetch and value.
///
/// Soundness of the unsafe memory: there are four slots of `stride` words for each board, freed with this value, and
/// places are checked. A slot is zero at first, and index 0 exists in every network, as does place 0. After that it
/// holds indices that the network's own indexer wrote, or the places of their weights.
///
/// It allocates memory itself, because checks for exclusive access to a buffer of an object take a third of the time of
/// greedy play. It is not Sendable: each thread has its own.
@safe
struct MoveSlots<Weights: PlayedWeights>: ~Copyable {
  let boards: Int
  private let indexer: TupleIndexer
  private let weights: Weights
  private let count: Int
  private let stride: Int
  private let slots: UnsafeMutablePointer<UInt32>

  init(_ indexer: TupleIndexer, _ weights: Weights, boards: Int) {
    precondition(boards >= 1, "there is at least one board")
    self.boards = boards
    (self.indexer, self.weights) = (indexer, weights)
    count = indexer.featureCount
    stride = indexer.layout.stride
    let words = boards * 4 * stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: words * 4, alignment: 64)
    unsafe slots = memory.initializeMemory(as: UInt32.self, repeating: 0, count: words)
  }

  deinit {
    unsafe slots.deallocate()
  }

  @inline(__always)
  func prepare(_ successors: Successors, place: Int) {
    precondition(place >= 0 && place < boards)
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      let slot = unsafe slots + (place &* 4 &+ move) &* stride
      unsafe indexer.write(successors.afterstate(number: move), to: slot)
      unsafe weights.prepare(slot, count: count)
    }
  }

  @inline(__always)
  func values(of successors: Successors, place: Int) -> SIMD4<Float> {
    precondition(place >= 0 && place < boards)
    var values = SIMD4<Float>.zero
    for move in 0..<4 where successors.legal.mask >> UInt8(move) & 1 == 1 {
      values[move] = unsafe weights.sum(slots + (place &* 4 &+ move) &* stride, count: count)
    }
    return values
  }
}
