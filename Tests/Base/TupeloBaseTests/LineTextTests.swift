import Testing
import TupeloBase

@Suite struct LineTextTests {
  @Test(arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}"]) func everyLineEndCounts(_ end: String) {
    let lines = ["", "a", "", "  b\t", "\u{301}c", ""]
    #expect(lines.joined(separator: end).lines.map(String.init) == lines)
    #expect("a\(end)".lines == ["a", ""])
  }

  @Test func aTextWithoutEndIsOneLine() {
    #expect("".lines == [""])
    #expect("a b".lines == ["a b"])
  }
}
