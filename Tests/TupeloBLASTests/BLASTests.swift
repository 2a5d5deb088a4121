import Testing
import TupeloBLAS

/// BLAS against plain loops.
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

  @Test(arguments: [0, 1, 3, 64, 1000, 65_537], [1, 3]) func axpby(_ count: Int, _ stride: Int) {
    let x = Self.numbers(count * stride, seed: 5)
    var (fast, plain) = (Self.numbers(count, seed: 6), Self.numbers(count, seed: 6))
    var span = fast.mutableSpan
    BLAS.axpby(0.125, x.span, stride: stride, 0.875, &span)
    var plainSpan = plain.mutableSpan
    PlainLoops.axpby(0.125, x.span, stride: stride, 0.875, &plainSpan)
    for (a, b) in zip(fast, plain) { #expect(abs(a - b) <= 1e-5 * max(1, abs(b))) }
  }

  @Test(arguments: [0, 1, 3, 64, 1000, 65_537]) func scale(_ count: Int) {
    var (fast, plain) = (Self.numbers(count, seed: 3), Self.numbers(count, seed: 3))
    var span = fast.mutableSpan
    BLAS.scale(1.25, &span)
    var plainSpan = plain.mutableSpan
    PlainLoops.scale(1.25, &plainSpan)
    #expect(fast == plain)
  }

  @Test func norm() {
    #expect(BLAS.norm([Float]().span) == 0)
    #expect(abs(BLAS.norm([3, 4].span) - 5) < 1e-6)
    let x = Self.numbers(100_000, seed: 4)
    let (fast, plain) = (BLAS.norm(x.span), PlainLoops.norm(x.span))
    #expect(abs(fast - plain) < 1e-4 * plain)
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
