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

  /// Waits until the program has computed for a time, or has ended. Time of the processor says how far the program is,
  /// however busy the machine is.
  func works(forSeconds seconds: Double) throws {
    let end = (processorSeconds ?? 0) + seconds
    try Program.wait { !process.isRunning || processorSeconds.map { $0 >= end } ?? true }
  }

  /// The processor time that the program has used so far; `nil` when it has ended.
  private var processorSeconds: Double? {
    #if os(Linux)
      var (clock, time) = (clockid_t(), timespec())
      guard clock_getcpuclockid(process.processIdentifier, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        return nil
      }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #else
      var usage = rusage_info_current()
      let result = withUnsafeMutablePointer(to: &usage) {
        $0.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
          proc_pid_rusage(process.processIdentifier, RUSAGE_INFO_CURRENT, $0)
        }
      }
      var base = mach_timebase_info_data_t()
      guard result == 0, mach_timebase_info(&base) == 0 else { return nil }
      let ticks = Double(usage.ri_user_time + usage.ri_system_time)
      return ticks * Double(base.numer) / Double(base.denom) / 1e9
    #endif
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
