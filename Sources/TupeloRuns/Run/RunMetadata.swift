internal import Foundation
internal import TupeloTraining

/// meta.json of a run: which program ran on which machine, told to do what; one entry per session, so that a run that
/// was resumed says so.
public struct RunMetadata: Codable, Hashable, Sendable {
  public var sessions: [Session] = []

  public struct Session: Codable, Hashable, Sendable {
    /// Of the program.
    public var version: String
    /// Of the source that it was built from, where it still lies in its repository; with `+` when that had changes.
    public var commit: String?
    public var compiler: String
    public var system: String
    public var cpu: String?
    public var cores: Int
    public var arguments: [String]
    /// In ISO 8601, by the machine's clock.
    public var started: String
    /// Games of the run when the session began.
    public var games: Int
  }
}

extension RunMetadata.Session {
  /// This program, on this machine, now.
  public static func current(arguments: [String], games: Int) -> Self {
    Self(
      version: tupeloVersion, commit: sourceCommit(), compiler: compiler,
      system: ProcessInfo.processInfo.operatingSystemVersionString, cpu: cpuName(),
      cores: ProcessInfo.processInfo.activeProcessorCount, arguments: arguments,
      started: Date().formatted(.iso8601), games: games)
  }

  private static var compiler: String {
    #if compiler(>=6.5)
      "Swift 6.5 or later"
    #elseif compiler(>=6.4)
      "Swift 6.4"
    #else
      "Swift 6.3"
    #endif
  }

  private static func cpuName() -> String? {
    #if os(Linux)
      // Not a regular file: it has no size, so it is read to its end.
      guard let handle = FileHandle(forReadingAtPath: "/proc/cpuinfo") else { return nil }
      let text = String(decoding: handle.readData(ofLength: 1 << 16), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
      return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    #else
      return output(of: "/usr/sbin/sysctl", ["-n", "machdep.cpu.brand_string"])
    #endif
  }

  /// What git says of the folder that the program was built in.
  private static func sourceCommit() -> String? {
    let program = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0]).resolvingSymlinksInPath()
    // Beside the sources only: a program installed elsewhere knows nothing of them.
    guard let end = program.pathComponents.lastIndex(of: ".build") else { return nil }
    let folder = NSString.path(withComponents: Array(program.pathComponents[..<end]))
    guard let commit = output(of: "/usr/bin/env", ["git", "-C", folder, "rev-parse", "HEAD"]) else { return nil }
    let changes = output(of: "/usr/bin/env", ["git", "-C", folder, "status", "--porcelain", "--untracked-files=no"])
    return commit + (changes == nil ? "" : "+")
  }

  /// The trimmed output of a program that ends with success; `nil` when there is none.
  private static func output(of program: String, _ arguments: [String]) -> String? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      return process.terminationStatus == 0 && !text.isEmpty ? text : nil
    } catch {
      // Without git, or without that program, there is nothing to know.
      return nil
    }
  }
}

extension RunDirectory {
  /// Adds a session to meta.json.
  ///
  /// - Throws: `RunDirectoryError.notWritable`; `RunDirectoryError.badMetadata` when what is there is no such file.
  func begin(_ session: RunMetadata.Session) throws {
    var metadata = RunMetadata()
    let path = file(Name.metadata)
    if session.games > 0, FileManager.default.fileExists(atPath: path) {
      do {
        metadata = try JSONDecoder().decode(RunMetadata.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
      } catch {
        throw RunDirectoryError.badMetadata(path: path)
      }
    }
    metadata.sessions.append(session)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try write(String(decoding: encoder.encode(metadata), as: UTF8.self) + "\n", to: Name.metadata)
  }
}
