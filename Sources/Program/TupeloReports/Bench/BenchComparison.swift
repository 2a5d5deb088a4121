internal import TupeloTraining

/// Compares one run of the benchmark with a run of another build.
public struct BenchComparison: Hashable, Sendable, Codable {
  public struct Row: Hashable, Sendable, Codable {
    public let name: String
    public let unit: String
    /// The medians of both runs, in units per second.
    public let before: Double
    public let now: Double
    /// Whether the ranges from slowest to fastest slice overlap; then the difference may be chance.
    public let overlaps: Bool

    /// `now` over `before`: above 1 is faster. `nil` when there is nothing to divide by.
    public var ratio: Double? { before > 0 ? now / before : nil }
  }

  /// The rows, in the order of this run.
  public let rows: [Row]
  /// The rows that only this run has, or that have another unit in the other run.
  public let onlyNow: [String]
  /// The rows that only the other run has.
  public let onlyBefore: [String]
  public let signatureBefore: String
  public let signatureNow: String

  public var signaturesAreEqual: Bool { signatureBefore == signatureNow }

  public init(_ now: BenchReport, against before: BenchReport) {
    var rows: [Row] = []
    var onlyNow: [String] = []
    for result in now.results {
      guard let other = before.results.first(where: { $0.name == result.name && $0.unit == result.unit }) else {
        onlyNow.append(result.name)
        continue
      }
      rows.append(
        Row(
          name: result.name, unit: result.unit, before: other.median, now: result.median,
          overlaps: result.slowest <= other.fastest && other.slowest <= result.fastest))
    }
    self.rows = rows
    self.onlyNow = onlyNow
    onlyBefore = before.results.filter { other in !rows.contains { $0.name == other.name } }.map(\.name)
    (signatureBefore, signatureNow) = (before.signature, now.signature)
  }
}
