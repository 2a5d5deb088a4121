internal import TupeloBLAS
internal import TupeloBase
internal import TupeloTables

/// Computes a batch's errors and steps from its weights, as dense matrices with a row per state.
///
/// This is the part of learning that BLAS can compute.
package struct DenseBatch: Sendable {
  /// The weights behind each value: rows x columns, score points.
  package var weights: [Float]
  /// The target of each value, in score points.
  package var targets: [Float]
  /// Target - value, in score points.
  package private(set) var errors: [Float]
  /// share * error for each weight: rows x columns, score points.
  package private(set) var steps: [Float]
  private var values: [Float]
  private let ones: [Float]

  package init(rows: Int, columns: Int) {
    weights = [Float](repeating: 0, count: rows * columns)
    steps = weights
    targets = [Float](repeating: 0, count: rows)
    (errors, values) = (targets, targets)
    ones = [Float](repeating: 1, count: columns)
  }

  /// Fills the first rows of `weights` from storage.
  @inline(__always)
  mutating func gather<Cell: WeightCell>(_ storage: WeightStorage<Cell>, _ features: borrowing FeatureBuffer, rows: Int)
  {
    var matrix = weights.mutableSpan
    storage.gather(features, slots: rows, into: &matrix)
  }

  /// Computes errors and steps by BLAS, levels 2 and 3.
  ///
  /// values = W 1 (sgemv), errors = targets - values (saxpy), steps = share * errors 1^T (sgemm).
  package mutating func computeByBLAS(rows: Int, share: Float) {
    Self.multiply(weights, rows: rows, ones, into: &values)
    Self.subtract(values, from: targets, into: &errors)
    Self.outer(share, errors, rows: rows, ones, into: &steps)
  }

  private static func multiply(_ matrix: [Float], rows: Int, _ ones: [Float], into values: inout [Float]) {
    var values = values.mutableSpan
    BLAS.multiply(matrix.span.extracting(first: rows * ones.count), rows: rows, ones.span, &values)
  }

  private static func subtract(_ values: [Float], from targets: [Float], into errors: inout [Float]) {
    var errors = errors.mutableSpan
    BLAS.copy(targets.span, &errors)
    BLAS.axpy(-1, values.span, &errors)
  }

  private static func outer(_ a: Float, _ errors: [Float], rows: Int, _ ones: [Float], into steps: inout [Float]) {
    var steps = steps.mutableSpan
    BLAS.outer(a, errors.span.extracting(first: rows), ones.span, &steps)
  }
}
