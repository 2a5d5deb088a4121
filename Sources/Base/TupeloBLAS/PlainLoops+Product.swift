/// Products of dense row-major matrices as loops.
///
/// The order of additions is fixed. Every number of C begins with b C and then takes its products one after another, or
/// in eight lanes if op(B) is a transpose. So the bits of a number depend only on its row of op(A) and its column of
/// op(B), not on other rows or on the processor.
///
/// Soundness of the unchecked subscripts and loads: `gemm` compares the spans with `MatrixProduct.extents`, and every
/// row that the loops touch lies within these.
extension PlainLoops {
  /// C = a op(A) op(B) + b C; see `BLAS.gemm`.
  ///
  /// - Complexity: O(m n k)
  public static func gemm(
    _ product: MatrixProduct, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>, _ beta: Float,
    _ c: inout MutableSpan<Float>
  ) {
    let extents = product.extents
    precondition(a.count >= extents.a && b.count >= extents.b && c.count >= extents.c)
    for row in 0..<product.rows {
      let target = row * product.leadingC
      for column in target..<target + product.columns { c[column] = beta == 0 ? 0 : beta * c[column] }
    }
    if product.transposesB { return unsafe addTransposed(product, alpha, a, b, &c) }
    // Tiles of four rows and eight columns, whose sums stay in registers; then the rows and columns that are left.
    let (tiledRows, tiledColumns) = (product.rows / 4 * 4, product.columns / 8 * 8)
    for row in stride(from: 0, to: tiledRows, by: 4) {
      for column in stride(from: 0, to: tiledColumns, by: 8) {
        unsafe addTile(product, row, column, alpha, a, b, &c)
      }
    }
    for row in tiledRows..<product.rows { unsafe addRow(product, row, 0..<tiledColumns, alpha, a, b, &c) }
    for column in tiledColumns..<product.columns { unsafe addColumn(product, column, alpha, a, b, &c) }
  }

  /// C += a op(A) B in four rows and eight columns.
  @unsafe @inline(__always)
  private static func addTile(
    _ product: MatrixProduct, _ row: Int, _ column: Int, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>,
    _ c: inout MutableSpan<Float>
  ) {
    let (stepRow, stepInner) = product.stepsA
    let target = row &* product.leadingC &+ column
    let leading = product.leadingC
    var sums = unsafe (
      vector(c.span, target), vector(c.span, target &+ leading), vector(c.span, target &+ 2 &* leading),
      vector(c.span, target &+ 3 &* leading)
    )
    var (left, right) = (row &* stepRow, column)
    for _ in 0..<product.inner {
      let factors = unsafe vector(b, right)
      unsafe sums.0 += (alpha * a[unchecked: left]) * factors
      unsafe sums.1 += (alpha * a[unchecked: left &+ stepRow]) * factors
      unsafe sums.2 += (alpha * a[unchecked: left &+ 2 &* stepRow]) * factors
      unsafe sums.3 += (alpha * a[unchecked: left &+ 3 &* stepRow]) * factors
      left &+= stepInner
      right &+= product.leadingB
    }
    for lane in 0..<8 {
      unsafe c[unchecked: target &+ lane] = sums.0[lane]
      unsafe c[unchecked: target &+ leading &+ lane] = sums.1[lane]
      unsafe c[unchecked: target &+ 2 &* leading &+ lane] = sums.2[lane]
      unsafe c[unchecked: target &+ 3 &* leading &+ lane] = sums.3[lane]
    }
  }

  @unsafe @inline(__always)
  private static func vector(_ x: Span<Float>, _ index: Int) -> SIMD8<Float> {
    unsafe x.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 4, as: SIMD8<Float>.self)
  }

  /// C += a op(A) B in some columns of one row.
  @unsafe
  private static func addRow(
    _ product: MatrixProduct, _ row: Int, _ columns: Range<Int>, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>,
    _ c: inout MutableSpan<Float>
  ) {
    let (stepRow, stepInner) = product.stepsA
    let target = row &* product.leadingC
    for inner in 0..<product.inner {
      let factor = alpha * a[row &* stepRow &+ inner &* stepInner]
      let source = inner &* product.leadingB
      for column in columns {
        unsafe c[unchecked: target &+ column] += factor * b[unchecked: source &+ column]
      }
    }
  }

  /// C += a op(A) B in one column.
  @unsafe
  private static func addColumn(
    _ product: MatrixProduct, _ column: Int, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>,
    _ c: inout MutableSpan<Float>
  ) {
    let (stepRow, stepInner) = product.stepsA
    for row in 0..<product.rows {
      var sum = c[row &* product.leadingC &+ column]
      var (left, right) = (row &* stepRow, column)
      for _ in 0..<product.inner {
        unsafe sum += (alpha * a[unchecked: left]) * b[unchecked: right]
        left &+= stepInner
        right &+= product.leadingB
      }
      c[row &* product.leadingC &+ column] = sum
    }
  }

  /// C += a op(A) B^T
  @unsafe
  private static func addTransposed(
    _ product: MatrixProduct, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>, _ c: inout MutableSpan<Float>
  ) {
    let (stepRow, stepInner) = product.stepsA
    for row in 0..<product.rows {
      let target = row * product.leadingC
      for column in 0..<product.columns {
        let sum = unsafe dot(a, row * stepRow, stepInner, b, column * product.leadingB, count: product.inner)
        c[target + column] += alpha * sum
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
