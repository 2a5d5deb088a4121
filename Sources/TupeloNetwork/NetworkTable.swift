/// A table of weights as a file has it: its name and its axes.
public struct NetworkTable: Hashable, Sendable {
  /// What reports call it: for a pattern its cells, `012345`.
  public let name: String
  /// The axes of its tensor in a file: 16 for each cell of a pattern.
  public let axes: [Int]

  /// Weights in the table.
  public var size: Int { axes.reduce(1, *) }

  package init(name: String, axes: [Int]) { (self.name, self.axes) = (name, axes) }

  /// A weight for each combination of tiles on a pattern's cells.
  init(_ pattern: TuplePattern) {
    self.init(name: pattern.text, axes: Array(repeating: 16, count: pattern.cells.count))
  }
}

extension NetworkTable: CustomStringConvertible {
  public var description: String { name }
}
