internal import Foundation
internal import TupeloTraining

/// The contents of a run's meta.json: program, machine and arguments. There is one entry per session, so a resumed run
/// has several.
public struct RunMetadata: Codable, Hashable, Sendable {
  public var sessions: [Session] = []

  public struct Session: Codable, Hashable, Sendable {
    /// The version of the program.
    public var version: String
    /// The commit of the source, if the program was built in a repository that is still there; with `+` if the source
    /// had changes.
    public var commit: String?
    public var compiler: String
    public var system: String
    public var cpu: String?
    public var cores: Int
    public var arguments: [String]
    /// The start of the session in ISO 8601, by the machine's clock.
    public var started: String
    /// The number of games of the run when the session began.
    public var games: Int
  }
}

extension RunMetadata.Session {
  /// The session of this program, on this machine, now.
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
      // This is not a regular file and has no size, so it is read to its end.
      guard let handle = FileHandle(forReadingAtPath: "/proc/cpuinfo") else { return nil }
      let text = String(decoding: handle.readData(ofLength: 1 << 16), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
      return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    #else
      return output(of: "/usr/sbin/sysctl", ["-n", "machdep.cpu.brand_string"])
    #endif
  }

  /// The commit of the repository in which the program was built, according to git.
  private static func sourceCommit() -> String? {
    let program = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0]).resolvingSymlinksInPath()
    // Only a program beside its sources has a commit; an installed one does not know them.
    guard let end = program.pathComponents.lastIndex(of: ".build") else { return nil }
    let folder = NSString.path(withComponents: Array(program.pathComponents[..<end]))
    guard let commit = output(of: "/usr/bin/env", ["git", "-C", folder, "rev-parse", "HEAD"]) else { return nil }
    let changes = output(of: "/usr/bin/env", ["git", "-C", folder, "status", "--porcelain", "--untracked-files=no"])
    return commit + (changes == nil ? "" : "+")
  }

  /// The trimmed output of a program that succeeds; otherwise `nil`.
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
      // Git, or the program, is not there.
      return nil
    }
  }
}

extension RunDirectory {
  /// Appends a session to meta.json.
  ///
  /// - Throws: `RunDirectoryError.notWritable`; `RunDirectoryError.badMetadata` when the existing file is not such a
  ///   file.
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
