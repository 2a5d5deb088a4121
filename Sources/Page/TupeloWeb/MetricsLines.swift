internal import Foundation
internal import TupeloEvaluation

/// A piece of a metrics file. It is read leniently, because another version may be writing the file at this moment.
///
/// However long the file is, its pieces together have a bounded number of rows: the lines of each kind are thinned
/// evenly. Lines with equal keys are of one kind, so that evaluations, which are few, stay.
struct MetricsLines: Encodable {
  /// The numbers by key, one row per line. Values that are not numbers, and lines that are not JSON objects, are
  /// ignored.
  let rows: [[String: Double]]
  /// The number of lines that each row stands for.
  let lines: [Int]
  /// The offset at which to continue reading: after the last complete line.
  let next: Int
  /// The identity of the file up to `next`.
  let mark: String
  /// The size of the file, in bytes.
  let size: Int
  /// Whether the file is another one than was read up to the offset; then read it from the start.
  let restarted: Bool

  /// The largest number of keys in a row; a row with more is not written by Tupelo.
  private static let mostKeys = 256
  /// The largest number of rows of a kind from a whole file, about, and from a piece that is a small part of it.
  private static let (mostRows, leastRows) = (8192, 128)
  /// The number of bytes that identify a file: its first ones, and the last ones before an offset.
  private static let span = 1024

  /// Reads on from `offset`, up to which the file had the identity `mark`; an empty mark is not compared.
  init(_ file: FileHandle, from offset: Int, mark: String) throws {
    size = Int(try file.seekToEnd())
    let place = min(offset, size)
    let lead = min(place, Self.span)
    let start = try Self.read(file, at: 0, count: Self.span)
    // Larger files have larger pieces, so that they are read in fewer requests.
    let piece = min(max(size / 64, RunShelf.chunk), 8 * RunShelf.chunk)
    let bytes = try Self.read(file, at: place - lead, count: lead + piece)
    func identity(upTo end: Int) -> String {
      let known = start.prefix(place - lead + end) + bytes[max(end - Self.span, 0)..<end]
      return end == 0 ? "" : String(PageFiles.hash(of: Array(known)), radix: 16)
    }
    // A file may also become shorter while it is read.
    restarted = offset > size || bytes.count < lead || !(mark.isEmpty || mark == identity(upTo: lead))
    guard !restarted else {
      (rows, lines, next, self.mark) = ([], [], 0, "")
      return
    }
    // A line longer than a piece is not a row. Skip it, or it would be asked for forever.
    let end =
      bytes[lead...].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
      ?? (bytes.count == lead + piece ? bytes.count : lead)
    let share = Double(end - lead) / Double(max(size, 1))
    let chosen = Self.thinned(bytes[lead..<end], most: max(Int(share * Double(Self.mostRows)), Self.leastRows))
    let found = chosen.compactMap { line, count in Self.row(Data(bytes[line])).map { ($0, count) } }
    (rows, lines) = (found.map(\.0), found.map(\.1))
    next = offset + end - lead
    self.mark = identity(upTo: end)
  }

  private static func read(_ file: FileHandle, at offset: Int, count: Int) throws -> [UInt8] {
    try file.seek(toOffset: UInt64(offset))
    return [UInt8](try file.read(upToCount: count) ?? Data())
  }

  /// The lines of a piece, at most `most` of each kind, with the number of lines that each stands for.
  private static func thinned(_ bytes: ArraySlice<UInt8>, most: Int) -> [(line: Range<Int>, count: Int)] {
    var kinds: [UInt64: Kind] = [:]
    var (start, hash, isQuoted) = (bytes.startIndex, UInt64(0), false)
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "\n"):
        // Kinds beyond those that a run has are taken together.
        if kinds[hash] == nil, kinds.count >= Kind.most { hash = 0 }
        kinds[hash, default: Kind()].add(start..<index, most: most)
        (start, hash, isQuoted) = (index + 1, 0, false)
      case UInt8(ascii: "\""): isQuoted.toggle()
      case let byte: if isQuoted { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
    }
    return kinds.values.flatMap { kind in kind.lines.map { ($0, kind.step) } }
      .sorted { $0.line.lowerBound < $1.line.lowerBound }
  }

  /// Every `step`-th line of a kind.
  private struct Kind {
    static let most = 32

    private(set) var lines: [Range<Int>] = []
    private(set) var step = 1
    private var count = 0

    mutating func add(_ line: Range<Int>, most: Int) {
      defer { count += 1 }
      guard count.isMultiple(of: step), !line.isEmpty else { return }
      if lines.count == most {
        lines = stride(from: 0, to: most, by: 2).map { lines[$0] }
        step *= 2
        guard count.isMultiple(of: step) else { return }
      }
      lines.append(line)
    }
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

  /// Answers `GET /api/metrics?run=&from=&mark=`: rows of a run's metrics.
  func metrics(_ request: WebRequest) throws(WebProblem) -> WebResponse {
    guard let shelf = runs else { throw .noRuns }
    guard let name = request.query["run"] else { throw .missing("run") }
    let text = request.query["from"] ?? "0"
    guard let offset = Int(text), offset >= 0 else {
      throw .badNumber(parameter: "from", text: text, range: "a number of bytes, 0 or more")
    }
    do {
      return .json(try shelf.metrics(ofRun: name, from: offset, mark: request.query["mark"] ?? ""))
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
