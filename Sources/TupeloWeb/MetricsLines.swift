internal import Foundation
internal import TupeloRuns

/// The rows of a metrics file, read leniently: it may be written at this moment, by another version.
struct MetricsLines: Encodable {
  /// Numbers by key, one row per line; what is no number, and a line that is no JSON object, is passed over.
  private(set) var rows: [[String: Double]] = []
  /// Where to go on reading: behind the last line that has its end.
  private(set) var next: Int
  /// Bytes in the file.
  let size: Int
  /// True when the file has become shorter than what was read of it: read it again from the start.
  let restarted: Bool

  /// Keys kept of a row; more is no run of ours.
  private static let mostKeys = 256

  init(_ bytes: Data, from offset: Int, size: Int) {
    self.size = size
    restarted = offset > size
    next = restarted ? 0 : offset
    guard !restarted else { return }
    let newline = UInt8(ascii: "\n")
    guard let end = bytes.lastIndex(of: newline) else {
      // A line longer than a chunk is no row; go past it rather than ask for it forever.
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
      // A torn or foreign line is expected here, and no error.
      return nil
    }
    return numbers.isEmpty || numbers.count > mostKeys ? nil : numbers
  }
}

extension WebService {
  /// `GET /api/runs`
  func listRuns() throws(WebProblem) -> WebResponse {
    struct Runs: Encodable { let runs: [RunShelf.Run] }
    guard let shelf = runs else { throw .noRuns }
    do {
      return .json(Runs(runs: try shelf.runs()))
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// `GET /api/metrics?run=&from=`
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
}
