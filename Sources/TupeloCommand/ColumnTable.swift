internal import Foundation

/// A table of whole fields: a column that does not fit the terminal is left out, never cut.
struct ColumnTable {
  /// The names of the columns.
  let head: [String]
  /// The cells, by row; the first one names the row.
  let rows: [[String]]
  /// The number of columns that begin their cells at the left; the others end at the right.
  var leading = 1

  /// The lines, and the names of the columns that are left out.
  ///
  /// The first column is always there: where not even the second fits beside it, its cells have lines of their own.
  ///
  /// - Parameter width: of the terminal, in columns; `nil` for any width
  func lines(width: Int?) -> (lines: [String], left: [String]) {
    let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    let isApart = width.map { head.count > 1 && widths[0] + 2 + widths[1] > $0 } ?? false
    var room = width.map { $0 - (isApart ? 0 : widths[0]) } ?? .max
    let shown = head.indices.dropFirst().filter { column in
      guard widths[column] + 2 <= room else { return false }
      room -= widths[column] + 2
      return true
    }
    let left = head.indices.dropFirst().filter { !shown.contains($0) }.map { head[$0] }
    let lines = ([head] + rows).flatMap { cells in
      let rest = shown.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return "  " + (column < leading ? cells[column] + space : space + cells[column])
      }
      .joined()
      guard !isApart else { return [cells[0], Self.trimmed(rest)].filter { !$0.isEmpty } }
      return [Self.trimmed(Format.padded(cells[0], to: widths[0]) + rest)]
    }
    return (lines, left)
  }

  private static func trimmed(_ line: String) -> String {
    String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
  }
}
