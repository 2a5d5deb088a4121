package import DurableFiles
internal import TupeloTraining

/// Writes metrics.jsonl: one record per line, added as training goes.
///
/// A run that goes on from game N continues the file as its checkpoint left it: records of later games, from a process
/// that was killed after it saved, are cut off, so that no part of the curve is there twice; so is a line that it did
/// not finish.
public final class MetricsWriter {
  /// The last record in the file, from before this process or from `append`: where `seconds` goes on.
  public private(set) var last: MetricsRecord?
  private let file: AppendFile

  public var path: String { file.path }

  /// Opens the file, making it if there is none, and cuts off what is later than `games`. Do this last of all that can
  /// fail before training starts.
  ///
  /// - Parameters:
  ///   - path: its folder must be there
  ///   - games: where training stands: 0 for a fresh run
  /// - Throws: `SystemError` or `MetricsError` naming the file, which is then as it was.
  public convenience init(path: String, resumingAt games: Int) throws {
    try self.init(path: path, resumingAt: games, calls: .system)
  }

  package init(path: String, resumingAt games: Int, calls: FileCalls) throws {
    file = try AppendFile(path: path, mustBeNew: false, calls: calls)
    let written = try MetricsFile(path: path)
    let kept = written.records.prefix { $0.games <= games }.count
    last = kept == 0 ? nil : written.records[kept - 1]
    let end = kept == 0 ? 0 : written.ends[kept - 1]
    if end < file.length { try file.truncate(to: end) }
    if kept > 0, kept == written.records.count, written.isOpen { try file.append([UInt8(ascii: "\n")]) }
  }

  /// Adds a record. It is in the file when this returns, and no part of it is when this throws; then it may be tried
  /// again.
  ///
  /// - Throws: `SystemError` when the disk is full; `MetricsError` when the record has no place here: fewer games
  ///   than the last one, or a counter or time that is none.
  public func append(_ record: MetricsRecord) throws {
    if let key = record.unfitKey { throw MetricsError.unfit(path: path, key: key) }
    if let last, record.games < last.games {
      throw MetricsError.behind(path: path, games: record.games, previous: last.games)
    }
    try file.append(Array(record.json.utf8) + [UInt8(ascii: "\n")])
    last = record
  }

  /// Returns when all records are on the disk: for checkpoints, so that neither is without the other after a power
  /// failure.
  ///
  /// - Throws: `SystemError`.
  public func synchronize() throws {
    try file.synchronize()
  }
}
