public import Foundation
internal import TupeloBase
internal import TupeloTraining

/// The report of `tupelo bench --json`.
public struct BenchReport: Hashable, Sendable, Codable {
  public let signature: String
  public let results: [Benchmark.Result]

  public init(signature: String, results: [Benchmark.Result]) {
    self.signature = signature
    self.results = results
  }

  /// The largest size of a report, in bytes.
  static let sizeLimit = 4 << 20

  /// Reads a report of another build.
  ///
  /// - Throws: `BenchReportError`.
  public init(path: String) throws(BenchReportError) {
    let content: Data
    do {
      let file = try FileHandle(forReadingFrom: fileURL(path))
      content = try file.read(upToCount: Self.sizeLimit + 1) ?? Data()
    } catch {
      throw .unreadable(path: path, reason: Self.reason(error))
    }
    guard content.count <= Self.sizeLimit else { throw .tooLarge(path: path, limit: Self.sizeLimit) }
    try self.init(json: content, path: path)
  }

  /// - Parameter path: the name of the report in errors.
  public init(json: Data, path: String) throws(BenchReportError) {
    do {
      self = try JSONDecoder().decode(BenchReport.self, from: json)
    } catch {
      throw .notAReport(path: path, reason: Self.reason(error))
    }
    var names: Set<String> = []
    for result in results {
      guard Self.isPrintable(result.name), Self.isPrintable(result.unit) else {
        throw .notAReport(path: path, reason: "the name or unit of a row is empty, too long or not printable")
      }
      guard names.insert(result.name).inserted else {
        throw .notAReport(path: path, reason: "two rows are called '\(result.name)'")
      }
      let rates = [result.slowest, result.median, result.fastest]
      guard rates.allSatisfy(\.isFinite), rates[0] >= 0, rates == rates.sorted(), result.slices >= 1 else {
        throw .notAReport(path: path, reason: "the speeds of '\(result.name)' are not valid")
      }
    }
    guard Self.isPrintable(signature), signature.count <= 64 else {
      throw .notAReport(path: path, reason: "its signature is not valid")
    }
  }

  public func json() -> String { JSONText.pretty(self) }

  /// Whether a text can be shown on a terminal.
  private static func isPrintable(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
  }

  /// An error as one line.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      (context.codingPath.last.map { "\($0.stringValue) is" } ?? "it is") + " of the wrong kind"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(context.codingPath[context.codingPath.count - 1].stringValue) cannot be read"
    case is DecodingError: "it is not JSON"
    default: FailedCall.reason(error)
    }
  }
}

/// Why a file is not a report to compare with.
public enum BenchReportError: Error, Hashable, Sendable {
  case unreadable(path: String, reason: String)
  case tooLarge(path: String, limit: Int)
  case notAReport(path: String, reason: String)
}

extension BenchReportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason): make it with the other build: tupelo bench --json > FILE"
    case .tooLarge(let path, let limit):
      "\(path): not a report of a benchmark: larger than \(limit >> 20) MB: make it with the other build: tupelo bench "
        + "--json > FILE"
    case .notAReport(let path, let reason):
      "\(path): not a report of a benchmark: \(reason): make it with the other build: tupelo bench --json > FILE"
    }
  }
}
