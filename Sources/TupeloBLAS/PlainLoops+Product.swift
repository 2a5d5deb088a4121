/// Products of dense row-major matrices as loops.
///
/// Soundness of the unchecked subscripts and loads: `gemm` compares the spans with `MatrixProduct.extents`, and every
/// row that the loops touch lies within these.
extension PlainLoops {
  /// C = a op(A) op(B) + b C; see `BLAS.gemm`.
  ///
  /// The inner loop runs along rows as stored wherever the transposes allow, several numbers at a time.
  public static func gemm(
    _ product: MatrixProduct, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>, _ beta: Float,
    _ c: inout MutableSpan<Float>
  ) {
    let extents = product.extents
    precondition(a.count >= extents.a && b.count >= extents.b && c.count >= extents.c)
    let (stepRow, stepInner) = product.transposesA ? (1, product.leadingA) : (product.leadingA, 1)
    for row in 0..<product.rows {
      let target = row * product.leadingC
      for column in target..<target + product.columns { c[column] = beta == 0 ? 0 : beta * c[column] }
      if product.transposesB {
        for column in 0..<product.columns {
          let sum = unsafe dot(a, row * stepRow, stepInner, b, column * product.leadingB, count: product.inner)
          c[target + column] += alpha * sum
        }
      } else {
        for inner in 0..<product.inner {
          let factor = alpha * a[row * stepRow + inner * stepInner]
          let source = inner * product.leadingB
          for column in 0..<product.columns {
            unsafe c[unchecked: target &+ column] += factor * b[unchecked: source &+ column]
          }
        }
      }
    }
  }

  /// The inner product of two stretches. It is summed in eight lanes where both are contiguous.
  @unsafe @inline(__always)
  private static func dot(_ x: Span<Float>, _ first: Int, _ step: Int, _ y: Span<Float>, _ start: Int, count: Int)
    -> Float
  {
    var sum: Float = 0
    var index = 0
    if step == 1 {
      let (xBytes, yBytes) = unsafe (x.bytes, y.bytes)
      var sums = SIMD8<Float>.zero
      while index &+ 8 <= count {
        let left = unsafe xBytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: (first &+ index) &* 4, as: SIMD8<Float>.self)
        let right = unsafe yBytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: (start &+ index) &* 4, as: SIMD8<Float>.self)
        sums += left * right
        index &+= 8
      }
      sum = sums.sum()
    }
    while index < count {
      unsafe sum += x[unchecked: first &+ index &* step] * y[unchecked: start &+ index]
      index &+= 1
    }
    return sum
  }
}
