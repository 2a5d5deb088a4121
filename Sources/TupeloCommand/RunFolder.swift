internal import ArgumentParser
internal import Foundation
internal import TupeloTraining

/// Where a training run writes.
struct RunFolder {
  let path: String

  var checkpoint: String { path + "/" + Self.checkpointName }

  static let checkpointName = "checkpoint.safetensors"

  /// Makes the folder, and proves before training starts that it can be written to.
  ///
  /// - Throws: `RunFolderError` naming the folder.
  init(for configuration: RunConfiguration, resuming: String?) throws {
    if let resuming {
      let file = Self.checkpoint(at: resuming)
      path = configuration.output.directory ?? (file as NSString).deletingLastPathComponent.nonEmpty ?? "."
    } else {
      path = configuration.output.directory ?? Self.newPath(for: configuration)
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw RunFolderError.notWritable(path: path, reason: Self.reason(error))
    }
    if resuming == nil, FileManager.default.fileExists(atPath: checkpoint) {
      throw RunFolderError.taken(path: path)
    }
    try write(configuration.yaml, to: "config.yaml")
  }

  func write(_ text: String, to name: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name), options: .atomic)
    } catch {
      throw RunFolderError.notWritable(path: path, reason: Self.reason(error))
    }
  }

  /// The checkpoint that a path means: the file itself, or the one in that folder.
  static func checkpoint(at path: String) -> String {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? path + "/" + checkpointName : path
  }

  private static func newPath(for configuration: RunConfiguration) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy-MM-dd_HH-mm-ss"
    return "runs/\(configuration.name)__\(configuration.seed)__\(format.string(from: Date()))"
  }

  private static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let deepest = (underlying ?? error) as NSError
    guard deepest.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return unsafe String(cString: strerror(Int32(deepest.code)))
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// Why a run cannot write.
enum RunFolderError: Error, CustomStringConvertible {
  case notWritable(path: String, reason: String)
  case taken(path: String)

  var description: String {
    switch self {
    case .notWritable(let path, let reason):
      "\(path): cannot write there: \(reason): name another folder with --output"
    case .taken(let path):
      "\(path): already holds a checkpoint: go on with --resume \(path), or name another folder with --output"
    }
  }
}
