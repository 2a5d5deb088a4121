import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloRuns
import TupeloTraining

/// Runs that are killed, are resumed, and find no room still have one curve.
@Suite struct MetricsResumeTests {
  private let folder: MetricsFolder

  init() throws { folder = try MetricsFolder() }

  private func lines(_ games: some Sequence<Int>) -> String {
    games.map { metricsRecord($0).json + "\n" }.joined()
  }

  private func games() throws -> [Int] { try MetricsFile(path: folder.metrics).records.map(\.games) }

  @Test(arguments: [
    (0, [Int]()), (999, []), (1000, [1000, 1000]), (1500, [1000, 1000]), (2000, [1000, 1000, 2000]),
    (9000, [1000, 1000, 2000, 3000]),
  ]) func laterRecordsAreCutOff(_ resumed: Int, _ kept: [Int]) throws {
    try folder.write(lines([1000, 1000, 2000, 3000]))
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: resumed)
    #expect(try folder.text() == lines(kept))
    #expect(writer.last == kept.last.map(metricsRecord))
    try writer.append(metricsRecord(9001))
    #expect(try folder.text() == lines(kept + [9001]))
  }

  /// A process may die at every byte of a line that it writes.
  @Test(.slow) func aTornLastLineIsDropped() throws {
    func short(_ games: [Int]) -> String {
      games.map { MetricsRecord(games: $0, moves: 5, seconds: 0.5, time: 7, values: ["a/é": 0.25]).json + "\n" }
        .joined()
    }
    let whole = Array(short([1000, 2000]).utf8)
    let first = short([1000]).utf8.count
    for count in 0...whole.count {
      try folder.write(Array(whole[..<count]))
      // The line is complete except for its line break.
      let complete = [first, whole.count].count { count >= $0 - 1 }
      #expect(try games() == Array([1000, 2000].prefix(complete)), "cut after \(count) bytes")
      let writer = try MetricsWriter(path: folder.metrics, resumingAt: 5000)
      try writer.append(metricsRecord(5000))
      #expect(try folder.text() == short(Array([1000, 2000].prefix(complete))) + lines([5000]), "after \(count) bytes")
    }
  }

  /// Zeros at the end, which a power failure leaves behind on some file systems, are dropped. A file may be large.
  @Test(arguments: [5000, 1 << 30]) func zerosAtTheEndAreDropped(_ zeros: UInt64) throws {
    try folder.write(lines([1000]))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.metrics))
    try file.truncate(atOffset: file.seekToEnd() + zeros)
    try file.close()
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 1000)
    #expect(try folder.text() == lines([1000]) && writer.last == metricsRecord(1000))
  }

  /// All earlier records are there, no part of the new record is, and it may be written again.
  @Test func aFullDiskTearsNoLine() throws {
    let (before, added) = (lines([1000]).utf8.count, lines([2000]).utf8.count)
    for missing in [1, 2, added / 2, added - 1, added] {
      try folder.write("")
      let disk = LimitedDisk(room: before + added - missing)
      let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0, calls: disk.calls)
      try writer.append(metricsRecord(1000))
      for _ in 0..<2 {
        #expect(throws: SystemError.cannotWrite(path: folder.metrics, errno: ENOSPC)) {
          try writer.append(metricsRecord(2000))
        }
        #expect(try folder.text() == lines([1000]) && writer.last == metricsRecord(1000))
      }
      disk.room.withLock { $0 = 1_000_000 }
      try writer.append(metricsRecord(2000))
      #expect(try folder.text() == lines([1000, 2000]))
    }
  }

  @Test func writesThatDoNothingEnd() throws {
    var calls = FileCalls.system
    calls.write = { _, _ in 0 }
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0, calls: calls)
    #expect(throws: SystemError.cannotWrite(path: folder.metrics, errno: EIO)) { try writer.append(metricsRecord(1)) }
    calls.synchronize = { _ throws(FailedCall) in throw FailedCall(code: EIO) }
    let other = try MetricsWriter(path: folder.metrics, resumingAt: 0, calls: calls)
    #expect(throws: SystemError.cannotWrite(path: folder.metrics, errno: EIO)) { try other.synchronize() }
  }

  @Test func shortWritesAreContinued() throws {
    let count = Locked(0)
    var calls = FileCalls.system
    calls.write = { descriptor, bytes throws(FailedCall) in
      let step = count.withLock { count in
        count += 1
        return count % 7 + 1
      }
      return try FileCalls.system.write(descriptor, bytes.extracting(first: min(step, bytes.byteCount)))
    }
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0, calls: calls)
    for games in [1, 2, 3] { try writer.append(metricsRecord(games)) }
    #expect(try folder.text() == lines([1, 2, 3]) && count.withLock { $0 } > 100)
  }

  @Test func whereNothingCanBeWritten() throws {
    let missing = folder.path + "/no/" + MetricsFile.name
    #expect(throws: SystemError.cannotAppend(path: missing, errno: ENOENT)) {
      try MetricsWriter(path: missing, resumingAt: 0)
    }
    #expect(throws: SystemError.notARegularFile(path: folder.path)) {
      try MetricsWriter(path: folder.path, resumingAt: 0)
    }
    #expect(throws: SystemError.cannotAppend(path: "a\0b", errno: EINVAL)) {
      try MetricsWriter(path: "a\0b", resumingAt: 0)
    }
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: SystemError.notARegularFile(path: pipe)) { try MetricsWriter(path: pipe, resumingAt: 0) }
    // A damaged file is not changed.
    try folder.write("{}\n" + lines([1]))
    #expect(throws: MetricsError.malformed(path: folder.metrics, line: 1, .missing(key: "games"))) {
      try MetricsWriter(path: folder.metrics, resumingAt: 0)
    }
    #expect(try folder.text() == "{}\n" + lines([1]))
  }

  @Test func readingWhatIsNotThere() throws {
    #expect(throws: MetricsError.missing(path: folder.metrics)) { try MetricsFile(path: folder.metrics).records }
    #expect {
      try MetricsFile(path: folder.path).records
    } throws: { "\($0)".hasPrefix("\(folder.path): cannot be read: ") }
    #expect(try MetricsFile(path: folder.write("")).records.isEmpty)
    #expect(try MetricsFile(path: folder.write("\n \r\n")).records.isEmpty)
  }

  /// A resume reads the file from its end, in blocks: the result is that of a reader from the start, wherever lines and
  /// blocks end.
  @Test func theEndIsThatOfAReaderFromTheStart() throws {
    var random = TestRandom(state: 7)
    let long = String(repeating: "x", count: 60_000)
    for _ in 0..<30 {
      var (text, known) = ("", [(games: Int, end: Int)]())
      var games = 0
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        games += Int.random(in: 0...2, using: &random)
        let tag = String(long.prefix(Int.random(in: 1...60_000, using: &random)))
        text += MetricsRecord(games: games, moves: 1, seconds: 1, time: 1, values: [tag: 0.5]).json + "\n"
        known.append((games, text.utf8.count))
        if Bool.random(using: &random) { text += " \r\n" }
      }
      try folder.write(text + ["", "{\"games\":", "\0\0\0"].randomElement(using: &random)!)
      let limit = Int.random(in: 0...games + 1, using: &random)
      let writer = try MetricsWriter(path: folder.metrics, resumingAt: limit)
      let kept = known.last { $0.games <= limit }
      #expect(writer.last?.games == kept?.games)
      #expect(try folder.text().utf8.count == kept?.end ?? 0)
    }
  }

  /// Damage after the last record of the checkpoint is cut off with its number; damage before it is left to `plot`.
  @Test func damageIsNamedByItsLine() throws {
    let text = lines([1000]) + "{broken}\n" + lines([2000])
    try folder.write(text)
    #expect(throws: MetricsError.malformed(path: folder.metrics, line: 2, .notJSON)) {
      try MetricsWriter(path: folder.metrics, resumingAt: 1500)
    }
    #expect(try folder.text() == text)
    #expect(try MetricsWriter(path: folder.metrics, resumingAt: 2000).last?.games == 2000)
    #expect(throws: MetricsError.malformed(path: folder.metrics, line: 2, .notJSON)) {
      try MetricsFile(path: folder.metrics).records
    }
  }
}
