internal import Foundation

/// A folder of training runs, for reading only the `metrics.jsonl` of the folders directly in it.
///
/// A run's name is only compared with the names that the folder lists. It is never made into a path by itself.
public struct RunShelf: Sendable {
  public let path: String

  static let metricsName = "metrics.jsonl"

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
  }

  /// The runs with metrics, the most recently written first.
  func runs() throws(RunShelfError) -> [Run] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
    return names.compactMap(run).sorted { ($0.modified, $1.name) > ($1.modified, $0.name) }
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
      modified: (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)
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

  /// The largest number of bytes per read.
  static let chunk = 1 << 20

  /// The bytes of a run's metrics from `offset` on, at most a chunk, and the file's size.
  func bytes(ofRun name: String, from offset: Int) throws(RunShelfError) -> (bytes: Data, size: Int) {
    guard let run = try runs().first(where: { $0.name == name }) else { throw .noRun(name) }
    let file = path + "/" + run.name + "/" + Self.metricsName
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      defer { handle.closeFile() }
      let size = Int(try handle.seekToEnd())
      guard offset < size else { return (Data(), size) }
      try handle.seek(toOffset: UInt64(offset))
      return (try handle.read(upToCount: Self.chunk) ?? Data(), size)
    } catch {
      throw .unreadable(path: file, reason: error.localizedDescription)
    }
  }
}

/// Why runs cannot be shown.
public enum RunShelfError: Error, Hashable, Sendable {
  case noFolder(path: String)
  case noRun(String)
  case unreadable(path: String, reason: String)
}

extension RunShelfError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFolder(let path): "\(path): no such folder: name the one that holds your run folders with --runs"
    case .noRun(let name): "there is no run '\(name)' with a metrics.jsonl"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    }
  }
}
