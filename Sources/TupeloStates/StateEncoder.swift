public import TupeloEngine
public import TupeloTables

/// Encodes a state for `StateLearner`: the position, its hash and the state's slot.
///
/// The learner looks the state up by its hash. It asks the patterns only about a state that it has not met yet.
///
/// Soundness of the unsafe memory: a slot of this layout has eight words and begins at a multiple of eight words. The
/// memory is aligned to cache lines. All numbers lie within the slot, at multiples of their size.
public struct StateEncoder: FeatureEncoder {
  public let layout = FeatureLayout(featureCount: Word.count, groupSize: Word.count, weightCount: 1 << 32)
  @usableFromInline let hash: StateHash

  init(hash: StateHash) { self.hash = hash }

  /// Offsets within a slot, in words of 32 bits.
  @usableFromInline
  enum Word {
    /// The position, 64 bits, lower half first.
    @inlinable static var position: Int { 0 }
    /// The hash of the state, 64 bits, lower half first.
    @inlinable static var hash: Int { 2 }
    /// The state's slot in the table of states, plus 1; 0 while it is not known.
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

  /// The hash of the state in a slot.
  @inlinable @inline(__always)
  func hash(_ features: borrowing FeatureBuffer, slot: Int) -> UInt64 { Self.pair(Word.hash, features, slot: slot) }

  /// The place of the state in a slot: its slot in the table of states; -1 for none.
  @inlinable @inline(__always)
  static func place(_ features: borrowing FeatureBuffer, slot: Int) -> Int {
    unsafe Int(features.base(ofSlot: slot)[Word.slot]) - 1
  }

  /// Stores the state's place in a slot; -1 for none.
  @inlinable @inline(__always)
  func set(place: Int, _ features: inout FeatureBuffer, slot: Int) {
    unsafe features.words(ofSlot: slot, for: layout)[Word.slot] = UInt32(truncatingIfNeeded: place + 1)
  }

  /// Two words of a slot as one number of 64 bits.
  @inlinable @inline(__always)
  static func pair(_ word: Int, _ features: borrowing FeatureBuffer, slot: Int) -> UInt64 {
    let words = unsafe UnsafeRawPointer(features.base(ofSlot: slot))
    return unsafe words.load(fromByteOffset: word * 4, as: UInt64.self)
  }
}
