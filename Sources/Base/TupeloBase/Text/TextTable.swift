/// A table of texts for people. Columns are two spaces apart, and no line ends with spaces.
package struct TextTable {
  private let rows: [[String]]
  private let leading: Int
  /// The width of each column, in characters.
  package let widths: [Int]

  /// - Parameters:
  ///   - rows: the cells of each row, with the head as the first row
  ///   - leading: the number of columns whose cells begin at the left; cells of the other columns end at the right
  ///   - least: the smallest widths of the first columns
  /// - Precondition: all rows have as many cells.
  package init(_ rows: [[String]], leading: Int = 1, atLeast least: [Int] = []) {
    (self.rows, self.leading) = (rows, leading)
    widths = (rows.first ?? []).indices.map { column in
      max(rows.map { $0[column].count }.max() ?? 0, column < least.count ? least[column] : 0)
    }
  }

  package var lines: [String] {
    rows.map { cells in
      let line = cells.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return column < leading ? cells[column] + space : space + cells[column]
      }
      .joined(separator: "  ")
      return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
    }
  }
}
