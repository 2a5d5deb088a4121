import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloReports
import TupeloRuns
import TupeloTraining

typealias MetricsFolder = TemporaryFolder

extension TemporaryFolder {
  var metrics: String { file(MetricsFile.name) }

  /// Writes metrics.jsonl and returns its path.
  @discardableResult func write(_ text: String) throws -> String {
    try write(Array(text.utf8))
  }

  @discardableResult func write(_ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: metrics))
    return metrics
  }

  func text() throws -> String { try String(contentsOfFile: metrics, encoding: .utf8) }
}

/// A record with all values that a record of its number of games may hold.
func metricsRecord(_ games: Int) -> MetricsRecord {
  var record = MetricsRecord(
    games: games, moves: games * 117, seconds: Double(games) / 3, time: 1_732_170_000.25 + Double(games))
  for (index, metric) in Metric.table.enumerated() { record[metric] = Double(games) / Double(index + 1) }
  return record
}

/// Compares keys and numbers, except for Foundation's rounding, which is sometimes off by one in the last place.
func agree(_ theirs: [String: Double]?, _ ours: [String: Double]) -> Bool {
  guard let theirs, Set(theirs.keys) == Set(ours.keys) else { return false }
  return ours.allSatisfy { key, value in
    theirs[key].map { abs($0 - value) <= 1e-14 * abs(value) } ?? false
  }
}

/// A disk with room for `room` bytes, and then for more when the room is raised.
final class LimitedDisk: Sendable {
  let room: Locked<Int>

  init(room: Int) { self.room = Locked(room) }

  var calls: FileCalls {
    var calls = FileCalls.system
    calls.write = { [self] descriptor, bytes throws(FailedCall) in
      let allowed = room.withLock { room in
        defer { room -= min(room, bytes.byteCount) }
        return min(room, bytes.byteCount)
      }
      guard allowed > 0 else { throw FailedCall(code: ENOSPC) }
      return try FileCalls.system.write(descriptor, bytes.extracting(first: allowed))
    }
    return calls
  }
}

/// Makes one to three random edits: bytes inverted, removed, doubled, or replaced by a piece of the grammar.
func mutated(_ original: [UInt8], pieces: [String], using random: inout TestRandom) -> [UInt8] {
  var bytes = original
  for _ in 0..<Int.random(in: 1...3, using: &random) {
    let start = Int.random(in: 0...bytes.count, using: &random)
    let end = Int.random(in: start...min(start + 9, bytes.count), using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: start)
    case 1: bytes.replaceSubrange(start..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
    case 2: bytes.removeSubrange(start..<end)
    case 3: bytes.insert(contentsOf: Array(bytes[start..<end]), at: Int.random(in: 0...bytes.count, using: &random))
    case 4: if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(start...) }
    default: if start < bytes.count { bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
    }
  }
  return bytes
}
