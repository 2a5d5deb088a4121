internal import TupeloBLAS

/// The implementation of matrix products.
public enum DenseArithmetic: Hashable, Sendable, CaseIterable {
  /// BLAS, for training, which needs speed and repeats the same batches in every run.
  case blas
  /// Loops with a fixed order of additions, for play, because a value must not depend on its batch.
  case loops

  /// C = op(A) op(B) + beta C
  func gemm(_ product: MatrixProduct, _ a: Span<Float>, _ b: Span<Float>, _ beta: Float, _ c: inout MutableSpan<Float>)
  {
    switch self {
    case .blas: BLAS.gemm(product, 1, a, b, beta, &c)
    case .loops: PlainLoops.gemm(product, 1, a, b, beta, &c)
    }
  }
}
