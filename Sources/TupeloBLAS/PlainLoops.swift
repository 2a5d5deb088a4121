/// The routines of `BLAS` as loops.
public enum PlainLoops {
  /// y = a * x + y
  public static func axpy(_ a: Float, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(x.count == y.count)
    for index in x.indices { y[index] += a * x[index] }
  }

  /// y = a * x + b * y, taking every `stride`-th element of x.
  public static func axpby(_ a: Float, _ x: Span<Float>, stride: Int = 1, _ b: Float, _ y: inout MutableSpan<Float>) {
    precondition(y.count == 0 || x.count > (y.count - 1) * stride)
    for index in y.indices { y[index] = a * x[index * stride] + b * y[index] }
  }

  /// x = a * x
  public static func scale(_ a: Float, _ x: inout MutableSpan<Float>) {
    for index in x.indices { x[index] *= a }
  }

  /// The Euclidean norm of x, summed in double precision.
  public static func norm(_ x: Span<Float>) -> Double {
    var squares = 0.0
    for index in x.indices { squares += Double(x[index]) * Double(x[index]) }
    return squares.squareRoot()
  }
}
