/// Routines of `BLAS` as loops, for passes where a loop may be the faster one.
public enum PlainLoops {
  /// y = a * x + y
  public static func axpy(_ a: Float, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    for index in x.indices { y[index] += a * x[index] }
  }

  /// y = a * x + b * y
  public static func axpby(_ a: Float, _ x: Span<Float>, _ b: Float, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    for index in x.indices { y[index] = a * x[index] + b * y[index] }
  }

  /// x = a * x
  public static func scale(_ a: Float, _ x: inout MutableSpan<Float>) {
    for index in x.indices { x[index] *= a }
  }

  /// y = A x, for a row-major matrix.
  public static func multiply(_ matrix: Span<Float>, rows: Int, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(matrix.count == rows * x.count && y.count >= rows)
    for row in 0..<rows {
      var sum: Float = 0
      for column in 0..<x.count { sum += matrix[row * x.count + column] * x[column] }
      y[row] = sum
    }
  }
}
