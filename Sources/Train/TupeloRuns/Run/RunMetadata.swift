internal import Foundation
internal import TupeloTraining

/// The contents of a run's meta.json: program, machine and arguments. There is one entry per session, so a resumed run
/// has several.
public struct RunMetadata: Codable, Hashable, Sendable {
  public var sessions: [Session] = []

  public struct Session: Codable, Hashable, Sendable {
    /// The program's version.
    public var version: String
    /// The commit that the program was built from, with `+` when the sources had changes; `nil` when it was built
    /// outside a repository.
    public var commit: String?
    public var compiler: String
    public var system: String
    public var cpu: String?
    public var cores: Int
    /// The arguments of this program, or of the program that trains the run.
    public var arguments: [String]
    /// The name of the learner in another program, which trains the run and writes it through `ExternalRun`; `nil` for
    /// a training of this package.
    public var learner: String?
    /// The environment variables that settings are from, such as `TUPELO_LEARNER_ALPHA`; `nil` when there are none.
    public var environment: [String: String]?
    /// The start of the session in ISO 8601, by the machine's clock.
    public var started: String
    /// The number of games of the run when the session began.
    public var games: Int
    /// The numbers of games at which the run has continued from a portable state, so that its weights were rounded;
    /// `nil` if it never has.
    public var roundedAt: [Int]?
    /// How the session has ended: `finished`, `stopped` early by its settings, out of `minutes` or `interrupted`; `nil`
    /// while it lasts, and after a crash.
    public var ending: String?
  }
}

extension RunMetadata {
  /// The name of the learner in another program that trains the run; `nil` for a run of this package.
  var learner: String? { sessions.last?.learner }

  /// Reads the meta.json of a run's folder.
  ///
  /// - Throws: `RunDirectoryError.badMetadata`.
  package init(of folder: String) throws(RunDirectoryError) {
    let path = folder + "/" + RunDirectory.Name.metadata
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: fileURL(path)))
    } catch {
      throw .badMetadata(path: path)
    }
  }
}

extension RunMetadata.Session {
  /// The session of this program, on this machine, now.
  ///
  /// - Parameters:
  ///   - learner: the name of the learner, if another program trains the run
  ///   - roundedAt: the numbers of games at which the run has continued from a portable state
  public static func current(
    arguments: [String], environment: [String: String] = [:], games: Int, learner: String? = nil, roundedAt: [Int] = []
  ) -> Self {
    Self(
      version: tupeloVersion, commit: ProgramBuild.commit, compiler: compiler,
      system: ProcessInfo.processInfo.operatingSystemVersionString, cpu: cpuName(),
      cores: ProcessInfo.processInfo.activeProcessorCount, arguments: arguments, learner: learner,
      environment: environment.isEmpty ? nil : environment, started: Date().formatted(.iso8601), games: games,
      roundedAt: roundedAt.isEmpty ? nil : roundedAt)
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
    // This file is not a regular one and has no size, so it is read to its end.
    let file = FileHandle(forReadingAtPath: "/proc/cpuinfo")
    let content: Data?
    do { content = try file?.read(upToCount: 1 << 16) } catch { return nil }
    let text = String(decoding: content ?? Data(), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    #else
    var size = 0
    unsafe sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
    var name = [UInt8](repeating: 0, count: size)
    guard unsafe sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    #endif
  }
}

extension RunDirectory {
  /// Appends a session to meta.json and writes its configuration. A different configuration of an earlier session stays
  /// as `config-<session>.yaml`, with the session's place in meta.json, counted from 1.
  ///
  /// - Throws: `RunDirectoryError.notWritable`; `RunDirectoryError.badMetadata` when the existing file is not such a
  ///   file.
  func begin(_ session: RunMetadata.Session, _ configuration: RunConfiguration) throws {
    let earlier = try append(session)
    let text = configuration.yaml
    if earlier > 0, let before = try self.text(of: Name.configuration), before != text {
      try write(before, to: Name.configuration(ofSession: earlier))
    }
    try write(text, to: Name.configuration)
  }

  /// The text of a small file of the folder; `nil` where there is none.
  private func text(of name: String) throws -> String? {
    guard FileManager.default.fileExists(atPath: file(name)) else { return nil }
    do {
      return try String(decoding: Data(contentsOf: fileURL(file(name))), as: UTF8.self)
    } catch {
      throw RunDirectoryError.notWritable(path: file(name), reason: Self.reason(error))
    }
  }

  /// Appends a session to meta.json.
  ///
  /// - Returns: the number of sessions before it
  private func append(_ session: RunMetadata.Session) throws -> Int {
    let isLater = session.games > 0 && FileManager.default.fileExists(atPath: file(Name.metadata))
    var metadata = try isLater ? RunMetadata(of: path) : RunMetadata()
    let earlier = metadata.sessions.count
    metadata.sessions.append(session)
    try write(JSONText.pretty(metadata) + "\n", to: Name.metadata)
    return earlier
  }

  /// Writes into meta.json how the present session has ended.
  ///
  /// - Throws: `RunDirectoryError.notWritable` or `badMetadata`.
  func end(with outcome: Outcome) throws {
    var metadata = try RunMetadata(of: path)
    guard !metadata.sessions.isEmpty else { return }
    metadata.sessions[metadata.sessions.count - 1].ending = outcome.word
    try write(JSONText.pretty(metadata) + "\n", to: Name.metadata)
  }
}
