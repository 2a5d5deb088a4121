import Foundation
import Testing

/// The built program while it runs, with its output read line by line.
final class RunningProgram {
  struct Ended: Error, CustomStringConvertible {
    let output: String
    var description: String { "the program ended early: \(output)" }
  }

  private let process = Process()
  private let pipe = Pipe()
  private var output = ""

  /// - Parameter input: the input of the program; none by default
  init(_ arguments: [String], input: Any = FileHandle.nullDevice) throws {
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = arguments
    process.environment = Program.environment
    process.standardInput = input
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
  }

  /// Waits for a line with `prefix`, and returns the text between it and `end`.
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

  /// Waits until the program has computed for a time, or has ended. Processor time measures the progress of the
  /// program, however busy the machine is. Where there is no /proc, the clock measures it.
  func works(forSeconds seconds: Double) throws {
    let (start, before) = (ContinuousClock.now, processorSeconds ?? 0)
    try Program.wait {
      let worked = processorSeconds.map { $0 - before } ?? (ContinuousClock.now - start) / .seconds(1)
      return !process.isRunning || worked >= seconds
    }
  }

  /// The processor time that the program has used so far.
  private var processorSeconds: Double? {
    // The name of the program stands in parentheses; user and system time are fields after it, in ticks.
    guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8),
      let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 12,
      let user = Double(fields[11]), let system = Double(fields[12])
    else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Sends Ctrl-C; returns the rest of the output and the status.
  func interrupt() -> (output: String, status: Int32) { end(by: SIGINT) }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Sends a signal; returns the rest of the output and the status.
  func end(by number: Int32) -> (output: String, status: Int32) {
    signal(number)
    let rest = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (output + rest, process.terminationStatus)
  }

  deinit { if process.isRunning { process.terminate() } }
}
