public import TupeloEngine
public import TupeloTables

/// Writes a state as itself and its hash: the learner of whole states looks it up, and asks the patterns only about one
/// it has not met.
///
/// Soundness of the unsafe memory: a slot of this layout has eight words, from a multiple of eight words on in memory
/// that is aligned to cache lines, and all numbers lie within it at multiples of their size.
public struct StateEncoder: FeatureEncoder {
  public let layout = FeatureLayout(featureCount: Word.count, groupSize: Word.count, weightCount: 1 << 32)
  @usableFromInline let hash: StateHash

  init(hash: StateHash) { self.hash = hash }

  /// Where in a slot what is.
  @usableFromInline
  enum Word {
    /// The position, its lower half first.
    @inlinable static var position: Int { 0 }
    /// The hash, likewise.
    @inlinable static var hash: Int { 2 }
    /// One more than the state's slot in the table of states; 0 while it is not known.
    @inlinable static var slot: Int { 4 }
    @inlinable static var count: Int { 5 }
  }

  @inlinable @inline(__always)
  public func write(_ afterstate: Afterstate, into features: inout FeatureBuffer, slot: Int) {
    let words = unsafe UnsafeMutableRawPointer(features.words(ofSlot: slot, for: layout))
    unsafe words.storeBytes(of: afterstate.bits, toByteOffset: Word.position * 4, as: UInt64.self)
    unsafe words.storeBytes(of: hash(afterstate.bits), toByteOffset: Word.hash * 4, as: UInt64.self)
    unsafe words.storeBytes(of: 0, toByteOffset: Word.slot * 4, as: UInt32.self)
  }

  /// The board that stands for a state: the least of the symmetric ones, where the network shares its weights over
  /// them.
  @inlinable @inline(__always)
  func representative(of state: Afterstate) -> Afterstate { Afterstate(bits: hash.representative(of: state.bits)) }

  @inlinable @inline(__always)
  func position(_ features: borrowing FeatureBuffer, slot: Int) -> Afterstate {
    Afterstate(bits: Self.pair(Word.position, features, slot: slot))
  }

  @inlinable @inline(__always)
  func hash(_ features: borrowing FeatureBuffer, slot: Int) -> UInt64 { Self.pair(Word.hash, features, slot: slot) }

  /// The state's slot in the table of states; -1 for none.
  @inlinable @inline(__always)
  static func place(_ features: borrowing FeatureBuffer, slot: Int) -> Int {
    unsafe Int(features.base(ofSlot: slot)[Word.slot]) - 1
  }

  @inlinable @inline(__always)
  func set(place: Int, _ features: inout FeatureBuffer, slot: Int) {
    unsafe features.words(ofSlot: slot, for: layout)[Word.slot] = UInt32(truncatingIfNeeded: place + 1)
  }

  @inlinable @inline(__always)
  static func pair(_ word: Int, _ features: borrowing FeatureBuffer, slot: Int) -> UInt64 {
    let words = unsafe UnsafeRawPointer(features.base(ofSlot: slot))
    return unsafe words.load(fromByteOffset: word * 4, as: UInt64.self)
  }
}
