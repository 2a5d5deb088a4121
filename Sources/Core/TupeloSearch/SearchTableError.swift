/// There is no memory for the table of a search.
public struct SearchTableError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The memory of the table, in bytes.
  public let byteCount: Int

  package init(byteCount: Int) { self.byteCount = byteCount }

  /// One line: the setting, what is wrong with it, and the remedy.
  public var description: String {
    "table: there is no memory for \(max(byteCount >> 20, 1)) MiB of known values in each thread: give a "
      + "smaller table (0 for none), or fewer threads"
  }
}
