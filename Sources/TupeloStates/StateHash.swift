public import TupeloEngine
internal import TupeloNetwork

/// A hash of states, and where in a table of buckets of sixteen slots it looks for one.
///
/// A state is the board up to symmetry, where the network shares its weights over it. Files depend on all of this.
public struct StateHash: Sendable {
  @usableFromInline let shift: UInt64
  /// `nil` where symmetric boards are different states.
  @usableFromInline let form: CanonicalForm?

  init(_ specification: StateSpecification) {
    shift = UInt64(64 - specification.bits + 4)
    form = specification.patterns.sharesSymmetries ? CanonicalForm(specification.patterns.shape) : nil
  }

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

  /// Where a state is looked for, in order: in all slots of its bucket, the first four of them on one line of four
  /// entries.
  ///
  /// - Parameter step: 0...15
  @inlinable @inline(__always)
  func slot(_ step: Int, of hash: UInt64) -> Int { bucket(of: hash) | Int(truncatingIfNeeded: hash &>> 32) & 15 ^ step }

  /// What is compared. Never 0, which is no state's.
  @inlinable @inline(__always)
  func tag(of hash: UInt64) -> UInt32 { max(UInt32(truncatingIfNeeded: hash), 1) }
}
