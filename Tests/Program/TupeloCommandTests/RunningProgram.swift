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

  /// Waits until the program listens for signals and has then done some work, or has ended.
  ///
  /// The system counts the work in ticks of processor time, which do not depend on how busy the machine is. A tick is a
  /// hundredth of a second. Where there is no /proc, the handlers of signals are not seen. But the program sets them
  /// before its work begins, and needs far less than the default for that.
  ///
  /// - Parameter ticks: the amount of work; by default more than the commands need before their first move
  func works(ticks: Int = 30) throws {
    try Program.wait { !process.isRunning || listens }
    let before = processorTicks ?? 0
    try Program.wait { !process.isRunning || (processorTicks ?? 0) - before >= ticks }
  }

  /// Whether the program has handlers for the signals that stop it. A signal before that would end it at once.
  private var listens: Bool {
    guard text(ofFile: "status") != nil else { return true }
    return [SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU].allSatisfy { has($0, "SigCgt:") }
  }

  /// Whether the program ignores a signal, by the system's own list.
  func ignores(_ signal: Int32) -> Bool { has(signal, "SigIgn:") }

  /// Whether a signal is in a list of the system about the program: a line such as "SigCgt: 0000000100004602", where
  /// signal 1 is the lowest bit.
  private func has(_ signal: Int32, _ name: String) -> Bool {
    let line = text(ofFile: "status")?.split(separator: "\n").first { $0.hasPrefix(name) }
    let bits = line.flatMap { UInt64($0.dropFirst(name.count).trimmingCharacters(in: .whitespaces), radix: 16) }
    return (bits ?? 0) & 1 << UInt64(signal - 1) != 0
  }

  /// The processor time that the program has used so far, in ticks.
  private var processorTicks: Int? {
    guard Program.hasProc else { return ticksOfList }
    // The name of the program stands in parentheses; user and system time are fields after it.
    guard let fields = text(ofFile: "stat")?.split(separator: ")").last?.split(separator: " "), fields.count > 12,
      let user = Int(fields[11]), let system = Int(fields[12])
    else { return nil }
    return user + system
  }

  /// The processor time by `ps`, which prints minutes, seconds and hundredths on macOS, as in "0:01.25".
  private var ticksOfList: Int? {
    do {
      let numbers = try Program.shell("ps -o time= -p \(process.processIdentifier)").output
        .split { !$0.isNumber }.compactMap { Int($0) }
      guard let hundredths = numbers.last, numbers.count > 2 else { return nil }
      return 100 * numbers.dropLast().reduce(0) { 60 * $0 + $1 } + hundredths
    } catch {
      return nil
    }
  }

  /// A file of the system about the program; `nil` if the system has none.
  func text(ofFile name: String) -> String? {
    try? String(contentsOfFile: "/proc/\(process.processIdentifier)/\(name)", encoding: .utf8)
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
