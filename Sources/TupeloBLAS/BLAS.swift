#if canImport(Accelerate)
  internal import Accelerate
#else
  internal import COpenBLAS
#endif

/// The few BLAS routines that pay here, over spans: OpenBLAS on Linux, Accelerate on Apple. `PlainLoops` has the same
/// functions without BLAS, as the oracle of the tests and the other column of the benchmark.
///
/// Lengths above 2^31 - 1 are cut into pieces, because the interface counts in 32 bits.
public enum BLAS {
  /// y = a * x + y. Memory-bound: reads x and y once, writes y once.
  ///
  /// - Precondition: `x` and `y` are equally long.
  public static func axpy(_ a: Float, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeMutableBufferPointer { y in
        for start in Swift.stride(from: 0, to: x.count, by: longest) {
          guard let from = x.baseAddress, let to = y.baseAddress else { return }
          unsafe cblas_saxpy(length(x.count - start), a, from + start, 1, to + start, 1)
        }
      }
    }
  }

  /// y = a * x + b * y, taking every `stride`-th element of x and every `target`-th of y from the first. Memory-bound: reads x and y once,
  /// writes y once.
  ///
  /// - Precondition: at least as many elements are taken of x as of y.
  public static func axpby(
    _ a: Float, _ x: Span<Float>, stride: Int = 1, _ b: Float, _ y: inout MutableSpan<Float>, stride target: Int = 1
  ) {
    let count = elements(y.count, stride: target)
    precondition(count <= elements(x.count, stride: stride))
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeMutableBufferPointer { y in
        for start in Swift.stride(from: 0, to: count, by: longest) {
          guard let from = x.baseAddress, let to = y.baseAddress else { return }
          let (source, result) = unsafe (from + start * stride, to + start * target)
          #if canImport(Accelerate)
            unsafe catlas_saxpby(length(count - start), a, source, Int32(stride), b, result, Int32(target))
          #else
            unsafe cblas_saxpby(length(count - start), a, source, Int32(stride), b, result, Int32(target))
          #endif
        }
      }
    }
  }

  /// x = a * x, for every `stride`-th element of x from the first.
  public static func scale(_ a: Float, _ x: inout MutableSpan<Float>, stride: Int = 1) {
    unsafe x.withUnsafeMutableBufferPointer { x in
      let count = elements(x.count, stride: stride)
      for start in Swift.stride(from: 0, to: count, by: longest) {
        guard let base = x.baseAddress else { return }
        unsafe cblas_sscal(length(count - start), a, base + start * stride, Int32(stride))
      }
    }
  }

  /// y = x, taking every `stride`-th element of both from the first. Memory-bound.
  ///
  /// - Precondition: as many elements are taken of x as of y.
  public static func copy(_ x: Span<Float>, stride: Int = 1, _ y: inout MutableSpan<Float>, stride target: Int = 1) {
    let count = elements(y.count, stride: target)
    precondition(count == elements(x.count, stride: stride))
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeMutableBufferPointer { y in
        for start in Swift.stride(from: 0, to: count, by: longest) {
          guard let from = x.baseAddress, let to = y.baseAddress else { return }
          let (source, place) = unsafe (from + start * stride, to + start * target)
          unsafe cblas_scopy(length(count - start), source, Int32(stride), place, Int32(target))
        }
      }
    }
  }

  /// The Euclidean norm of every `stride`-th element of x from the first, summed in single precision within pieces of 65,536 and in
  /// double between them.
  public static func norm(_ x: Span<Float>, stride: Int = 1) -> Double {
    var squares = 0.0
    unsafe x.withUnsafeBufferPointer { x in
      guard let base = x.baseAddress else { return }
      let count = elements(x.count, stride: stride)
      var start = 0
      while start < count {
        let length = min(1 << 16, count - start)
        let norm = unsafe Double(cblas_snrm2(Int32(length), base + start * stride, Int32(stride)))
        squares += norm * norm
        start += length
      }
    }
    return squares.squareRoot()
  }

  /// How many threads the library may use for one call; Accelerate decides by itself, which counts as 1.
  public static var threads: Int {
    #if canImport(Accelerate)
      1
    #else
      Int(openblas_get_num_threads())
    #endif
  }

  /// Sets `threads`. A hint that Accelerate ignores.
  public static func setThreads(_ count: Int) {
    #if !canImport(Accelerate)
      openblas_set_num_threads(Int32(count))
    #endif
  }

  /// How many elements a stride picks out of `count`.
  static func elements(_ count: Int, stride: Int) -> Int {
    precondition(stride >= 1)
    return (count + stride - 1) / stride
  }

  /// The interface counts in 32 bits.
  private static var longest: Int { 1 << 30 }

  /// Of the piece at the front of what is left.
  private static func length(_ left: Int) -> Int32 { Int32(min(left, longest)) }
}
