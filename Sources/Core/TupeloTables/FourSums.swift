/// The sums of four different weights side by side, so that a step-size rule works on all four at once.
public protocol FourSums: BitwiseCopyable, Sendable {
  /// Loads the sums of four weights.
  ///
  /// - Parameters:
  ///   - indices: the storage indices of the weights, all different
  ///   - base: the start of the sums
  @unsafe init(at indices: SIMD4<UInt32>, base: UnsafeMutablePointer<Double>)
  /// Stores the sums of four weights.
  @unsafe func store(at indices: SIMD4<UInt32>, base: UnsafeMutablePointer<Double>)
}

/// The empty sums of weights that have no sums.
public struct NoSums: FourSums {
  @unsafe @inlinable @inline(__always)
  public init(at indices: SIMD4<UInt32>, base: UnsafeMutablePointer<Double>) {}

  @unsafe @inlinable @inline(__always)
  public func store(at indices: SIMD4<UInt32>, base: UnsafeMutablePointer<Double>) {}
}

/// The coherence sums E and A of four weights.
///
/// Each is a word of 64 bits with E in the lower half, for little-endian machines. Splitting vectors of floats into
/// halves of pairs would compile to three times as many shuffles.
public struct FourCoherenceSums: FourSums {
  /// The words of the first two weights.
  @usableFromInline var lower: SIMD2<UInt64>
  /// The words of the other two weights.
  @usableFromInline var upper: SIMD2<UInt64>

  /// |E| of each weight, in score points.
  @inlinable @inline(__always)
  public var errorSumMagnitude: SIMD4<Float> {
    let sums = SIMD4<UInt32>(truncatingIfNeeded: SIMD4(lowHalf: lower, highHalf: upper))
    return unsafe unsafeBitCast(sums & SIMD4(repeating: 0x7fff_ffff), to: SIMD4<Float>.self)
  }

  /// A of each weight, in score points.
  @inlinable @inline(__always)
  public var absoluteErrorSum: SIMD4<Float> {
    let sums = SIMD4<UInt32>(truncatingIfNeeded: SIMD4(lowHalf: lower, highHalf: upper) &>> 32)
    return unsafe unsafeBitCast(sums, to: SIMD4<Float>.self)
  }

  /// E += error and A += |error|, for all four.
  @inlinable @inline(__always)
  public mutating func add(error: Float) {
    let both = SIMD4(error, abs(error), error, abs(error))
    lower = unsafe unsafeBitCast(unsafeBitCast(lower, to: SIMD4<Float>.self) + both, to: SIMD2<UInt64>.self)
    upper = unsafe unsafeBitCast(unsafeBitCast(upper, to: SIMD4<Float>.self) + both, to: SIMD2<UInt64>.self)
  }

  @unsafe @inlinable @inline(__always)
  public init(at indices: SIMD4<UInt32>, base: UnsafeMutablePointer<Double>) {
    unsafe lower = Self.load(indices.x, indices.y, base: base)
    unsafe upper = Self.load(indices.z, indices.w, base: base)
  }

  @unsafe @inlinable @inline(__always)
  public func store(at indices: SIMD4<UInt32>, base: UnsafeMutablePointer<Double>) {
    unsafe Self.store(lower, at: indices.x, indices.y, base: base)
    unsafe Self.store(upper, at: indices.z, indices.w, base: base)
  }

  @unsafe @inlinable @inline(__always)
  static func load(_ first: UInt32, _ second: UInt32, base: UnsafeMutablePointer<Double>) -> SIMD2<UInt64> {
    unsafe unsafeBitCast(
      SIMD2((base + Int(first)).loadRelaxed(), (base + Int(second)).loadRelaxed()), to: SIMD2<UInt64>.self)
  }

  @unsafe @inlinable @inline(__always)
  static func store(_ words: SIMD2<UInt64>, at first: UInt32, _ second: UInt32, base: UnsafeMutablePointer<Double>) {
    let words = unsafe unsafeBitCast(words, to: SIMD2<Double>.self)
    unsafe (base + Int(first)).storeRelaxed(words.x)
    unsafe (base + Int(second)).storeRelaxed(words.y)
  }
}
