#if !PlainBLAS
#if canImport(Accelerate)
internal import Accelerate
#else
internal import COpenBLAS
#endif

/// The BLAS routines that Tupelo needs, over spans: OpenBLAS on Linux, Accelerate on Apple.
///
/// `PlainLoops` has some of the functions without BLAS. Tests and the benchmark compare BLAS with these loops, and a
/// pass uses a loop where it is faster.
///
/// Lengths above 2^31 - 1 are cut into pieces, because the interface counts in 32 bits.
public enum BLAS {
  /// y = a * x + y. Memory-bound: reads x and y once, writes y once.
  ///
  /// - Precondition: `x` and `y` are equally long.
  public static func axpy(_ a: Float, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    beginCall()
    defer { endCall() }
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeMutableBufferPointer { y in
        for start in stride(from: 0, to: x.count, by: longest) {
          guard let from = x.baseAddress, let to = y.baseAddress else { return }
          unsafe cblas_saxpy(length(x.count - start), a, from + start, 1, to + start, 1)
        }
      }
    }
  }

  /// y = a * x + b * y. Memory-bound: reads x and y once, writes y once.
  ///
  /// - Precondition: `x` and `y` are equally long.
  public static func axpby(_ a: Float, _ x: Span<Float>, _ b: Float, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    beginCall()
    defer { endCall() }
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeMutableBufferPointer { y in
        for start in stride(from: 0, to: x.count, by: longest) {
          guard let from = x.baseAddress, let to = y.baseAddress else { return }
          #if canImport(Accelerate)
          unsafe catlas_saxpby(length(x.count - start), a, from + start, 1, b, to + start, 1)
          #else
          unsafe cblas_saxpby(length(x.count - start), a, from + start, 1, b, to + start, 1)
          #endif
        }
      }
    }
  }

  /// x = a * x
  public static func scale(_ a: Float, _ x: inout MutableSpan<Float>) {
    beginCall()
    defer { endCall() }
    unsafe x.withUnsafeMutableBufferPointer { x in
      for start in stride(from: 0, to: x.count, by: longest) {
        guard let base = x.baseAddress else { return }
        unsafe cblas_sscal(length(x.count - start), a, base + start, 1)
      }
    }
  }

  /// y = x. Memory-bound.
  ///
  /// - Precondition: `x` and `y` are equally long.
  public static func copy(_ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    beginCall()
    defer { endCall() }
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeMutableBufferPointer { y in
        for start in stride(from: 0, to: x.count, by: longest) {
          guard let from = x.baseAddress, let to = y.baseAddress else { return }
          unsafe cblas_scopy(length(x.count - start), from + start, 1, to + start, 1)
        }
      }
    }
  }

  /// The Euclidean norm of x, summed in single precision within pieces of 65,536 and in double between them.
  public static func norm(_ x: Span<Float>) -> Double {
    beginCall()
    defer { endCall() }
    var squares = 0.0
    unsafe x.withUnsafeBufferPointer { x in
      guard let base = x.baseAddress else { return }
      for start in stride(from: 0, to: x.count, by: 1 << 16) {
        let norm = unsafe Double(cblas_snrm2(Int32(min(1 << 16, x.count - start)), base + start, 1))
        squares += norm * norm
      }
    }
    return squares.squareRoot()
  }

  /// The interface counts in 32 bits.
  private static var longest: Int { 1 << 30 }

  /// The length of the next piece.
  private static func length(_ left: Int) -> Int32 { Int32(min(left, longest)) }
}
#endif
