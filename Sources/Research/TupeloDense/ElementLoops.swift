// Passes over the numbers of a batch that are not matrix products.
//
// Soundness of the unchecked subscripts: each function first checks that the spans hold all numbers that the loops
// access.

/// Adds a bias to each row, and optionally rectifies the sums: x = x + b, or x = max(0, x + b).
///
/// NaN stays NaN, so that a diverged network is noticed.
func addBias(_ bias: Span<Float>, rows: Int, isRectified: Bool, _ x: inout MutableSpan<Float>) {
  let columns = bias.count
  precondition(rows >= 0 && x.count >= rows * columns)
  for row in 0..<rows {
    let start = row &* columns
    if isRectified {
      for column in 0..<columns {
        let sum = unsafe x[unchecked: start &+ column] + bias[unchecked: column]
        unsafe x[unchecked: start &+ column] = sum < 0 ? 0 : sum
      }
    } else {
      for column in 0..<columns { unsafe x[unchecked: start &+ column] += bias[unchecked: column] }
    }
  }
}

/// The gradient before rectifiers from the gradient behind them: zero where the rectifier's output is zero.
func maskInactive(_ output: Span<Float>, count: Int, _ gradient: inout MutableSpan<Float>) {
  precondition(count >= 0 && output.count >= count && gradient.count >= count)
  for index in 0..<count {
    // Both numbers are loaded for any result of the comparison, so that the loop has no branch.
    let (active, old) = unsafe (output[unchecked: index], gradient[unchecked: index])
    unsafe gradient[unchecked: index] = active > 0 ? old : 0
  }
}

/// sums += the sum of the rows of a matrix.
func addRows(_ matrix: Span<Float>, rows: Int, to sums: inout MutableSpan<Float>) {
  let columns = sums.count
  precondition(rows >= 0 && matrix.count >= rows * columns)
  for row in 0..<rows {
    for column in 0..<columns { unsafe sums[unchecked: column] += matrix[unchecked: row &* columns &+ column] }
  }
}

/// Whether all numbers are finite. The exponents of the numbers show it.
func areFinite(_ x: Span<Float>) -> Bool {
  var largest: UInt32 = 0
  for index in x.indices { largest = max(largest, x[index].bitPattern & 0x7fff_ffff) }
  return largest < 0x7f80_0000
}
