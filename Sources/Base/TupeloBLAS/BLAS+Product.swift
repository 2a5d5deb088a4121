#if !PlainBLAS
#if canImport(Accelerate)
internal import Accelerate
#else
internal import COpenBLAS
#endif

/// Products of dense row-major matrices (level 3), for batches.
extension BLAS {
  /// C = a op(A) op(B) + b C.
  ///
  /// A product with one row or one column is a product of a matrix and a vector, and uses the routine for such
  /// products. The order of additions depends on the sizes, so a row's result may differ in the last bits with the
  /// number of rows.
  ///
  /// - Parameters:
  ///   - product: sizes, transposes and leading dimensions
  ///   - alpha: a, the factor of the product
  ///   - a: A, row by row
  ///   - b: B, row by row
  ///   - beta: b, the factor of C. With 0, C is only written and may hold anything.
  ///   - c: C, row by row; receives the result
  /// - Precondition: the spans hold the matrices; they may be longer.
  /// - Complexity: O(m n k)
  public static func gemm(
    _ product: MatrixProduct, _ alpha: Float, _ a: Span<Float>, _ b: Span<Float>, _ beta: Float,
    _ c: inout MutableSpan<Float>
  ) {
    let extents = product.extents
    precondition(a.count >= extents.a && b.count >= extents.b && c.count >= extents.c)
    guard product.rows > 0, product.columns > 0 else { return }
    guard product.inner > 0 else { return PlainLoops.gemm(product, alpha, a, b, beta, &c) }
    beginCall()
    defer { endCall() }
    unsafe a.withUnsafeBufferPointer { a in
      unsafe b.withUnsafeBufferPointer { b in
        unsafe c.withUnsafeMutableBufferPointer { c in
          guard let a = a.baseAddress, let b = b.baseAddress, let c = c.baseAddress else { return }
          if product.rows == 1 {
            unsafe oneRow(product, alpha, a, b, beta, c)
          } else if product.columns == 1 {
            unsafe oneColumn(product, alpha, a, b, beta, c)
          } else {
            unsafe cblas_sgemm(
              CblasRowMajor, product.transposesA ? CblasTrans : CblasNoTrans,
              product.transposesB ? CblasTrans : CblasNoTrans, Int32(product.rows), Int32(product.columns),
              Int32(product.inner), alpha, a, Int32(product.leadingA), b, Int32(product.leadingB), beta, c,
              Int32(product.leadingC))
          }
        }
      }
    }
  }

  /// The transposed product c = a op(B)^T x + b c of a matrix and the row x of op(A).
  @unsafe
  private static func oneRow(
    _ product: MatrixProduct, _ alpha: Float, _ x: UnsafePointer<Float>, _ matrix: UnsafePointer<Float>,
    _ beta: Float, _ c: UnsafeMutablePointer<Float>
  ) {
    let (rows, columns) =
      product.transposesB ? (product.columns, product.inner) : (product.inner, product.columns)
    unsafe cblas_sgemv(
      CblasRowMajor, product.transposesB ? CblasNoTrans : CblasTrans, Int32(rows), Int32(columns), alpha, matrix,
      Int32(product.leadingB), x, product.transposesA ? Int32(product.leadingA) : 1, beta, c, 1)
  }

  /// The product c = a op(A) x + b c of a matrix and the column x of op(B).
  @unsafe
  private static func oneColumn(
    _ product: MatrixProduct, _ alpha: Float, _ matrix: UnsafePointer<Float>, _ x: UnsafePointer<Float>,
    _ beta: Float, _ c: UnsafeMutablePointer<Float>
  ) {
    let (rows, columns) = product.transposesA ? (product.inner, product.rows) : (product.rows, product.inner)
    unsafe cblas_sgemv(
      CblasRowMajor, product.transposesA ? CblasTrans : CblasNoTrans, Int32(rows), Int32(columns), alpha, matrix,
      Int32(product.leadingA), x, product.transposesB ? 1 : Int32(product.leadingB), beta, c, Int32(product.leadingC))
  }
}
#endif
