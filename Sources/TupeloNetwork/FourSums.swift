public import Synchronization

/// The sums that are kept with four different weights, side by side, so that a rule works on all of them at once. The same relaxed atomics as in
/// `WeightCell`.
public protocol FourSums: BitwiseCopyable, Sendable {
  /// - Parameters:
  ///   - indices: of the weights, all different
  ///   - base: where the sums begin
  @unsafe init(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer)
  @unsafe func store(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer)
}

/// What is kept with weights alone.
public struct NoSums: FourSums {
  @unsafe @inlinable @inline(__always)
  public init(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer) {}

  @unsafe @inlinable @inline(__always)
  public func store(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer) {}
}

/// E and A of four weights.
///
/// As words of 64 bits with E in the lower half, for little-endian machines: taking vectors of floats apart into halves of pairs compiles to
/// three times as many shuffles.
public struct FourCoherenceSums: FourSums {
  /// Of the first two.
  @usableFromInline var lower: SIMD2<UInt64>
  /// Of the others.
  @usableFromInline var upper: SIMD2<UInt64>

  /// |E|
  @inlinable @inline(__always)
  public var errorSumMagnitude: SIMD4<Float> {
    let sums = SIMD4<UInt32>(truncatingIfNeeded: SIMD4(lowHalf: lower, highHalf: upper))
    return unsafe unsafeBitCast(sums & SIMD4(repeating: 0x7fff_ffff), to: SIMD4<Float>.self)
  }

  /// A
  @inlinable @inline(__always)
  public var absoluteErrorSum: SIMD4<Float> {
    let sums = SIMD4<UInt32>(truncatingIfNeeded: SIMD4(lowHalf: lower, highHalf: upper) &>> 32)
    return unsafe unsafeBitCast(sums, to: SIMD4<Float>.self)
  }

  /// Takes in an error.
  @inlinable @inline(__always)
  public mutating func add(error: Float) {
    let both = SIMD4(error, abs(error), error, abs(error))
    lower = unsafe unsafeBitCast(unsafeBitCast(lower, to: SIMD4<Float>.self) + both, to: SIMD2<UInt64>.self)
    upper = unsafe unsafeBitCast(unsafeBitCast(upper, to: SIMD4<Float>.self) + both, to: SIMD2<UInt64>.self)
  }

  @unsafe @inlinable @inline(__always)
  public init(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer) {
    unsafe lower = base.loadRelaxed(pairs: indices.x, indices.y)
    unsafe upper = base.loadRelaxed(pairs: indices.z, indices.w)
  }

  @unsafe @inlinable @inline(__always)
  public func store(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer) {
    unsafe base.storeRelaxed(lower, pairs: indices.x, indices.y)
    unsafe base.storeRelaxed(upper, pairs: indices.z, indices.w)
  }
}

extension UnsafeMutableRawPointer {
  /// Twice two floats side by side, each two as one word: as a `Double`, which goes from memory to a vector without a detour.
  @unsafe @inlinable @inline(__always)
  func loadRelaxed(pairs first: UInt32, _ second: UInt32) -> SIMD2<UInt64> {
    let words = unsafe assumingMemoryBound(to: Atomic<Double>.self)
    return unsafe unsafeBitCast(
      SIMD2(words[Int(first)].load(ordering: .relaxed), words[Int(second)].load(ordering: .relaxed)),
      to: SIMD2<UInt64>.self)
  }

  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ pairs: SIMD2<UInt64>, pairs first: UInt32, _ second: UInt32) {
    let words = unsafe assumingMemoryBound(to: Atomic<Double>.self)
    let pairs = unsafe unsafeBitCast(pairs, to: SIMD2<Double>.self)
    unsafe words[Int(first)].store(pairs.x, ordering: .relaxed)
    unsafe words[Int(second)].store(pairs.y, ordering: .relaxed)
  }
}
