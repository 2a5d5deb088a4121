public import TupeloEngine
internal import TupeloNetwork

/// Hashes states and says in which slots of a table a state is looked for. The table has buckets of sixteen slots.
///
/// A state is the board; where the network shares its weights over symmetries, it is the board up to symmetry. Files
/// depend on the hash and on the order of slots.
public struct StateHash: Sendable {
  @usableFromInline let shift: UInt64
  /// The canonical form of symmetric boards; `nil` where symmetric boards are different states.
  @usableFromInline let form: CanonicalForm?

  init(_ specification: StateSpecification) {
    shift = UInt64(64 - specification.bits + 4)
    form = specification.patterns.sharesSymmetries ? CanonicalForm(specification.patterns.shape) : nil
  }

  /// The hash of the state of a position.
  @inlinable @inline(__always)
  public func callAsFunction(_ position: UInt64) -> UInt64 {
    let state = representative(of: position)
    // Multiply, fold, multiply: the high bits of the first product alone leave boards that differ in a high tile side
    // by side.
    let product = state &* 0x9e37_79b9_7f4a_7c15
    return (product ^ product &>> 32) &* 0xd6e8_feb8_6659_fd93
  }

  /// The position that stands for a state.
  @inlinable @inline(__always)
  func representative(of position: UInt64) -> UInt64 { form?(position) ?? position }

  /// The first slot of a state's bucket.
  @inlinable @inline(__always)
  public func bucket(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> shift) &<< 4 }

  /// The slot to look at in a step of the search, which visits all slots of the state's bucket. The first four steps
  /// lie on one cache line of four 16-byte entries.
  ///
  /// - Parameter step: 0...15
  @inlinable @inline(__always)
  func slot(_ step: Int, of hash: UInt64) -> Int { bucket(of: hash) | Int(truncatingIfNeeded: hash &>> 32) & 15 ^ step }

  /// The tag: 32 bits of the hash that are compared in a slot. Never 0, which marks an empty slot.
  @inlinable @inline(__always)
  func tag(of hash: UInt64) -> UInt32 { max(UInt32(truncatingIfNeeded: hash), 1) }
}
