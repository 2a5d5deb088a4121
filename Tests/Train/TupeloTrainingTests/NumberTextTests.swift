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
}
