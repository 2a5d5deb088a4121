internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// The records of a metrics.jsonl, in the order of their games. The file may be of any size, and may grow meanwhile.
public struct MetricsFile: Sendable {
  public static let name = "metrics.jsonl"
  /// The limit on a line; a longer one is refused.
  package static let lineLimit = 1 << 16
  /// The bytes that are read at a time.
  private static let blockSize = 1 << 18

  public let path: String

  public init(path: String) { self.path = path }

  /// All records.
  ///
  /// - Throws: `MetricsError`, with the number of a damaged line
  /// - Complexity: O(bytes) time and memory
  public var records: [MetricsRecord] {
    get throws(MetricsError) {
      var records: [MetricsRecord] = []
      try forEach { records.append($0) }
      return records
    }
  }

  /// Calls `body` with one record after the other.
  ///
  /// The last line may have no line break: a process died while it wrote the line, or is writing it now. If that line
  /// is not a complete record, it is ignored.
  ///
  /// - Parameter tags: the tags whose values are wanted; all by default
  /// - Throws: `MetricsError`, with the number of a damaged line
  /// - Complexity: O(bytes) time; the memory for a block of the file
  package func forEach(tags: Set<String>? = nil, _ body: (MetricsRecord) -> Void) throws(MetricsError) {
    let file = try open()
    var lines = Lines(path: path, tags: tags.map(MetricsRecord.Wanted.init))
    while true {
      let block = try read(file)
      try lines.add(block, isLast: block.isEmpty, body)
      if block.isEmpty { return }
    }
  }

  /// The records in the bytes of a file.
  package static func records(path: String, bytes: [UInt8]) throws(MetricsError) -> [MetricsRecord] {
    var records: [MetricsRecord] = []
    var lines = Lines(path: path, tags: nil)
    try lines.add(bytes, isLast: true) { records.append($0) }
    return records
  }

  private func open() throws(MetricsError) -> FileHandle {
    do {
      return try FileHandle(forReadingFrom: fileURL(path))
    } catch {
      throw FileManager.default.fileExists(atPath: path)
        ? .cannotRead(path: path, reason: FailedCall.reason(error)) : .missing(path: path)
    }
  }

  private func read(_ file: FileHandle) throws(MetricsError) -> [UInt8] {
    do {
      return [UInt8](try file.read(upToCount: Self.blockSize) ?? Data())
    } catch {
      throw .cannotRead(path: path, reason: FailedCall.reason(error))
    }
  }
}

// MARK: The end of the file

extension MetricsFile {
  /// The end of a file: the last record, and where its line ends.
  struct End {
    let record: MetricsRecord
    /// Whether one of the last records, after the same number of games, has an evaluation during training.
    var isEvaluated: Bool
    /// The offset of the end of the record's line, in bytes.
    let offset: Int
    /// Whether the line has no line break.
    let isOpen: Bool
  }

  /// The last record; `nil` where there is none.
  ///
  /// - Throws: `MetricsError`, with the number of a damaged line
  public func last() throws(MetricsError) -> MetricsRecord? { try end(atMost: .max)?.record }

  /// Reads the file from its end, to the last record of at most this many games.
  ///
  /// - Returns: `nil` where no record has so few games
  /// - Throws: `MetricsError`, with the number of a damaged line after the record
  /// - Complexity: O(bytes after the record)
  func end(atMost games: Int) throws(MetricsError) -> End? {
    let file = try open()
    var start: Int
    do {
      start = Int(try file.seekToEnd())
    } catch {
      throw .cannotRead(path: path, reason: FailedCall.reason(error))
    }
    var found: End?
    // The beginning of a line whose start has not been read yet, and whether the file ends in it.
    var (rest, isOpen) = ([UInt8](), true)
    while start > 0 {
      let from = max(0, start - Self.blockSize)
      var block: [UInt8]
      do {
        try file.seek(toOffset: UInt64(from))
        block = [UInt8](try file.read(upToCount: start - from) ?? Data())
      } catch {
        throw .cannotRead(path: path, reason: FailedCall.reason(error))
      }
      block += rest
      start = from
      var end = block.count
      while end > 0 {
        let lineBreak = block[..<end].lastIndex(of: UInt8(ascii: "\n"))
        guard lineBreak != nil || start == 0 else { break }
        let line = block[(lineBreak.map { $0 + 1 } ?? 0)..<end]
        defer { (end, isOpen) = (lineBreak ?? 0, false) }
        let read: MetricsRecord?
        do throws(MetricsError) {
          read = try record(line, isOpen: isOpen)
        } catch {
          // Damage before the record is left to readers of the whole file.
          if let found { return found }
          throw error
        }
        guard let record = read, record.games <= games else { continue }
        guard let known = found else {
          found = End(
            record: record, isEvaluated: record[.evalScoreMean] != nil,
            offset: start + end + (isOpen ? 0 : 1), isOpen: isOpen)
          continue
        }
        guard record.games == known.record.games, !known.isEvaluated else { return known }
        found?.isEvaluated = record[.evalScoreMean] != nil
      }
      rest = Array(block[..<end].prefix(Self.lineLimit + 1))
      guard rest.count <= Self.lineLimit || isOpen else { try refuse() }
    }
    return found
  }

  /// The record of a line; `nil` for a blank line, and for a torn one at the end of the file.
  private func record(_ line: ArraySlice<UInt8>, isOpen: Bool) throws(MetricsError) -> MetricsRecord? {
    do throws(MetricsError.LineProblem) {
      return try Lines.record(line, tags: nil)
    } catch {
      guard isOpen else { try refuse() }
      return nil
    }
  }

  /// Reads the file from its start, where a damaged line gets its number.
  private func refuse() throws(MetricsError) -> Never {
    try forEach(tags: []) { _ in }
    throw .cannotRead(path: path, reason: "it changes while it is read")
  }
}

// MARK: Lines

extension MetricsFile {
  /// Makes records of a file's bytes, which come in blocks.
  private struct Lines {
    let path: String
    let tags: MetricsRecord.Wanted?
    /// The number of the last line.
    private var number = 0
    private var games = 0
    /// The beginning of a line whose end has not come yet.
    private var rest: [UInt8] = []

    init(path: String, tags: MetricsRecord.Wanted?) { (self.path, self.tags) = (path, tags) }

    mutating func add(_ block: [UInt8], isLast: Bool, _ body: (MetricsRecord) -> Void) throws(MetricsError) {
      let bytes = rest.isEmpty ? block : rest + block
      var start = 0
      while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try add(bytes[start..<end], isOpen: false, body)
        start = end + 1
      }
      // A few bytes beyond the limit are enough to show that a line is too long.
      rest = Array(bytes[start...].prefix(MetricsFile.lineLimit + 1))
      if isLast, !rest.isEmpty { try add(rest[...], isOpen: true, body) }
    }

    private mutating func add(
      _ line: ArraySlice<UInt8>, isOpen: Bool, _ body: (MetricsRecord) -> Void
    ) throws(MetricsError) {
      number += 1
      let record: MetricsRecord?
      do throws(MetricsError.LineProblem) {
        record = try Self.record(line, tags: tags)
      } catch {
        guard !isOpen else { return }
        throw .malformed(path: path, line: number, error)
      }
      guard let record else { return }
      guard games <= record.games else {
        throw .notAscending(path: path, line: number, games: record.games, previous: games)
      }
      games = record.games
      body(record)
    }

    /// The record of a line; `nil` for a blank one.
    static func record(
      _ line: ArraySlice<UInt8>, tags: MetricsRecord.Wanted?
    ) throws(MetricsError.LineProblem) -> MetricsRecord? {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return nil }
      guard line.count <= MetricsFile.lineLimit else { throw .tooLong(limit: MetricsFile.lineLimit) }
      return try MetricsRecord(line: line, tags: tags)
    }
  }
}
