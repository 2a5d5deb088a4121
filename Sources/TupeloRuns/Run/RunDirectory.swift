internal import DurableFiles
internal import Foundation
internal import Safetensors
public import TupeloTraining

/// The folder of a training run: the names of its files, and a lock that prevents a second training in it.
///
///     config.yaml               every key, resolved
///     meta.json                 program, machine and arguments, per session; see `RunMetadata`
///     metrics.jsonl             the learning curve; see `Metric`
///     events.out.tfevents...    the learning curve for TensorBoard
///     checkpoint.safetensors    the newest checkpoint, from which training resumes
///     checkpoint-<games>...     earlier checkpoints, with `output.keep`
///     best.safetensors          the model that evaluated best; see `BestModel`
///     evaluation.json           the evaluation of the finished network
///     game-best.txt, ...        records of its best, median and worst game
public final class RunDirectory {
  public let path: String
  private let lock: FolderLock

  public enum Name {
    public static let configuration = "config.yaml"
    public static let metadata = "meta.json"
    public static let metrics = "metrics.jsonl"
    public static let checkpoint = "checkpoint.safetensors"
    public static let best = "best.safetensors"
    public static let evaluation = "evaluation.json"
  }

  /// Makes the folder of a new run, if it does not exist, and locks it.
  ///
  /// - Throws: `RunDirectoryError` when the folder holds a checkpoint or another training is using it.
  public static func create(for configuration: RunConfiguration) throws -> RunDirectory {
    guard let path = configuration.output.directory else {
      return try RunDirectory(path: freePath(for: configuration))
    }
    guard !FileManager.default.fileExists(atPath: path + "/" + Name.checkpoint) else {
      throw RunDirectoryError.taken(path: path)
    }
    try checkOwnership(of: path)
    return try RunDirectory(path: path)
  }

  /// Refuses a folder in which somebody else's files have the names of a run's files. What a run has left there that
  /// never came to a checkpoint may be replaced: meta.json tells.
  private static func checkOwnership(of path: String) throws {
    let names = [Name.configuration, Name.metadata, Name.metrics, Name.best, Name.evaluation]
    guard let name = names.first(where: { FileManager.default.fileExists(atPath: path + "/" + $0) }) else { return }
    do {
      let metadata = try Data(contentsOf: URL(fileURLWithPath: path + "/" + Name.metadata))
      _ = try JSONDecoder().decode(RunMetadata.self, from: metadata)
    } catch {
      throw RunDirectoryError.wouldBeLost(path: path + "/" + name)
    }
  }

  /// Opens the folder of a run that resumes from a checkpoint. It is the folder that holds the checkpoint, even if it
  /// was moved, unless a changed configuration names another one.
  public static func resume(_ checkpoint: Checkpoint, with configuration: RunConfiguration) throws -> RunDirectory {
    let own = (checkpoint.file.path as NSString).deletingLastPathComponent
    let isUnchanged = configuration.output.directory == checkpoint.configuration.output.directory
    let folder = own.isEmpty ? "." : own
    let path = (isUnchanged ? nil : configuration.output.directory) ?? folder
    let isOther = URL(fileURLWithPath: path).standardizedFileURL != URL(fileURLWithPath: folder).standardizedFileURL
    guard !isOther || !FileManager.default.fileExists(atPath: path + "/" + Name.checkpoint) else {
      throw RunDirectoryError.taken(path: path)
    }
    return try RunDirectory(path: path)
  }

  private init(path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: Self.reason(error))
    }
    self.path = path
    do throws(SystemError) {
      lock = try FolderLock(folder: path)
    } catch {
      throw Self.refusal(error, path: path)
    }
    try removeRemains()
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a small file, whole or not at all.
  ///
  /// - Throws: `RunDirectoryError.notWritable`.
  public func write(_ text: String, to name: String) throws {
    do {
      try TextFile.write(text, to: file(name))
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: Self.reason(error, name: name))
    }
  }

  /// Removes temporary files that a killed process left behind. The lock guarantees that no process is writing now.
  private func removeRemains() throws {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where ReplacementFile.isRemains(name: name) {
        try FileManager.default.removeItem(atPath: file(name))
      }
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: Self.reason(error))
    }
  }

  /// A path `runs/<name>__<seed>__<date-time>` that does not exist. A number is appended if it does: two runs may start
  /// in one second, and clocks are set back.
  private static func freePath(for configuration: RunConfiguration) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy-MM-dd_HH-mm-ss"
    let path = "runs/\(configuration.name)__\(configuration.seed)__\(format.string(from: Date()))"
    let paths = [path] + (2...1000).lazy.map { "\(path)-\($0)" }
    return paths.first { !FileManager.default.fileExists(atPath: $0) } ?? path
  }

  /// The error for a folder that cannot be locked.
  private static func refusal(_ error: SystemError, path: String) -> RunDirectoryError {
    switch error {
    case .locked(_, let process): .inUse(path: path, process: process)
    case .cannotLock(_, let errno): .notWritable(path: path, reason: FailedCall.text(errno))
    default: .notWritable(path: path, reason: "\(error)")
    }
  }

  /// Why a small file cannot be written. The file's name is enough, because the error that carries this text names the
  /// folder.
  private static func reason(_ error: SystemError, name: String) -> String {
    switch error {
    case .cannotCreate(_, let errno), .cannotWrite(_, let errno), .cannotReplace(_, let errno),
      .notDurable(_, let errno):
      "\(name): \(FailedCall.text(errno))"
    case .notARegularFile: "\(name) is no regular file"
    default: "\(error)"
    }
  }

  static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let deepest = (underlying ?? error) as NSError
    guard deepest.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return FailedCall.text(Int32(deepest.code))
  }
}

/// Why a folder cannot hold a run.
public enum RunDirectoryError: Error, Hashable, Sendable {
  case notWritable(path: String, reason: String)
  case taken(path: String)
  /// Another training uses the folder. `process` is its id, if it has left one.
  case inUse(path: String, process: Int?)
  case badMetadata(path: String)
  /// A file that no run has written has the name of a run's file.
  case wouldBeLost(path: String)
}

extension RunDirectoryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notWritable(let path, let reason):
      "\(path): cannot write there: \(reason): name another folder with --output"
    case .taken(let path):
      "\(path): already holds a checkpoint: go on with --resume \(path), or name another folder with --output"
    case .inUse(let path, let process):
      "\(path): another training is at work there\(process.map { " (process \($0))" } ?? ""): wait for its end, or "
        + "name another"
        + " folder with --output"
    case .wouldBeLost(let path):
      "\(path): is there already and would be lost: move it, or name another folder with --output"
    case .badMetadata(let path):
      "\(path): not what a run has written there: remove it to go on without it"
    }
  }
}
