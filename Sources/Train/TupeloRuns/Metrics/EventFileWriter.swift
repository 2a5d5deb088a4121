internal import Foundation
package import TupeloBase
public import TupeloTraining

/// Writes a TensorBoard event file: the records of metrics.jsonl, histograms and hyperparameters. Steps are games.
///
/// Each process writes its own file, and TensorBoard reads the files of a folder in the order of their names. A run
/// that resumes at game N begins its file with a session start at step N + 1. TensorBoard then drops the values of
/// older files from that step on. (TensorBoard's fast reader uses the steps alone. The result is the same once a tag
/// has been written again.)
public final class EventFileWriter {
  public var path: String { file.path }
  private let file: AppendFile
  /// Seconds since 1970. Within a file they never decrease, even if the clock is set back.
  private var wallTime: Double

  private static let prefix = "events.out.tfevents."
  /// The largest time that fits into ten digits.
  private static let latest = 9_999_999_999

  /// Makes a new file.
  ///
  /// - Parameters:
  ///   - folder: an existing folder; older event files in it stay
  ///   - games: the number of games so far: 0 for a fresh run
  ///   - time: the present time, in seconds since 1970
  /// - Throws: `SystemError` that names the file; `MetricsError` when the folder cannot be read
  public convenience init(folder: String, resumingAt games: Int, time: Double) throws {
    try self.init(folder: folder, resumingAt: games, time: time, calls: .system)
  }

  package init(folder: String, resumingAt games: Int, time: Double, calls: FileCalls) throws {
    let older = try Self.newestTime(in: folder)
    wallTime = time.isFinite ? max(0, min(time, Double(Self.latest))) : 0
    // The name sorts after the older names, even if the clock was set back.
    let seconds = min(max(Int(wallTime), older.map { $0 + 1 } ?? 0), Self.latest)
    file = try Self.makeFile(folder: folder, seconds: seconds, calls: calls)
    var version = ProtobufMessage()
    version.add("brain.Event:2", as: Field.fileVersion)
    var start = Self.event(wallTime: wallTime, content: version)
    if older != nil || games > 0 {
      var session = ProtobufMessage()
      session.add(Field.sessionStart, as: Field.sessionStatus)
      var content = ProtobufMessage()
      content.add(Int64(games) + 1, as: Field.step)
      content.add(session, as: Field.sessionLog)
      start += Self.event(wallTime: wallTime, content: content)
    }
    try file.append(start)
  }

  /// Appends all values of a record, as scalars. Values that are not a finite `Float` are left out.
  ///
  /// - Throws: `SystemError`; then nothing was written, and the caller may try again.
  public func append(_ record: MetricsRecord) throws {
    var summary = ProtobufMessage()
    for (tag, value) in record.ordered where Float(value).isFinite {
      var scalar = ProtobufMessage()
      scalar.add(tag, as: Field.valueTag)
      scalar.add(Float(value), as: Field.valueSimple)
      summary.add(scalar, as: Field.summaryValue)
    }
    try append(summary, step: record.games, time: record.time)
  }

  /// Appends a histogram; an empty histogram is ignored.
  public func append(_ histogram: Histogram, tag: String, games: Int, time: Double) throws {
    guard let first = histogram.counts.firstIndex(where: { $0 > 0 }),
      let last = histogram.counts.lastIndex(where: { $0 > 0 })
    else { return }
    var content = ProtobufMessage()
    content.add(histogram.min, as: Field.histogramMin)
    content.add(histogram.max, as: Field.histogramMax)
    content.add(Double(histogram.count), as: Field.histogramCount)
    content.add(histogram.sum, as: Field.histogramSum)
    content.add(histogram.sumOfSquares, as: Field.histogramSquares)
    content.add(Array(histogram.limits[first...last]), as: Field.histogramLimits)
    content.add(histogram.counts[first...last].map(Double.init), as: Field.histogramBuckets)
    var value = ProtobufMessage()
    value.add(tag, as: Field.valueTag)
    value.add(content, as: Field.valueHistogram)
    var summary = ProtobufMessage()
    summary.add(value, as: Field.summaryValue)
    try append(summary, step: games, time: time)
  }

  /// Waits until everything is on the disk.
  public func synchronize() throws { try file.synchronize() }

  func append(_ summary: ProtobufMessage, step: Int, time: Double) throws {
    guard !summary.bytes.isEmpty else { return }
    wallTime = max(wallTime, time.isFinite ? time : 0)
    var content = ProtobufMessage()
    content.add(Int64(step), as: Field.step)
    content.add(summary, as: Field.summary)
    try file.append(Self.event(wallTime: wallTime, content: content))
  }
}

extension EventFileWriter {
  /// The numbers of fields and values in TensorFlow's event.proto, summary.proto and histogram.proto.
  private enum Field {
    static let wallTime: UInt64 = 1
    static let step: UInt64 = 2
    static let fileVersion: UInt64 = 3
    static let summary: UInt64 = 5
    static let sessionLog: UInt64 = 7
    static let sessionStatus: UInt64 = 1
    static let sessionStart: Int64 = 1
    static let summaryValue: UInt64 = 1
    static let valueTag: UInt64 = 1
    static let valueSimple: UInt64 = 2
    static let valueHistogram: UInt64 = 5
    static let histogramMin: UInt64 = 1
    static let histogramMax: UInt64 = 2
    static let histogramCount: UInt64 = 3
    static let histogramSum: UInt64 = 4
    static let histogramSquares: UInt64 = 5
    static let histogramLimits: UInt64 = 6
    static let histogramBuckets: UInt64 = 7
  }

  /// A record of the file: its length, the checksum of the length, an Event, the checksum of the Event.
  private static func event(wallTime: Double, content: ProtobufMessage) -> [UInt8] {
    var message = ProtobufMessage()
    message.add(wallTime, as: Field.wallTime)
    let event = message.bytes + content.bytes
    let length = UInt64(event.count).littleEndianBytes
    return length + checksum(of: length) + event + checksum(of: event)
  }

  private static func checksum(of bytes: [UInt8]) -> [UInt8] {
    CRC32C.masked(CRC32C.checksum(of: bytes)).littleEndianBytes
  }

  /// The largest time in the names of the folder's event files; `nil` without files.
  private static func newestTime(in folder: String) throws(MetricsError) -> Int? {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw .cannotRead(path: folder, reason: FailedCall.reason(error))
    }
    let ours = names.filter { $0.hasPrefix(prefix) }
    return ours.map { name in
      let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
      // A name without digits sorts before all others; a name with more digits than an Int holds sorts after them.
      return digits.isEmpty ? 0 : min(Int(digits) ?? latest, latest)
    }.max()
  }

  private static func makeFile(folder: String, seconds: Int, calls: FileCalls) throws(SystemError) -> AppendFile {
    let digits = String(seconds)
    let padded = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    let host = NameText.fit(ProcessInfo.processInfo.hostName, limit: 64)
    let stem = "\(folder)/\(prefix)\(padded).\(host).\(getpid())"
    var number = 0
    while true {
      do throws(SystemError) {
        return try AppendFile(path: "\(stem).\(number)", mustBeNew: true, calls: calls)
      } catch {
        guard case .cannotAppend(_, EEXIST) = error, number < 1000 else { throw error }
        number += 1
      }
    }
  }
}

/// The checksum of event files: CRC-32C (Castagnoli; RFC 3720, appendix B.4).
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in (crc >> 1) ^ (crc & 1 == 1 ? 0x82f6_3b78 : 0) }
  }

  package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~UInt32(0)) { crc, byte in
      (crc >> 8) ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
    }
  }

  /// The checksum as event files store it. It is masked, because a checksum of data that contain their own checksum is
  /// a constant.
  package static func masked(_ crc: UInt32) -> UInt32 {
    ((crc >> 15) | (crc << 17)) &+ 0xa282_ead8
  }
}
