#if PlainBLAS
/// The routines of `BLAS` as loops, for a library without OpenBLAS (package trait `PlainBLAS`).
///
/// Results differ from those of BLAS only by rounding. Products are slower: `configs/RESULTS.md` has figures.
public enum BLAS {
  /// y = a * x + y
  public static func axpy(_ a: Float, _ x: Span<Float>, _ y: inout MutableSpan<Float>) { PlainLoops.axpy(a, x, &y) }

  /// y = a * x + b * y
  public static func axpby(_ a: Float, _ x: Span<Float>, _ b: Float, _ y: inout MutableSpan<Float>) {
    PlainLoops.axpby(a, x, b, &y)
  }

  /// x = a * x
  public static func scale(_ a: Float, _ x: inout MutableSpan<Float>) { PlainLoops.scale(a, &x) }

  /// y = x
  ///
  /// - Precondition: `x` and `y` are equally long.
  public static func copy(_ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    for index in x.indices { y[index] = x[index] }
  }

  /// The Euclidean norm of x, summed in double precision.
  public static func norm(_ x: Span<Float>) -> Double {
    var squares = 0.0
    for index in x.indices { squares += Double(x[index]) * Double(x[index]) }
    return squares.squareRoot()
  }

  /// y = A x, for a row-major matrix.
  public static func multiply(_ matrix: Span<Float>, rows: Int, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    PlainLoops.multiply(matrix, rows: rows, x, &y)
  }

  /// A = a x y^T, the outer product, row by row.
  public static func outer(_ a: Float, _ x: Span<Float>, _ y: Span<Float>, _ matrix: inout MutableSpan<Float>) {
    precondition(matrix.count >= x.count * y.count)
    for row in x.indices {
      for column in y.indices { matrix[row * y.count + column] = a * x[row] * y[column] }
    }
  }

  /// C = a op(A) op(B) + b C
  public static func gemm(
    _ product: MatrixProduct, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>, _ beta: Float,
    _ c: inout MutableSpan<Float>
  ) {
    PlainLoops.gemm(product, alpha, a, b, beta, &c)
  }

  /// How many threads a call uses: one.
  public static var threads: Int { 1 }

  /// A hint that loops ignore.
  ///
  /// - Precondition: `count` is in 1...1024.
  public static func setThreads(_ count: Int) { precondition((1...1024).contains(count)) }
}
#endif
