import Testing
import TupeloBase

@Suite struct TrimmedTextTests {
  @Test(arguments: [
    ("", ""), (" \t\n", ""), ("a", "a"), ("  a  b\t", "a  b"), ("\u{a0}a\u{2003}\r\n", "a"), ("a ", "a"), (" a", "a"),
  ]) func onlyTheEndsAreTrimmed(_ text: String, _ trimmed: String) {
    #expect(text[...].trimmed == trimmed)
  }
}
