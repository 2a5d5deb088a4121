import Foundation

/// The built program while it runs, its output read line by line.
final class RunningProgram {
  struct Ended: Error, CustomStringConvertible {
    let output: String
    var description: String { "the program ended early: \(output)" }
  }

  private let process = Process()
  private let pipe = Pipe()
  private var output = ""

  /// - Parameter input: what the program reads; nothing by default
  init(_ arguments: [String], input: Any = FileHandle.nullDevice) throws {
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = arguments
    process.environment = Program.environment
    process.standardInput = input
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
  }

  /// Waits for what follows `prefix` on a line, up to `end`.
  func value(after prefix: String, upTo end: String) throws -> String {
    while !prefix.isEmpty {
      if let start = output.range(of: prefix),
        let stop = output.range(of: end, range: start.upperBound..<output.endIndex)
      {
        return String(output[start.upperBound..<stop.lowerBound])
      }
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Ended(output: output) }
      output += String(decoding: data, as: UTF8.self)
    }
    return ""
  }

  /// Ctrl-C; what is still printed then, and the status.
  func interrupt() -> (output: String, status: Int32) { end(by: SIGINT) }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// A signal; what is still printed then, and the status.
  func end(by number: Int32) -> (output: String, status: Int32) {
    signal(number)
    let rest = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (output + rest, process.terminationStatus)
  }

  deinit { if process.isRunning { process.terminate() } }
}
