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
public struct FourCoherenceSums: FourSums {
  /// E, A, E, A of the first two.
  @usableFromInline var lower: SIMD4<Float>
  /// Of the others.
  @usableFromInline var upper: SIMD4<Float>

  /// |E|
  @inlinable @inline(__always)
  public var errorSumMagnitude: SIMD4<Float> {
    let sums = unsafe unsafeBitCast(
      SIMD4(lowHalf: lower.evenHalf, highHalf: upper.evenHalf), to: SIMD4<UInt32>.self)
    return unsafe unsafeBitCast(sums & SIMD4(repeating: 0x7fff_ffff), to: SIMD4<Float>.self)
  }

  /// A
  @inlinable @inline(__always)
  public var absoluteErrorSum: SIMD4<Float> { SIMD4(lowHalf: lower.oddHalf, highHalf: upper.oddHalf) }

  /// Takes in an error.
  @inlinable @inline(__always)
  public mutating func add(error: Float) {
    let both = SIMD4(error, abs(error), error, abs(error))
    lower += both
    upper += both
  }

  @unsafe @inlinable @inline(__always)
  public init(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer) {
    lower = unsafe SIMD4(lowHalf: base.loadRelaxed(pair: indices.x), highHalf: base.loadRelaxed(pair: indices.y))
    upper = unsafe SIMD4(lowHalf: base.loadRelaxed(pair: indices.z), highHalf: base.loadRelaxed(pair: indices.w))
  }

  @unsafe @inlinable @inline(__always)
  public func store(at indices: SIMD4<UInt32>, base: UnsafeMutableRawPointer) {
    unsafe base.storeRelaxed(lower.lowHalf, pair: indices.x)
    unsafe base.storeRelaxed(lower.highHalf, pair: indices.y)
    unsafe base.storeRelaxed(upper.lowHalf, pair: indices.z)
    unsafe base.storeRelaxed(upper.highHalf, pair: indices.w)
  }
}

extension UnsafeMutableRawPointer {
  /// Two floats side by side, as one number of 64 bits: a single load into a vector register.
  @unsafe @inlinable @inline(__always)
  func loadRelaxed(pair: UInt32) -> SIMD2<Float> {
    let both = unsafe assumingMemoryBound(to: Atomic<Double>.self)[Int(pair)].load(ordering: .relaxed)
    return unsafe unsafeBitCast(both, to: SIMD2<Float>.self)
  }

  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ values: SIMD2<Float>, pair: UInt32) {
    let both = unsafe unsafeBitCast(values, to: Double.self)
    unsafe assumingMemoryBound(to: Atomic<Double>.self)[Int(pair)].store(both, ordering: .relaxed)
  }
}
