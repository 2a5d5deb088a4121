import TestSupport
import Testing
import TupeloReports
import TupeloTraining

@Suite struct PlotScaleTests {
  private static func labels(_ low: Double, _ high: Double, isShare: Bool = false) -> [String] {
    PlotScale(low...high, isShare: isShare).ticks.map(\.label)
  }

  @Test func labelsAreThoseThatPeopleWrite() {
    #expect(Self.labels(0, 100_000) == ["0", "20k", "40k", "60k", "80k", "100k"])
    #expect(Self.labels(0, 1.7e6) == ["0", "500k", "1M", "1.5M"] || Self.labels(0, 1.7e6).count > 4)
    #expect(Self.labels(0, 1, isShare: true) == ["0%", "20%", "40%", "60%", "80%", "100%"])
    #expect(Self.labels(0.97, 0.99, isShare: true) == ["97%", "97.5%", "98%", "98.5%", "99%"])
    #expect(Self.labels(0, 0.5) == ["0", "0.1", "0.2", "0.3", "0.4", "0.5"])
    #expect(Self.labels(-2, 3) == ["−2", "−1", "0", "1", "2", "3"])
    #expect(Self.labels(0, 5e-7) == ["0", "1e-7", "2e-7", "3e-7", "4e-7", "5e-7"])
    #expect(Self.labels(0, 5e9) == ["0", "1G", "2G", "3G", "4G", "5G"])
    #expect(Self.labels(0, 5e16) == ["0", "1e16", "2e16", "3e16", "4e16", "5e16"])
    #expect(Self.labels(1_000_000, 1_000_500).first == "1M")
    #expect(Self.labels(1_000_000, 1_000_500)[1] == "1.0001M")
  }

  private static let steps: [Double] = [1, 2, 2.5, 5]

  /// Ranges of all sizes and places have 4 to 9 ticks, inside, ascending, evenly spaced, each with a label that says
  /// its value.
  @Test(.slow) func ticksOfAnyRange() throws {
    var random = TestRandom(state: 3)
    for number in 0..<20_000 {
      let size = Double("1e\(Int.random(in: -12...12, using: &random))") ?? 1
      let low = Double.random(in: -size...size, using: &random)
      let width = Double("1e\(Int.random(in: -6...6, using: &random))") ?? 1
      let high = low + size * width * Double.random(in: 0.1...1, using: &random)
      let isShare = number.isMultiple(of: 3)
      try Self.check(low, high, isShare: isShare)
      // The ends of these ranges are ticks themselves.
      let step = Self.steps[number % Self.steps.count]
      try Self.check(0, Double(Int.random(in: 1...40, using: &random)) * step, isShare: isShare)
    }
  }

  @Test(
    arguments: [
      (0.0, 0.0), (5, 5), (-5, -5), (1e15, 1e15), (1e15, 1e15 + 1), (-1e308, 1e308), (0, .greatestFiniteMagnitude),
      (0, .leastNonzeroMagnitude), (-1e-320, 1e-310), (1e300, 1e308), (0, 1e-280), (1, 1.0000000001),
    ] as [(Double, Double)]) func extremes(_ low: Double, _ high: Double) throws
  {
    try Self.check(low, high)
    let fitted = PlotScale(fitting: low, high, padding: 0.05)
    #expect((4...9).contains(fitted.ticks.count) && fitted.lower < fitted.upper)
  }

  private static func check(_ low: Double, _ high: Double, isShare: Bool = false) throws {
    let scale = PlotScale(low...high, isShare: isShare)
    let values = scale.ticks.map(\.value)
    let range: Comment = "\(low)...\(high)"
    #expect(scale.lower < scale.upper && scale.lower.isFinite && scale.upper.isFinite, range)
    #expect((4...9).contains(values.count), range)
    #expect(values.allSatisfy { scale.lower <= $0 && $0 <= scale.upper }, range)
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    let slack = (abs(low) + abs(high)) * 1e-15
    #expect(steps.allSatisfy { $0 > 0 && abs($0 - steps[0]) <= steps[0] * 1e-9 + slack }, range)
    #expect(Set(scale.ticks.map(\.label)).count == values.count, range)
    for tick in scale.ticks {
      let said = try number(tick.label)
      #expect(abs(said - tick.value) <= abs(tick.value) * 1e-14, range)
    }
    #expect(scale.position(of: scale.lower) == 0 && scale.position(of: scale.upper) == 1)
    #expect(scale.position(of: .infinity) == 1 && scale.position(of: -.infinity) == 0)
  }

  /// The value of a label, read by the standard library.
  private static func number(_ label: String) throws -> Double {
    var text = label.replacing("−", with: "-")
    let powers: [(Character, Int)] = [("k", 3), ("M", 6), ("G", 9), ("T", 12), ("%", -2)]
    let power = powers.first { $0.0 == text.last }?.1
    if let power { text = "\(text.dropLast())e\(power)" }
    return try #require(Double(text), "\(label)")
  }

  @Test func startsAtZeroUnlessThatWastesTheRoom() {
    func ends(_ low: Double, _ high: Double) -> [Double] {
      let scale = PlotScale(fitting: low, high, padding: 0)
      return [scale.lower, scale.upper]
    }
    #expect(ends(10, 100) == [0, 100] && ends(90, 100) == [90, 100])
    #expect(ends(-100, -10) == [-100, 0] && ends(-100, -90) == [-100, -90])
    #expect(ends(-5, 5) == [-5, 5] && ends(0, 0) == [0, 1] && ends(7, 7) == [0, 7] && ends(-7, -7) == [-7, 0])
    let padded = PlotScale(fitting: 0, 100, padding: 0.04)
    #expect(padded.lower == 0 && padded.upper == 104)
  }
}
