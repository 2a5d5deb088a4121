internal import TupeloTraining
public import TupeloRuns

/// The metrics of all games of the program.
extension Metric {
  /// All metrics, in the order in which a record has them.
  public static let table = table(of: .program)

  /// The metric with a tag; `nil` when the table has none.
  public static func named(_ tag: String) -> Metric? { byTag[tag] }

  private static let byTag = Dictionary(uniqueKeysWithValues: table.map { ($0.tag, $0) })

  /// The table as Markdown, for the article Metrics.
  public static var reference: String {
    let rows = table.map { "| `\($0.tag)` | \($0.unit.rawValue) | \($0.meaning) | \($0.healthy) |" }
    return (["| metric | unit | meaning | a healthy curve |", "|---|---|---|---|"] + rows).joined(separator: "\n")
  }
}
