import TestSupport
import Testing
import TupeloModels

/// Numbers for people.
@Suite struct NumberTextTests {
  /// A number that rounds to zero has no sign, and every text is within half a digit of its number.
  @Test(arguments: 0...6) func decimalsHaveNoNegativeZero(_ digits: Int) throws {
    var random = TestRandom(state: UInt64(digits + 1))
    let unit = (0..<digits).reduce(1.0) { unit, _ in unit / 10 }
    let random1000 = (0..<1000).map { _ in Double.random(in: -3 * unit...3 * unit, using: &random) }
    for value in random1000 + [0, -0.0, -1e-300, -unit / 2.0001, unit / 2.0001] {
      let text = NumberText.decimals(value, digits)
      let read = try #require(Double(text), "\(text)")
      #expect(abs(read - value) <= unit * 0.500001 && !(read == 0 && text.hasPrefix("-")), "\(value) is \(text)")
    }
    #expect(NumberText.percent(-1e-9) == "0.0%")
  }

  /// The values are counted by hand. An interval has two digits at least, and the mean has as many after the point.
  @Test(
    arguments: [
      (67.1, 0.33, "67.10 ± 0.33"), (5468.4868, 0.041, "5,468.487 ± 0.041"), (70023.4, 1323.6, "70,023 ± 1,324"),
      (67.1, 1.2, "67 ± 1"), (67, 0, "67 ± 0"), (-0.5, 0.25, "-0.50 ± 0.25"), (1234.5, .infinity, "1,235 ± ?"),
      (12, 0.0000001, "12.000000 ± 0.000000"), (0.1, 0.1, "0.10 ± 0.10"),
    ] as [(Double, Double, String)])
  func intervalsHaveTwoDigits(_ mean: Double, _ margin: Double, _ expected: String) {
    #expect(GameKind.twentyFortyEight.text(ofMean: mean, margin: margin) == expected)
  }

  @Test func differencesThatCanBeDetectedAreNotZero() {
    #expect(GameKind.twentyFortyEight.text(ofMargin: 0.4) == "0.40")
    #expect(GameKind.twentyFortyEight.text(ofMargin: 1206) == "1,206")
    #expect(GameKind.twentyFortyEight.text(ofMean: 1_234_567.4, margin: nil) == "1,234,567")
  }
}
