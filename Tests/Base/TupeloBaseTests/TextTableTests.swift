import Testing
import TupeloBase

@Suite struct TextTableTests {
  private static let rows = [["run", "note", "score"], ["a", "first", "12"], ["long", "", "3,456"], ["b", "c", ""]]

  @Test func columnsAreAligned() {
    let table = TextTable(Self.rows)
    #expect(table.widths == [4, 5, 5])
    #expect(table.lines == ["run    note  score", "a     first     12", "long         3,456", "b         c"])
    #expect(
      TextTable(Self.rows, leading: 2).lines
        == ["run   note   score", "a     first     12", "long         3,456", "b     c"])
  }

  @Test func columnsMayBeWider() {
    let table = TextTable([["a", "b"], ["cc", "d"]], atLeast: [4])
    #expect(table.widths == [4, 1] && table.lines == ["a     b", "cc    d"])
    #expect(TextTable([["a", "b"]], atLeast: [0, 3]).lines == ["a    b"])
  }

  @Test func fewCells() {
    #expect(TextTable([]).lines.isEmpty && TextTable([[]]).lines == [""])
    #expect(TextTable([["a "], [""]]).lines == ["a", ""])
  }
}
