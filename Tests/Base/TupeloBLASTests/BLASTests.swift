import Testing
import TupeloBLAS
import TupeloBase

/// BLAS against plain loops and exact sums.
@Suite struct BLASTests {
  private static func numbers(_ count: Int, seed: UInt64) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int(state >> 40)) / 0x1p20 - 8
    }
  }

  @Test(arguments: [0, 1, 3, 64, 1000, 65_537]) func axpy(_ count: Int) {
    let x = Self.numbers(count, seed: 1)
    var (fast, plain) = (Self.numbers(count, seed: 2), Self.numbers(count, seed: 2))
    var span = fast.mutableSpan
    BLAS.axpy(-0.75, x.span, &span)
    var plainSpan = plain.mutableSpan
    PlainLoops.axpy(-0.75, x.span, &plainSpan)
    for (a, b) in zip(fast, plain) { #expect(abs(a - b) <= 1e-5 * max(1, abs(b))) }
  }

  @Test(arguments: [0, 1, 3, 64, 1000, 65_537]) func axpby(_ count: Int) {
    let x = Self.numbers(count, seed: 5)
    var (fast, plain) = (Self.numbers(count, seed: 6), Self.numbers(count, seed: 6))
    var span = fast.mutableSpan
    BLAS.axpby(0.125, x.span, 0.875, &span)
    var plainSpan = plain.mutableSpan
    PlainLoops.axpby(0.125, x.span, 0.875, &plainSpan)
    for (a, b) in zip(fast, plain) { #expect(abs(a - b) <= 1e-5 * max(1, abs(b))) }
  }

  @Test(arguments: [0, 1, 3, 64, 1000, 65_537]) func scale(_ count: Int) {
    var (fast, plain) = (Self.numbers(count, seed: 3), Self.numbers(count, seed: 3))
    let before = fast
    var span = fast.mutableSpan
    BLAS.scale(1.25, &span)
    var plainSpan = plain.mutableSpan
    PlainLoops.scale(1.25, &plainSpan)
    #expect(fast == plain && fast == before.map { 1.25 * $0 })
  }

  @Test(arguments: [0, 1, 3, 64, 1000, 65_537]) func copy(_ count: Int) {
    let x = Self.numbers(count, seed: 8)
    var y = Self.numbers(count, seed: 9)
    var span = y.mutableSpan
    BLAS.copy(x.span, &span)
    #expect(y == x)
    var plain = Self.numbers(count, seed: 9)
    var plainSpan = plain.mutableSpan
    PlainLoops.copy(x.span, &plainSpan)
    #expect(plain == x)
  }

  @Test func norm() {
    #expect(BLAS.norm([Float]().span) == 0)
    #expect(abs(BLAS.norm([3, 4].span) - 5) < 1e-6)
    let x = Self.numbers(200_000, seed: 4)
    let exact = x.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    #expect(abs(BLAS.norm(x.span) - exact) < 1e-5 * exact)
  }

  /// Many equal numbers, whose sum in single precision would stop growing.
  @Test func normOfMany() {
    let x = [Float](repeating: 1, count: 40_000_000)
    #expect(abs(BLAS.norm(x.span) - 40_000_000.0.squareRoot()) < 0.1)
  }

  @Test(arguments: [(0, 4), (1, 1), (1, 32), (7, 5), (64, 32), (300, 33)])
  func matrices(_ size: (rows: Int, columns: Int)) {
    let matrix = Self.numbers(size.rows * size.columns, seed: 10)
    let (x, y) = (Self.numbers(size.columns, seed: 11), Self.numbers(size.rows, seed: 12))
    var (fast, plain) = ([Float](repeating: 1, count: size.rows), [Float](repeating: 2, count: size.rows))
    var fastSpan = fast.mutableSpan
    BLAS.multiply(matrix.span, rows: size.rows, x.span, &fastSpan)
    var plainSpan = plain.mutableSpan
    PlainLoops.multiply(matrix.span, rows: size.rows, x.span, &plainSpan)
    for row in 0..<size.rows {
      let exact = (0..<size.columns).reduce(0.0) {
        $0 + Double(matrix[row * size.columns + $1]) * Double(x[$1])
      }
      #expect(abs(Double(fast[row]) - exact) < 0.005 && abs(Double(plain[row]) - exact) < 0.005)
    }
    var product = matrix
    var productSpan = product.mutableSpan
    BLAS.outer(0.5, y.span, x.span, &productSpan)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let exact = 0.5 * Double(y[row]) * Double(x[column])
        #expect(abs(Double(product[row * size.columns + column]) - exact) < 1e-4)
      }
    }
  }

  /// The lines of this module's README.
  @Test func readmeExample() {
    let steps: [Float] = [1, 2, 3]
    var weights: [Float] = [10, 20, 30]
    var span = weights.mutableSpan
    BLAS.axpy(0.5, steps.span, &span)
    print(weights)
    #expect(weights == [10.5, 21, 31.5])
  }
}
