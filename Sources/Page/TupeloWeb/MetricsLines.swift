internal import Foundation
internal import TupeloEvaluation

/// Reads the rows of a metrics file leniently, because another version may be writing it at this moment.
struct MetricsLines: Encodable {
  /// The numbers by key, one row per line. Values that are not numbers, and lines that are not JSON objects, are
  /// ignored.
  private(set) var rows: [[String: Double]] = []
  /// The offset at which to continue reading: after the last complete line.
  private(set) var next: Int
  /// The size of the file, in bytes.
  let size: Int
  /// Whether the file has become shorter than the offset; then read it again from the start.
  let restarted: Bool

  /// The largest number of keys in a row; a row with more is not written by Tupelo.
  private static let mostKeys = 256

  init(_ bytes: Data, from offset: Int, size: Int) {
    self.size = size
    restarted = offset > size
    next = restarted ? 0 : offset
    guard !restarted else { return }
    let newline = UInt8(ascii: "\n")
    guard let end = bytes.lastIndex(of: newline) else {
      // A line longer than a chunk is not a row. Skip it, or it would be asked for forever.
      if bytes.count >= RunShelf.chunk { next += bytes.count }
      return
    }
    next += end - bytes.startIndex + 1
    rows = bytes[..<end].split(separator: newline).compactMap(Self.row)
  }

  private static func row(_ line: Data) -> [String: Double]? {
    let numbers: [String: Double]
    do {
      numbers = try MetricsLine(line).numbers
    } catch {
      // An incomplete or foreign line is expected here and not an error.
      return nil
    }
    return numbers.isEmpty || numbers.count > mostKeys ? nil : numbers
  }
}

extension WebService {
  /// Answers `GET /api/runs`: the list of runs.
  func listRuns() throws(WebProblem) -> WebResponse {
    struct Runs: Encodable { let runs: [RunShelf.Run] }
    guard let shelf = runs else { throw .noRuns }
    do {
      return .json(Runs(runs: try shelf.runs()))
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Answers `GET /api/metrics?run=&from=`: rows of a run's metrics.
  func metrics(_ request: WebRequest) throws(WebProblem) -> WebResponse {
    guard let shelf = runs else { throw .noRuns }
    guard let name = request.query["run"] else { throw .missing("run") }
    let text = request.query["from"] ?? "0"
    guard let offset = Int(text), offset >= 0 else {
      throw .badNumber(parameter: "from", text: text, range: "a number of bytes, 0 or more")
    }
    do {
      let (bytes, size) = try shelf.bytes(ofRun: name, from: offset)
      return .json(MetricsLines(bytes, from: offset, size: size))
    } catch .noRun(let name) {
      throw .noRun(name)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Answers `GET /api/settings?run=`: a run's settings, as its `config.yaml` has them.
  func settings(_ request: WebRequest) throws(WebProblem) -> WebResponse {
    guard let shelf = runs else { throw .noRuns }
    guard let name = request.query["run"] else { throw .missing("run") }
    do {
      return .text(String(decoding: try shelf.settings(ofRun: name), as: UTF8.self))
    } catch .noRun(let name) {
      throw .noRun(name)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Answers `GET /api/game?run=&game=`: the record of a game that a run's evaluation has kept.
  func keptGame(_ request: WebRequest) throws(WebProblem) -> WebResponse {
    guard let shelf = runs else { throw .noRuns }
    guard let name = request.query["run"] else { throw .missing("run") }
    guard let game = request.query["game"] else { throw .missing("game") }
    do {
      return .text(String(decoding: try shelf.record(of: game, ofRun: name), as: UTF8.self))
    } catch .noRun(let name) {
      throw .noRun(name)
    } catch .noGame(let game, let run) {
      throw .noGame(game, run: run)
    } catch {
      throw .unreadable("\(error)")
    }
  }
}
