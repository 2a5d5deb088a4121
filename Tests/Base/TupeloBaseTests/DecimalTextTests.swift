import Testing
import TupeloBase

/// Tests of decimal numbers. `ConfigurationNumberTests` lists the numbers that a configuration accepts.
@Suite struct DecimalTextTests {
  @Test(arguments: [
    ("100k", 100_000), ("1.5M", 1_500_000), ("1_000", 1000), ("1000e-3", 1), ("5.", 5), ("-0.5e1", -5),
    ("10,000", 10_000), ("-1,234,567", -1_234_567),
    ("1,000.0", 1000), ("1,500k", 1_500_000),
  ])
  func wholeNumbers(text: String, expected: Int) {
    #expect(DecimalText(text)?.isWhole == true && DecimalText(text)?.whole(as: Int.self) == expected)
  }

  @Test func fractionsAndLimits() {
    #expect(DecimalText("1.5")?.isWhole == false && DecimalText("1.5")?.whole(as: Int.self) == nil)
    #expect(DecimalText("255")?.whole(as: UInt8.self) == 255 && DecimalText("256")?.whole(as: UInt8.self) == nil)
    #expect(DecimalText("0.1")?.rounded(to: Float.self) == 0.1)
  }

  @Test(arguments: [
    "", "01", ".", "-.", ".e1", "1..", "1__0", "0x10", "1e", "ten", ".inf", "0,5", "1,5", "1,0000", "10000,000", ",000",
    "1,", "0,500", "1_0,000", "1.5,000", "1,,000", "1e3,000",
  ])
  func refused(text: String) {
    #expect(DecimalText(text) == nil)
  }
}
