internal import TupeloBase
internal import TupeloTraining

/// Why metrics cannot be read, or a record cannot be appended. `path` is the path as the caller gave it. When the
/// system refuses to write, the error is a `SystemError`.
public enum MetricsError: Error, Hashable, Sendable {
  // The file cannot be read.

  /// There is nothing at the path.
  case missing(path: String)
  /// The file exists but cannot be read.
  case cannotRead(path: String, reason: String)

  // The file is damaged. Lines count from 1.

  case malformed(path: String, line: Int, LineProblem)
  /// A record has fewer games than the one before it.
  case notAscending(path: String, line: Int, games: Int, previous: Int)

  // The caller's record is not allowed.

  /// A counter is negative or too large, a time is not finite, or a tag has the name of a counter or time.
  case unfit(path: String, key: String)
  case behind(path: String, games: Int, previous: Int)

  /// The error in a line.
  public enum LineProblem: Error, Hashable, Sendable {
    case tooLong(limit: Int)
    case notJSON
    case notANumber(key: String)
    case missing(key: String)
    case notACounter(key: String)
  }
}

extension MetricsError: CustomStringConvertible {
  /// One line: the file, what is wrong with it, and the remedy.
  public var description: String {
    switch self {
    case .missing(let path):
      "\(shown(path)): no such file: name the folder of a training run, or its metrics.jsonl"
    case .cannotRead(let path, let reason):
      "\(shown(path)): cannot be read: \(Spelling.printable(reason)): check its permissions"
    case .malformed(let path, let line, let problem):
      "\(shown(path)):\(line): \(problem): the file is damaged or is not a metrics file; remove this line to "
        + "continue without it"
    case .notAscending(let path, let line, let games, let previous):
      "\(shown(path)):\(line): \(CountText.text(games, "game")) after a record of \(previous): two runs in one file? "
        + "Split it there"
    case .unfit(let path, let key):
      "\(shown(path)): a record whose \(Spelling.printable(key)) is not a valid finite number cannot be written"
    case .behind(let path, let games, let previous):
      "\(shown(path)): a record of \(CountText.text(games, "game")) cannot follow one of \(previous)"
    }
  }

  private func shown(_ path: String) -> String { Spelling.printable(path, limit: 1000) }
}

extension MetricsError.LineProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLong(let limit): "longer than \(limit >> 10) KiB"
    case .notJSON: "is not a JSON object"
    case .notANumber(let key): "\(Spelling.printable(key)) is not a number"
    case .missing(let key): "\(Spelling.printable(key)) is missing"
    case .notACounter(let key): "\(Spelling.printable(key)) is not a whole number from 0 to 2^53"
    }
  }
}
