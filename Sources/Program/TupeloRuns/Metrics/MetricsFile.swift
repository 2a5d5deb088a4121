internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// Reads the records of a metrics.jsonl, in the order of their games.
public struct MetricsFile: Sendable {
  public static let name = "metrics.jsonl"
  /// The limits on the file and on a line; larger ones are refused before they are parsed.
  static let sizeLimit = 1 << 30
  static let lineLimit = 1 << 16

  public let path: String
  public let records: [MetricsRecord]
  /// For each record, the offset of the end of its line in the file, in bytes.
  let ends: [Int]
  /// Whether the last line has no line break: a process died while it wrote the line, or is writing it now. If that
  /// line is not a complete record, it is ignored.
  let isOpen: Bool

  /// Reads a file, which may be growing meanwhile.
  ///
  /// - Throws: `MetricsError`, with the number of a damaged line
  /// - Complexity: O(bytes) time and memory
  public init(path: String) throws(MetricsError) {
    try self.init(path: path, bytes: Self.bytes(at: path))
  }

  package init(path: String, bytes: [UInt8]) throws(MetricsError) {
    var records: [MetricsRecord] = []
    var ends: [Int] = []
    var isOpen = false
    var (start, number) = (0, 0)
    while start < bytes.count {
      number += 1
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      let line = bytes[start..<(end ?? bytes.count)]
      start = end.map { $0 + 1 } ?? bytes.count
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
      let record: MetricsRecord
      do throws(MetricsError.LineProblem) {
        guard line.count <= Self.lineLimit else { throw .tooLong(limit: Self.lineLimit) }
        record = try MetricsRecord(line: line)
      } catch {
        guard end != nil else { break }
        throw .malformed(path: path, line: number, error)
      }
      if let last = records.last, last.games > record.games {
        throw .notAscending(path: path, line: number, games: record.games, previous: last.games)
      }
      records.append(record)
      ends.append(start)
      isOpen = end == nil
    }
    self.path = path
    self.records = records
    self.ends = ends
    self.isOpen = isOpen
  }

  private static func bytes(at path: String) throws(MetricsError) -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: fileURL(path))
      defer { file.closeFile() }
      let content = try file.read(upToCount: sizeLimit + 1) ?? Data()
      guard content.count <= sizeLimit else { throw MetricsError.tooLarge(path: path, limit: sizeLimit) }
      return [UInt8](content)
    } catch let error as MetricsError {
      throw error
    } catch {
      throw FileManager.default.fileExists(atPath: path)
        ? .cannotRead(path: path, reason: FailedCall.reason(error)) : .missing(path: path)
    }
  }
}
