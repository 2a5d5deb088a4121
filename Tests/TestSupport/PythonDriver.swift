public import Foundation

/// A Python program that answers lines with lines, as long as the tests run. It ends when its input ends, which is when
/// this process ends.
public final class PythonDriver {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  /// - Throws: when there is no `python3`.
  public init(_ script: String, arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  public var isRunning: Bool { process.isRunning }

  /// Sends a line to the program, and returns the line of its answer.
  ///
  /// - Throws: ``Python/Failure`` when the program has ended.
  public func ask(_ line: Data) throws -> Data {
    guard isRunning else { throw Python.Failure(status: process.terminationStatus, output: "") }
    try input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8))
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[(end + 1)...]) }
        return Data(rest[..<end])
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else {
        process.waitUntilExit()
        throw Python.Failure(status: process.terminationStatus, output: String(decoding: rest, as: UTF8.self))
      }
      rest += more
    }
  }
}
