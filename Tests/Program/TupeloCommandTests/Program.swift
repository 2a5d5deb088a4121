import Foundation
import Testing

/// The built program.
enum Program {
  struct Result: CustomStringConvertible {
    let status: Int32
    let output: String
    let errors: String
    var description: String { "status \(status)\n\(output)\n\(errors)" }
  }

  /// The path of the program, which stands beside the test bundle.
  static let path = file("tupelo")

  /// The path of a program that was built with the tests.
  static func file(_ name: String) -> String {
    // On macOS a helper of Xcode runs the tests. It gets the path of the bundle's program, which is in the bundle.
    let words = CommandLine.arguments
    let option = words.firstIndex(of: "--test-bundle-path").map { words.index(after: $0) }
    let tests = option.flatMap { words.indices.contains($0) ? words[$0] : nil } ?? words[0]
    var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    for _ in 0..<5 {
      let candidate = folder.appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    return name
  }

  /// Whether the system keeps the limit on address space that `ulimit -v` sets. macOS does not.
  static let limitsAddresses: Bool = {
    #if os(Linux)
    true
    #else
    false
    #endif
  }()

  /// Whether the kernel describes processes in the folder /proc, as Linux does.
  static let hasProc = FileManager.default.fileExists(atPath: "/proc/self/status")

  /// A line of the shell that prints the checksums of files, in the format of `sha256sum`. macOS has `shasum`.
  static func checksums(_ files: String) -> String {
    "if command -v sha256sum > /dev/null; then sha256sum \(files); else shasum -a 256 \(files); fi"
  }

  /// An environment without the settings of the user who runs the tests, and without the model that comes with the
  /// repository.
  static let environment: [String: String] = {
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TUPELO_") }
    environment["COLUMNS"] = "80"
    environment["TUPELO_MODEL"] = "none"
    return environment
  }()

  static func run(_ arguments: [String], of program: String = path, input: String = "") throws -> Result {
    try run(program, arguments, input: input)
  }

  /// Runs a line with /bin/sh.
  static func shell(_ line: String) throws -> Result {
    try run("/bin/sh", ["-c", line], input: "")
  }

  /// The number of processors that this process may use, as another program counts them.
  static let processors: Int = {
    do {
      let line = "env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc || sysctl -n hw.ncpu"
      return Int(try shell(line).output.split(separator: "\n").first ?? "1") ?? 1
    } catch {
      return 1
    }
  }()

  static func quoted(_ word: String) -> String { "'\(word)'" }

  /// Waits until a condition holds, for at most two minutes.
  static func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until condition: () throws -> Bool
  ) throws {
    let end = ContinuousClock.now + .seconds(120)
    while try !condition() {
      try #require(ContinuousClock.now < end, "not within two minutes", sourceLocation: sourceLocation)
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// Waits until a file exists and is not empty, for at most two minutes.
  static func wait(forFile path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(sourceLocation: sourceLocation) { FileManager.default.contents(atPath: path)?.isEmpty == false }
  }

  /// Starts a run without output, with its errors in a file if one is named.
  ///
  /// - Parameters:
  ///   - variables: environment variables besides `environment`
  ///   - folder: the working folder; `nil` for that of the tests
  static func start(
    _ arguments: [String], errors: String? = nil, variables: [String: String] = [:], folder: String? = nil
  ) throws -> Process {
    let process = Process()
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment.merging(variables) { $1 }
    process.standardOutput = FileHandle.nullDevice
    if let errors {
      try Data().write(to: URL(fileURLWithPath: errors))
      process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    } else {
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    return process
  }

  /// Starts a process that receives signals. Tests run on threads that block them, a process inherits that, and a shell
  /// that gets no signal at the end of its children waits for ever.
  private static func startWithSignals(_ process: Process) throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  private static func run(_ program: String, _ arguments: [String], input: String) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment
    let (output, errors, keys) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = keys
    // The pipe takes the input before the program starts, since a program that ends early reads none of it.
    try #require(input.utf8.count < 65536, "more than a pipe holds")
    try keys.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try startWithSignals(process)
    try keys.fileHandleForWriting.close()
    // Errors are a few lines, so reading one pipe after the other cannot block.
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaints, as: UTF8.self))
  }
}
