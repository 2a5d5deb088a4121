import TestSupport
import Testing
import TupeloLearning
import TupeloTables

/// E and A of weights that are updated so often that single precision would lose their errors.
@Suite struct LargeSumTests {
  /// E and A as after about 1e8 updates grow on as in double precision, in which they are halved as well.
  @Test func sumsStayInProportion() throws {
    let weights = try WeightStorage<CoherenceCell>(count: 1)
    let rule = TemporalCoherence(alpha: 1)
    let limit: Float = 0x1p28
    var (e, a) = (1e6, 4e10)
    weights[0].errorSum = 1e6
    weights[0].absoluteErrorSum = 4e10
    var random = RandomPositions(seed: 12)
    for round in 0..<20 {
      let hasHalved = weights.exclusively { $0.halveSums(from: limit) }
      #expect(hasHalved == (a >= Double(limit)) && (hasHalved || round > 0))
      while a >= Double(limit) { (e, a) = (e / 2, a / 2) }
      for _ in 0..<50_000 {
        // Large errors are rare.
        let size = random.number(in: -1...1)
        let error = Float(size * size * size * 1500 + 20)
        var cell = weights[0]
        rule.update(&cell, error: error, share: 0)
        weights[0] = cell
        (e, a) = (e + Double(error), a + Double(abs(error)))
      }
      #expect(abs(Double(weights[0].absoluteErrorSum) / a - 1) < 1e-3)
      #expect(abs(Double(weights[0].errorSum) / e - 1) < 1e-3)
    }
    // Without halving, A would no longer grow.
    #expect(4e10 as Float + 2000 == 4e10)
  }

  /// Smaller sums, infinite ones, and sums of weights that may not change stay as they are. All others keep their
  /// ratio.
  @Test func onlyLargeSumsAreHalved() throws {
    let weights = try WeightStorage<CoherenceCell>(count: 32)
    var expected: [(Float, Float)] = []
    for index in 0..<32 {
      let sum = [0, 1, 0x1p26 - 8, 0x1p26, 0x1.8p26, 0x1.000002p31, 7e30, .infinity][index % 8] as Float
      weights[index].errorSum = sum.isFinite ? -sum / 3 : 5
      weights[index].absoluteErrorSum = sum
      var (e, a) = (weights[index].errorSum, sum)
      while index >= 16, a >= 0x1p26, a.isFinite { (e, a) = (e / 2, a / 2) }
      expected.append((e, a))
    }
    #expect(weights.exclusively(changing: [16..<32]) { $0.halveSums(from: 0x1p26) })
    for index in 0..<32 {
      #expect(weights[index].errorSum == expected[index].0 && weights[index].absoluteErrorSum == expected[index].1)
    }
    #expect(!weights.exclusively(changing: [16..<32]) { $0.halveSums(from: 0x1p26) })
  }
}
