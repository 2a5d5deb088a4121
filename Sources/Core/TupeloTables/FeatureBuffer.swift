/// Memory for the features of several positions. They are computed once and serve prefetch, value and update.
///
/// One worker owns a buffer. The encoder that made it fills it; see `FeatureLayout`.
///
/// Soundness of the unsafe memory: the buffer holds `slots * layout.stride` words, which are freed with it, and slots
/// are checked. The words are zero at first, and index 0 exists in every storage. After that an encoder of the same
/// layout has written them, each below `layout.weightCount`. Writing takes the buffer `inout`, so no other code reads
/// at the same time.
@safe
public struct FeatureBuffer: ~Copyable, @unchecked Sendable {
  public let layout: FeatureLayout
  public let slots: Int
  @usableFromInline let memory: UnsafeMutablePointer<UInt32>

  public init(_ layout: FeatureLayout, slots: Int) {
    self.layout = layout
    self.slots = slots
    let count = layout.stride * slots
    let raw = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
    unsafe memory = raw.initializeMemory(as: UInt32.self, repeating: 0, count: count)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// The address of a slot's features, for storage that reads them.
  @unsafe @inlinable @inline(__always)
  package func base(ofSlot slot: Int) -> UnsafePointer<UInt32> {
    precondition(slot >= 0 && slot < slots)
    return unsafe UnsafePointer(memory + slot &* layout.stride)
  }

  /// The address of a slot's `layout.stride` words, for the encoder that writes them. It is aligned to a cache line if
  /// the stride is a multiple of 16.
  ///
  /// - Precondition: `layout` equals the layout of the buffer, up to `groupSize`.
  @unsafe @inlinable @inline(__always)
  package mutating func words(ofSlot slot: Int, for layout: FeatureLayout) -> UnsafeMutablePointer<UInt32> {
    precondition(layout.key == self.layout.key && slot >= 0 && slot < slots)
    return unsafe memory + slot &* self.layout.stride
  }

  /// Sets one feature of a slot, for an encoder that writes its features one by one.
  ///
  /// - Parameters:
  ///   - number: in `0..<layout.featureCount`
  ///   - index: the number of the weight, in `0..<layout.weightCount`
  @inlinable @inline(__always)
  public mutating func set(_ number: Int, ofSlot slot: Int, to index: Int) {
    precondition(number >= 0 && number < layout.featureCount && index >= 0 && index < layout.weightCount)
    unsafe words(ofSlot: slot, for: layout)[number] = UInt32(truncatingIfNeeded: index)
  }

  /// One feature of a slot, by its number in `0..<layout.featureCount`.
  @inlinable @inline(__always)
  public func feature(_ number: Int, ofSlot slot: Int) -> UInt32 {
    precondition(number >= 0 && number < layout.featureCount)
    return unsafe base(ofSlot: slot)[number]
  }

  /// The features of a slot, in order.
  public func features(ofSlot slot: Int) -> [Int] {
    let base = unsafe base(ofSlot: slot)
    return (0..<layout.featureCount).map { unsafe Int(base[$0]) }
  }

  /// Copies the features of a slot from another buffer of the same layout.
  @inlinable @inline(__always)
  public mutating func copy(_ source: borrowing FeatureBuffer, slot: Int, toSlot target: Int) {
    let from = unsafe source.base(ofSlot: slot)
    unsafe words(ofSlot: target, for: source.layout).update(from: from, count: layout.featureCount)
  }
}
