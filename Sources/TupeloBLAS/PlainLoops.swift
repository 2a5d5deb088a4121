/// The routines of `BLAS` as loops.
public enum PlainLoops {
  /// y = a * x + y
  public static func axpy(_ a: Float, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    for index in x.indices { y[index] += a * x[index] }
  }

  /// y = a * x + b * y, taking every `stride`-th element of x and every `target`-th of y from the first.
  public static func axpby(
    _ a: Float, _ x: Span<Float>, stride: Int = 1, _ b: Float, _ y: inout MutableSpan<Float>, stride target: Int = 1
  ) {
    let count = BLAS.elements(y.count, stride: target)
    precondition(count <= BLAS.elements(x.count, stride: stride))
    for index in 0..<count { y[index * target] = a * x[index * stride] + b * y[index * target] }
  }

  /// x = a * x, for every `stride`-th element of x from the first.
  public static func scale(_ a: Float, _ x: inout MutableSpan<Float>, stride: Int = 1) {
    for index in 0..<BLAS.elements(x.count, stride: stride) { x[index * stride] *= a }
  }

  /// y = x, taking every `stride`-th element of both from the first.
  public static func copy(_ x: Span<Float>, stride: Int = 1, _ y: inout MutableSpan<Float>, stride target: Int = 1) {
    let count = BLAS.elements(y.count, stride: target)
    precondition(count == BLAS.elements(x.count, stride: stride))
    for index in 0..<count { y[index * target] = x[index * stride] }
  }

  /// The Euclidean norm of every `stride`-th element of x from the first, summed in double precision.
  public static func norm(_ x: Span<Float>, stride: Int = 1) -> Double {
    var squares = 0.0
    for index in 0..<BLAS.elements(x.count, stride: stride) {
      squares += Double(x[index * stride]) * Double(x[index * stride])
    }
    return squares.squareRoot()
  }

  /// y = A x, for a matrix that lies row after row.
  public static func multiply(_ matrix: Span<Float>, rows: Int, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(matrix.count == rows * x.count && y.count >= rows)
    for row in 0..<rows {
      var sum: Float = 0
      for column in 0..<x.count { sum += matrix[row * x.count + column] * x[column] }
      y[row] = sum
    }
  }

  /// A = a x y^T, for a matrix that lies row after row.
  public static func outer(_ a: Float, _ x: Span<Float>, _ y: Span<Float>, _ matrix: inout MutableSpan<Float>) {
    precondition(matrix.count >= x.count * y.count)
    for row in 0..<x.count {
      for column in 0..<y.count { matrix[row * y.count + column] = a * x[row] * y[column] }
    }
  }
}
