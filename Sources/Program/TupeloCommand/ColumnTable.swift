internal import TupeloBase

/// A table of whole fields: a column that does not fit the terminal is left out, never cut. A column without any value,
/// which has `-` in every row, is left out as well.
struct ColumnTable {
  /// The names of the columns.
  let head: [String]
  /// The cells, by row; the first one names the row.
  let rows: [[String]]

  init(head: [String], rows: [[String]]) {
    let used = head.indices.filter { column in
      column == 0 || rows.contains { $0[column].contains { $0 != "-" && $0 != " " } }
    }
    self.head = used.map { head[$0] }
    self.rows = rows.map { row in used.map { row[$0] } }
  }

  /// The lines, and the names of the columns that do not fit.
  ///
  /// The first column is always there. If not even the second column fits beside it, its cells have lines of their own.
  ///
  /// - Parameter width: the width of the terminal, in columns; `nil` for any width
  func lines(width: Int?) -> (lines: [String], left: [String]) {
    let all = [head] + rows
    let widths = TextTable(all).widths
    let isApart = width.map { head.count > 1 && widths[0] + 2 + widths[1] > $0 } ?? false
    var room = width.map { $0 - (isApart ? 0 : widths[0]) } ?? .max
    let shown = head.indices.dropFirst().filter { column in
      guard widths[column] + 2 <= room else { return false }
      room -= widths[column] + 2
      return true
    }
    let left = head.indices.dropFirst().filter { !shown.contains($0) }.map { head[$0] }
    let table = TextTable(all.map { cells in [isApart ? "" : cells[0]] + shown.map { cells[$0] } })
    guard isApart else { return (table.lines, left) }
    return (zip(all, table.lines).flatMap { cells, line in [cells[0], line].filter { !$0.isEmpty } }, left)
  }
}
