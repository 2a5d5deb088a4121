/// A table of weights in a file: its name and its axes.
public struct NetworkTable: Hashable, Sendable {
  /// The table's name in reports: for a pattern its cells, such as `012345`.
  public let name: String
  /// The axes of its tensor in a file: 16 for each cell of a pattern.
  public let axes: [Int]

  /// The number of weights in the table.
  public var size: Int { axes.reduce(1, *) }

  package init(name: String, axes: [Int]) { (self.name, self.axes) = (name, axes) }

  /// The table of a pattern: a weight for each combination of tiles on its cells.
  init(_ pattern: TuplePattern) {
    self.init(name: pattern.text, axes: Array(repeating: 16, count: pattern.cells.count))
  }
}

extension NetworkTable: CustomStringConvertible {
  public var description: String { name }
}
