/// Room for the features of several positions, so that they are computed once and serve for prefetch, value and update.
///
/// Soundness of the unsafe memory: it holds `slots * stride` words, zero at first (index 0 exists in every network)
/// and after that only what a `TupleIndexer` wrote; slots are checked. Owned by one worker and freed with it.
@safe
public struct FeatureBuffer: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: UnsafeMutablePointer<UInt32>
  public let featureCount: Int
  /// Words per slot: whole vectors of eight.
  @usableFromInline let stride: Int
  /// How many features side by side belong to one pattern and so may be the same; those of two patterns never are.
  @usableFromInline let boardsPerPattern: Int
  public let slots: Int

  /// Room for features of `specification`.
  public init(_ specification: NetworkSpecification, slots: Int) {
    self.init(
      featureCount: specification.featureCount, boardsPerPattern: specification.boardsPerPattern, slots: slots)
  }

  /// Room for features of which any may be the same.
  public init(featureCount: Int, slots: Int) {
    self.init(featureCount: featureCount, boardsPerPattern: featureCount, slots: slots)
  }

  private init(featureCount: Int, boardsPerPattern: Int, slots: Int) {
    self.featureCount = featureCount
    self.boardsPerPattern = boardsPerPattern
    self.slots = slots
    stride = (featureCount + 7) / 8 * 8
    let raw = UnsafeMutableRawPointer.allocate(byteCount: stride * slots * 4, alignment: 64)
    unsafe memory = raw.initializeMemory(as: UInt32.self, repeating: 0, count: stride * slots)
  }

  deinit {
    unsafe memory.deallocate()
  }

  @unsafe @inlinable @inline(__always)
  func base(ofSlot slot: Int) -> UnsafeMutablePointer<UInt32> {
    precondition(slot >= 0 && slot < slots)
    return unsafe memory + slot &* stride
  }

  /// A hash of the features of a slot, whatever their order: symmetric boards have the same where the network shares their weights.
  /// Checkpoints keep visits by it, so a change of it or of `StorageOrder` asks for another name of their tensor (`VisitCounts.tensorName`).
  ///
  /// - Complexity: O(m)
  @inlinable @inline(__always)
  public func hash(ofSlot slot: Int) -> UInt64 {
    let features = unsafe base(ofSlot: slot)
    var sum: UInt64 = 0
    for number in 0..<featureCount {
      // Multiply, fold, multiply: the plain sum is the same for many boards with the same tiles.
      let product = unsafe (UInt64(features[number]) &+ 1) &* 0x9e37_79b9_7f4a_7c15
      sum &+= (product ^ product >> 32) &* 0xd6e8_feb8_6659_fd93
    }
    return sum ^ sum >> 32
  }

  /// The features of a slot, in order.
  public func features(ofSlot slot: Int) -> [Int] {
    let base = unsafe base(ofSlot: slot)
    return (0..<featureCount).map { unsafe Int(base[$0]) }
  }
}
