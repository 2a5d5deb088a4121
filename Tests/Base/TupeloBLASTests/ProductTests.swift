import TestSupport
import Testing
import TupeloBLAS
import TupeloBase

/// Matrix products against three loops in double precision.
@Suite struct ProductTests {
  struct Shape: Sendable, CustomStringConvertible {
    var rows: Int
    var columns: Int
    var inner: Int
    var description: String { "\(rows)x\(columns)x\(inner)" }
  }

  static let shapes = [
    (1, 1, 1), (1, 7, 5), (9, 1, 6), (1, 1, 33), (2, 3, 4), (5, 5, 1), (17, 13, 31), (64, 64, 64), (3, 129, 65),
    (100, 7, 257), (33, 34, 8), (4, 4, 0), (0, 3, 2), (3, 0, 2),
  ].map { Shape(rows: $0.0, columns: $0.1, inner: $0.2) }

  private static func numbers(_ count: Int, using random: inout TestRandom) -> [Float] {
    (0..<count).map { _ in Float.random(in: -2...2, using: &random) }
  }

  /// Every combination of transposes, leading dimensions and factors.
  @Test(arguments: shapes) func products(_ shape: Shape) {
    var random = TestRandom(state: UInt64(shape.rows * 10_000 + shape.columns * 100 + shape.inner))
    for transposesA in [false, true] {
      for transposesB in [false, true] {
        for (padding, alpha, beta) in [(0, 1, 0), (0, 1, 1), (3, -0.5, 0), (5, 2, -0.75), (1, 0, 0.5)]
          as [(_, Float, Float)]
        {
          let product = MatrixProduct(
            rows: shape.rows, columns: shape.columns, inner: shape.inner, transposesA: transposesA,
            transposesB: transposesB, leadingA: (transposesA ? shape.rows : shape.inner) + padding,
            leadingB: (transposesB ? shape.inner : shape.columns) + 2 * padding, leadingC: shape.columns + padding)
          Self.check(product, alpha, beta, &random)
        }
      }
    }
  }

  /// Loops add in one order: a row of a product has the bits that it has alone, at every place in every product.
  @Test(arguments: shapes.filter { $0.inner > 0 }) func loopsAddInOrder(_ shape: Shape) {
    var random = TestRandom(state: UInt64(shape.rows * 777 + shape.columns * 7 + shape.inner))
    let a = Self.numbers(shape.rows * shape.inner, using: &random)
    let b = Self.numbers(shape.inner * shape.columns, using: &random)
    let before = Self.numbers(shape.rows * shape.columns, using: &random)
    for (alpha, beta) in [(1, 0), (1, 1), (-0.3, 0.7)] as [(Float, Float)] {
      var found = before
      var span = found.mutableSpan
      PlainLoops.gemm(
        MatrixProduct(rows: shape.rows, columns: shape.columns, inner: shape.inner), alpha, a.span, b.span, beta, &span)
      for row in 0..<shape.rows {
        for column in 0..<shape.columns {
          var sum = beta * before[row * shape.columns + column]
          for inner in 0..<shape.inner {
            sum += (alpha * a[row * shape.inner + inner]) * b[inner * shape.columns + column]
          }
          #expect(found[row * shape.columns + column] == sum, "row \(row), column \(column)")
        }
      }
    }
  }

  /// Spans that are one number too short are refused, before BLAS reads beyond them.
  @Test func shortSpans() async {
    await #expect(processExitsWith: .trap) { Self.multiply(a: 5, b: 12, c: 8) }
    await #expect(processExitsWith: .trap) { Self.multiply(a: 6, b: 11, c: 8) }
    await #expect(processExitsWith: .trap) { Self.multiply(a: 6, b: 12, c: 7) }
    await #expect(processExitsWith: .trap) { _ = MatrixProduct(rows: 2, columns: 4, inner: 3, leadingA: 2) }
    await #expect(processExitsWith: .trap) { _ = MatrixProduct(rows: 1 << 31, columns: 4, inner: 3) }
    Self.multiply(a: 6, b: 12, c: 8)
  }

  private static func multiply(a: Int, b: Int, c: Int) {
    let (a, b) = ([Float](repeating: 1, count: a), [Float](repeating: 1, count: b))
    var result = [Float](repeating: 1, count: c)
    var span = result.mutableSpan
    BLAS.gemm(MatrixProduct(rows: 2, columns: 4, inner: 3), 1, a.span, b.span, 0, &span)
  }

  private static func check(_ product: MatrixProduct, _ alpha: Float, _ beta: Float, _ random: inout TestRandom) {
    let a = numbers((product.transposesA ? product.inner : product.rows) * product.leadingA, using: &random)
    let b = numbers((product.transposesB ? product.columns : product.inner) * product.leadingB, using: &random)
    // With beta 0 the old contents must not matter, even if they are NaN.
    var c = numbers(product.rows * product.leadingC, using: &random)
    if beta == 0 {
      for row in 0..<product.rows {
        for column in 0..<product.columns { c[row * product.leadingC + column] = .nan }
      }
    }
    var (fast, plain) = (c, c)
    var fastSpan = fast.mutableSpan
    BLAS.gemm(product, alpha, a.span, b.span, beta, &fastSpan)
    var plainSpan = plain.mutableSpan
    PlainLoops.gemm(product, alpha, a.span, b.span, beta, &plainSpan)
    var worst = (fast: 0.0, plain: 0.0)
    for row in 0..<product.rows {
      for column in 0..<product.leadingC {
        let index = row * product.leadingC + column
        guard column < product.columns else {
          // Numbers between the rows belong to the caller.
          #expect(fast[index] == c[index] && plain[index] == c[index], "\(product)")
          continue
        }
        var exact = beta == 0 ? 0 : Double(beta) * Double(c[index])
        for inner in 0..<product.inner {
          let left = product.transposesA ? a[inner * product.leadingA + row] : a[row * product.leadingA + inner]
          let right = product.transposesB ? b[column * product.leadingB + inner] : b[inner * product.leadingB + column]
          exact += Double(alpha) * Double(left) * Double(right)
        }
        let errors = (abs(Double(fast[index]) - exact), abs(Double(plain[index]) - exact))
        worst = (errors.0 <= worst.fast ? worst.fast : errors.0, errors.1 <= worst.plain ? worst.plain : errors.1)
      }
    }
    // Sums of `inner` products of at most 4 in single precision; a NaN fails as well.
    let bound = 1e-6 * 8 * Double(product.inner + 2)
    #expect(worst.fast <= bound && worst.plain <= bound, "\(worst) for \(product)")
  }
}
