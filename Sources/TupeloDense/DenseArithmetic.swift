internal import TupeloBLAS

/// What computes matrix products.
public enum DenseArithmetic: Hashable, Sendable, CaseIterable {
  case blas
  /// Plain loops: the oracle of the tests, and the other column of the benchmark.
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
