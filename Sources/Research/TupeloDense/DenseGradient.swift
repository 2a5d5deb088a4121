internal import TupeloBLAS

/// The gradient of a network: dense behind the embedding, and sparse in the embedding's rows.
public struct DenseGradient: ~Copyable, Sendable {
  public let specification: DenseSpecification
  /// The gradient of all parameters behind the embedding's rows, in their order.
  public internal(set) var dense: FloatStorage
  /// The gradients of the rows that occurred since the last reset; empty without an embedding.
  public internal(set) var rows: GradientRows
  /// The index of the first parameter of `dense`.
  let start: Int

  /// - Parameters:
  ///   - specification: the network's specification
  ///   - samples: the largest number of samples whose gradients are added before a reset; at least 1. It bounds the
  ///     number of different rows; without an embedding it does not matter.
  /// - Throws: `DenseError.outOfMemory` or `refused`; `gradientRows` for more than 2^30 features.
  public init(_ specification: DenseSpecification, samples: Int) throws(DenseError) {
    precondition(samples >= 1)
    let shape = specification.embedding
    let (occurrences, overflow) = samples.multipliedReportingOverflow(by: shape?.featureCount ?? 0)
    let capacity = min(overflow ? .max : occurrences, shape?.indexCount ?? 0)
    guard capacity <= 1 << 30 else { throw .gradientRows(capacity) }
    let start = specification.embeddingRange.upperBound
    let rows = try GradientRows(capacity: capacity, width: shape?.rowWidth ?? 0)
    dense = try FloatStorage(count: specification.parameterCount - start)
    self.specification = specification
    self.rows = rows
    self.start = start
  }

  /// Sets the gradient to zero.
  public mutating func reset() {
    dense.withMutableSpan { $0.update(repeating: 0) }
    rows.reset()
  }

  /// Multiplies the gradient by a factor; an eligibility trace decays by gamma lambda.
  public mutating func scale(_ factor: Float) {
    dense.withMutableSpan { BLAS.scale(factor, &$0) }
    rows.values.withMutableSpan(of: 0..<rows.count * rows.width) { BLAS.scale(factor, &$0) }
  }

  /// The Euclidean norm.
  public var norm: Double {
    let denseNorm = dense.withSpan { BLAS.norm($0) }
    let rowNorm = rows.values.withSpan { BLAS.norm($0.extracting(0..<rows.count * rows.width)) }
    return (denseNorm * denseNorm + rowNorm * rowNorm).squareRoot()
  }

  /// Scales the gradient down to a norm, if it is longer (Pascanu et al. 2013, algorithm 1).
  ///
  /// - Returns: the norm before scaling. It is not finite if the network has diverged. Then the gradient is not scaled.
  @discardableResult
  public mutating func clip(toNorm longest: Double) -> Double {
    precondition(longest > 0)
    let norm = norm
    if norm.isFinite && norm > longest { scale(Float(longest / norm)) }
    return norm
  }

  /// Calls `body` with the gradient of a range of parameters behind the embedding's rows.
  mutating func withMutableDense(of range: Range<Int>, _ body: (inout MutableSpan<Float>) -> Void) {
    dense.withMutableSpan(of: range.lowerBound - start..<range.upperBound - start, body)
  }

  /// Traps unless the gradient was made for this network's specification.
  func check(_ network: borrowing DenseNetwork) {
    precondition(network.specification.layers == specification.layers, "the gradient is of another network")
  }
}
