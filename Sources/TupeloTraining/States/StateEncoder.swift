package import TupeloEngine
internal import TupeloNetwork
package import TupeloTables

/// Writes a state as itself and its hash: the learner of whole states looks it up, and asks the patterns only about one
/// it has not met.
///
/// Soundness of the unsafe memory: a slot of this layout has eight words, from a multiple of eight words on in memory
/// that is aligned to cache lines, and all numbers lie within it at multiples of their size.
package struct StateEncoder: FeatureEncoder {
  package let layout = FeatureLayout(featureCount: Word.count, groupSize: Word.count, weightCount: 1 << 32)
  let hash: StateHash

  /// Where in a slot what is.
  enum Word {
    /// The position, its lower half first.
    static var position: Int { 0 }
    /// The hash, likewise.
    static var hash: Int { 2 }
    /// One more than the state's slot in the table of states; 0 while it is not known.
    static var slot: Int { 4 }
    static var count: Int { 5 }
  }

  @inline(__always)
  package func write(_ afterstate: Afterstate, into features: inout FeatureBuffer, slot: Int) {
    let words = unsafe UnsafeMutableRawPointer(features.words(ofSlot: slot, for: layout))
    unsafe words.storeBytes(of: afterstate.bits, toByteOffset: Word.position * 4, as: UInt64.self)
    unsafe words.storeBytes(of: hash(afterstate.bits), toByteOffset: Word.hash * 4, as: UInt64.self)
    unsafe words.storeBytes(of: 0, toByteOffset: Word.slot * 4, as: UInt32.self)
  }

  @inline(__always)
  func position(_ features: borrowing FeatureBuffer, slot: Int) -> Afterstate {
    Afterstate(bits: Self.pair(Word.position, features, slot: slot))
  }

  @inline(__always)
  func hash(_ features: borrowing FeatureBuffer, slot: Int) -> UInt64 { Self.pair(Word.hash, features, slot: slot) }

  /// The state's slot in the table of states; -1 for none.
  @inline(__always)
  static func place(_ features: borrowing FeatureBuffer, slot: Int) -> Int {
    unsafe Int(features.base(ofSlot: slot)[Word.slot]) - 1
  }

  @inline(__always)
  func set(place: Int, _ features: inout FeatureBuffer, slot: Int) {
    unsafe features.words(ofSlot: slot, for: layout)[Word.slot] = UInt32(truncatingIfNeeded: place + 1)
  }

  @inline(__always)
  private static func pair(_ word: Int, _ features: borrowing FeatureBuffer, slot: Int) -> UInt64 {
    let words = unsafe UnsafeRawPointer(features.base(ofSlot: slot))
    return unsafe words.load(fromByteOffset: word * 4, as: UInt64.self)
  }
}
