internal import Foundation
internal import TupeloModels

/// A folder of training runs, for reading only the `metrics.jsonl`, the `config.yaml` and the game records of the
/// folders directly in it.
///
/// A run's name is only compared with the names that the folder lists. It is never made into a path by itself.
public struct RunShelf: Sendable {
  public let path: String

  static let metricsName = "metrics.jsonl"

  static let settingsName = "config.yaml"

  /// The games that an evaluation keeps; the file of `best` is `game-best.txt`.
  static let games = ["best", "median", "worst"]

  /// - Throws: `RunShelfError` when there is no such folder.
  public init(path: String) throws(RunShelfError) {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      throw .noFolder(path: path)
    }
    self.path = path
  }

  struct Run: Encodable {
    /// The name of the run's folder.
    let name: String
    /// The size of its metrics, in bytes.
    let size: Int
    /// The time at which the metrics were last written, in seconds since 1970.
    let modified: Double
    /// The games of 2048 that its evaluation has kept: some of `best`, `median` and `worst`.
    let games: [String]
  }

  /// The runs with metrics, the most recently written first.
  func runs() throws(RunShelfError) -> [Run] {
    try names().compactMap(run).sorted { ($0.modified, $1.name) > ($1.modified, $0.name) }
  }

  private func names() throws(RunShelfError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
  }

  /// The run in a folder. Links are not followed, neither to a folder nor to its metrics.
  private func run(named name: String) -> Run? {
    let folder = path + "/" + name
    guard !name.hasPrefix("."), type(of: folder) == .typeDirectory,
      let attributes = attributes(of: folder + "/" + Self.metricsName),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return Run(
      name: name, size: (attributes[.size] as? NSNumber)?.intValue ?? 0,
      modified: (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0,
      games: Self.games.filter { hasGame($0, in: folder) })
  }

  /// The names of links to folders with metrics, which are not followed.
  public func links() throws(RunShelfError) -> [String] {
    try names().filter { name in
      let folder = path + "/" + name
      return type(of: folder) == .typeSymbolicLink
        && FileManager.default.fileExists(atPath: folder + "/" + Self.metricsName)
    }.sorted()
  }

  /// Whether a folder has the record of a game of 2048. Records of Set lie under the same names.
  private func hasGame(_ game: String, in folder: String) -> Bool {
    let file = Self.file(of: game, in: folder)
    guard type(of: file) == .typeRegular, let handle = FileHandle(forReadingAtPath: file) else { return false }
    do {
      let header = String(decoding: try handle.read(upToCount: 1024) ?? Data(), as: UTF8.self)
      return header.prefix { !$0.isNewline }.contains("\"tupelo_record\"")
    } catch {
      // It cannot be read, so it cannot be shown.
      return false
    }
  }

  private static func file(of game: String, in folder: String) -> String { "\(folder)/game-\(game).txt" }

  /// The text of a game record that a run has kept, at most a chunk.
  func record(of game: String, ofRun name: String) throws(RunShelfError) -> Data {
    guard let run = try runs().first(where: { $0.name == name }) else { throw .noRun(name) }
    guard run.games.contains(game) else { throw .noGame(game, run: name) }
    return try beginning(of: Self.file(of: game, in: path + "/" + run.name))
  }

  /// The text of a run's settings, at most a chunk; empty when it has none. A link is not followed.
  func settings(ofRun name: String) throws(RunShelfError) -> Data {
    guard let run = try runs().first(where: { $0.name == name }) else { throw .noRun(name) }
    let file = path + "/" + run.name + "/" + Self.settingsName
    return type(of: file) == .typeRegular ? try beginning(of: file) : Data()
  }

  private func beginning(of file: String) throws(RunShelfError) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: fileURL(file))
      return try handle.read(upToCount: Self.chunk) ?? Data()
    } catch {
      throw .unreadable(path: file, reason: error.localizedDescription)
    }
  }

  private func type(of path: String) -> FileAttributeType? { attributes(of: path)?[.type] as? FileAttributeType }

  /// The attributes at a path, without following links; `nil` when nothing is there, because a run may be removed at
  /// any time.
  private func attributes(of path: String) -> [FileAttributeKey: Any]? {
    do {
      return try FileManager.default.attributesOfItem(atPath: path)
    } catch {
      return nil
    }
  }

  /// The largest number of bytes of a text that is read, and the usual number of a piece of metrics.
  static let chunk = 1 << 20

  /// A piece of a run's metrics from `offset` on, up to which they had the identity `mark`.
  func metrics(ofRun name: String, from offset: Int, mark: String) throws(RunShelfError) -> MetricsLines {
    guard let run = try runs().first(where: { $0.name == name }) else { throw .noRun(name) }
    let file = path + "/" + run.name + "/" + Self.metricsName
    do {
      let handle = try FileHandle(forReadingFrom: fileURL(file))
      return try MetricsLines(handle, from: offset, mark: mark)
    } catch {
      throw .unreadable(path: file, reason: error.localizedDescription)
    }
  }
}

/// Why runs cannot be shown.
public enum RunShelfError: Error, Hashable, Sendable {
  case noFolder(path: String)
  case noRun(String)
  case noGame(String, run: String)
  case unreadable(path: String, reason: String)
}

extension RunShelfError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFolder(let path): "\(path): there is no such folder: name the folder of your runs with --runs"
    case .noRun(let name): "there is no run '\(name)' with a metrics.jsonl"
    case .noGame(let game, let run): "the run '\(run)' has kept no game '\(game)' of 2048"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    }
  }
}
