#if !PlainBLAS
#if canImport(Accelerate)
internal import Accelerate
#else
internal import COpenBLAS
#endif

/// Operations on dense row-major matrices, for batches of updates.
extension BLAS {
  /// y = A x (level 2).
  ///
  /// - Parameters:
  ///   - matrix: A, row by row: rows * x.count numbers
  ///   - rows: the number of rows, below 2^31
  ///   - x: one number per column
  ///   - y: receives one number per row; may be longer
  public static func multiply(_ matrix: Span<Float>, rows: Int, _ x: Span<Float>, _ y: inout MutableSpan<Float>) {
    precondition(matrix.count == rows * x.count && y.count >= rows && rows >> 31 == 0 && x.count >> 31 == 0)
    let columns = Int32(x.count)
    guard rows > 0, columns > 0 else { return PlainLoops.multiply(matrix, rows: rows, x, &y) }
    beginCall()
    defer { endCall() }
    unsafe matrix.withUnsafeBufferPointer { matrix in
      unsafe x.withUnsafeBufferPointer { x in
        unsafe y.withUnsafeMutableBufferPointer { y in
          unsafe cblas_sgemv(
            CblasRowMajor, CblasNoTrans, Int32(rows), columns, 1, matrix.baseAddress, columns, x.baseAddress, 1, 0,
            y.baseAddress, 1)
        }
      }
    }
  }

  /// A = a x y^T, the outer product. It is a matrix product with one inner column (level 3). Unlike the level 2
  /// routine, it does not need zeros in A.
  ///
  /// - Parameters:
  ///   - a: the factor of the product
  ///   - x: one number per row of A
  ///   - y: one number per column of A
  ///   - matrix: receives A, row by row: x.count * y.count numbers; may be larger
  public static func outer(_ a: Float, _ x: Span<Float>, _ y: Span<Float>, _ matrix: inout MutableSpan<Float>) {
    precondition(matrix.count >= x.count * y.count && x.count >> 31 == 0 && y.count >> 31 == 0)
    let (rows, columns) = (Int32(x.count), Int32(y.count))
    guard rows > 0, columns > 0 else { return }
    beginCall()
    defer { endCall() }
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeBufferPointer { y in
        unsafe matrix.withUnsafeMutableBufferPointer { matrix in
          unsafe cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, 1, a, x.baseAddress, 1, y.baseAddress, columns, 0,
            matrix.baseAddress, columns)
        }
      }
    }
  }
}
#endif
