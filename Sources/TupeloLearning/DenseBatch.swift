internal import TupeloBLAS
internal import TupeloTables

/// Computes a batch's errors and steps from its weights, as dense matrices with a row per state.
///
/// It is the part of learning that BLAS can do; `computeByLoop` gives the same results without BLAS.
package struct DenseBatch: Sendable {
  package let columns: Int
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
    self.columns = columns
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

  /// Computes errors and steps by a loop over rows; each row stays in registers meanwhile.
  package mutating func computeByLoop(rows: Int, share: Float) {
    Self.loop(rows: rows, columns: columns, share: share, weights, targets, &errors, &steps)
  }

  private static func loop(
    rows: Int, columns: Int, share: Float, _ weights: [Float], _ targets: [Float], _ errors: inout [Float],
    _ steps: inout [Float]
  ) {
    let (weights, targets) = (weights.span, targets.span)
    var errors = errors.mutableSpan
    var steps = steps.mutableSpan
    for row in 0..<rows {
      let first = row * columns
      let whole = columns & ~7
      var sums = SIMD8<Float>.zero
      for column in stride(from: first, to: first + whole, by: 8) {
        sums += SIMD8(
          weights[column], weights[column + 1], weights[column + 2], weights[column + 3], weights[column + 4],
          weights[column + 5], weights[column + 6], weights[column + 7])
      }
      var value = sums.sum()
      for column in first + whole..<first + columns { value += weights[column] }
      let error = targets[row] - value
      errors[row] = error
      for column in first..<first + columns { steps[column] = share * error }
    }
  }
}
