package import TupeloBase
internal import TupeloTraining

/// Writes metrics.jsonl: one record per line, appended during training.
///
/// A run that resumes at game N continues the file. Records of later games are cut off, so that no part of the curve
/// occurs twice; a process that was killed after its checkpoint leaves such records. An unfinished line is cut off too.
public final class MetricsWriter {
  /// The last record in the file, from this process or an earlier one. `seconds` continues from it.
  public private(set) var last: MetricsRecord?
  /// Whether an evaluation during training was made after the games of the last record.
  private(set) var isEvaluated: Bool
  private let file: AppendFile

  public var path: String { file.path }

  /// Opens the file, or makes it, and cuts off records of more than `games` games.
  ///
  /// Call this after everything else that can fail before training starts.
  ///
  /// - Parameters:
  ///   - path: its folder must exist
  ///   - games: the number of games so far: 0 for a fresh run
  /// - Throws: `SystemError` or `MetricsError` that names the file; the file is then unchanged.
  public convenience init(path: String, resumingAt games: Int) throws {
    try self.init(path: path, resumingAt: games, calls: .system)
  }

  package init(path: String, resumingAt games: Int, calls: FileCalls) throws {
    file = try AppendFile(path: path, mustBeNew: false, calls: calls)
    let end = try MetricsFile(path: path).end(atMost: games)
    last = end?.record
    isEvaluated = end?.isEvaluated ?? false
    let length = end?.offset ?? 0
    if length < file.length { try file.truncate(to: length) }
    if end?.isOpen == true { try file.append([UInt8(ascii: "\n")]) }
  }

  /// Appends a record. It is in the file when this returns. When this throws, no part of it is, and the caller may try
  /// again.
  ///
  /// - Throws: `SystemError` when the disk is full; `MetricsError` when the record is not allowed: it has fewer games
  ///   than the last one, or a counter or time that is not valid.
  public func append(_ record: MetricsRecord) throws {
    if let key = record.unfitKey { throw MetricsError.unfit(path: path, key: key) }
    if let last, record.games < last.games {
      throw MetricsError.behind(path: path, games: record.games, previous: last.games)
    }
    try file.append(Array(record.json.utf8) + [UInt8(ascii: "\n")])
    isEvaluated = record[.evalScoreMean] != nil || isEvaluated && record.games == last?.games
    last = record
  }

  /// Waits until all records are on the disk. Checkpoints call it, so that after a power failure neither exists without
  /// the other.
  ///
  /// - Throws: `SystemError`.
  public func synchronize() throws {
    try file.synchronize()
  }
}
