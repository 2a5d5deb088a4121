internal import ArgumentParser
internal import Foundation
internal import Safetensors
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining
internal import TupeloWeb

/// The file that a command writes. No command replaces a file of another kind than the one it writes, or one that a
/// list of checksums names, unless `--force` is given. No command replaces a checkpoint, because training could not be
/// resumed without it.
struct OutputFile {
  /// The kind of a file that a command writes.
  enum Kind {
    case model, weightFile, record, picture, page, boards
  }

  let path: String

  /// Looks at what is at the path, before any work is done.
  ///
  /// - Throws: `CommandEnd` when something would be lost, `SystemError` when nothing could be written.
  init(_ path: String, for kind: Kind, force: Bool = false) throws {
    self.path = path
    for remains in try ReplacementFile.removeRemains(of: path) {
      Terminal.note("removed \(remains), left by a killed process")
    }
    if isThere(path) {
      try Self.checkLoss(of: path, for: kind, force: force)
    } else {
      try Self.checkFolder(of: path)
    }
    try Self.checkRoom(for: kind, at: realPath(of: path))
    try ReplacementFile.check(path)
  }

  /// Refuses to replace what must not be lost.
  private static func checkLoss(of path: String, for kind: Kind, force: Bool) throws {
    guard !isFolder(path) else { throw CommandEnd.failure("\(path): is a folder: name a file in it") }
    // The file that a link leads to would be lost.
    let file = realPath(of: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    guard attributes[.type] as? FileAttributeType == .typeRegular, attributes[.size] as? Int != 0 else { return }
    let found = try content(of: path)
    guard found != .checkpoint else {
      throw CommandEnd.failure(
        "\(path): is a checkpoint, and training could not be resumed without it: name another file")
    }
    guard force || found == .written(kind) else {
      throw CommandEnd.failure("\(path): is there already and would be lost: name another file, or add --force")
    }
    // A file with a checksum is meant to stay as it is.
    for name in [path, file] where !force {
      guard try !ModelFolder(path: name.parentFolder).lists((name as NSString).lastPathComponent) else {
        throw CommandEnd.failure(
          "\(path): is listed in SHA256SUMS beside it and would be lost: name another file, or add --force")
      }
    }
  }

  /// A folder that is not there is found before the work, not after it.
  private static func checkFolder(of path: String) throws {
    let name = realPath(of: path).parentFolder
    guard isFolder(name) else {
      throw CommandEnd.failure("\(path): the folder \(name) is not there: make it first")
    }
    guard FileManager.default.isWritableFile(atPath: name) else {
      throw CommandEnd.failure("\(path): the folder \(name) is not writable: name another file")
    }
  }

  /// A full disk is found before the game, not after it. The size of other files is known only when they are written.
  private static func checkRoom(for kind: Kind, at path: String) throws {
    guard kind == .record, let space = FreeSpace(at: path.parentFolder), space.most < longestRecord else { return }
    throw CommandEnd.failure(
      "\(path): a game's record needs up to \(Format.bytes(longestRecord)) and the disk has "
        + "\(Format.bytes(space.most)) free: free space, or name a file on another disk")
  }

  /// The bytes of a long game's record: 60,000 moves of four bytes.
  private static let longestRecord = 240_000

  private enum Content: Equatable {
    case checkpoint
    case written(Kind)
    case other
  }

  /// The keys that only headers of game records have.
  private static let recordKeys = ["tupelo_record", "tupelo_set_record"]

  /// - Throws: `SystemError` or `CommandEnd` for a file that cannot be read: it may be a checkpoint.
  private static func content(of path: String) throws -> Content {
    if let file = try safetensors(path) {
      if PortableState.isIn(file) { return .other }
      if file.tensors.contains(where: { $0.name.hasPrefix("training.") }) { return .checkpoint }
      return file.metadata[ModelFile.Key.format] != nil ? .written(.model) : .other
    }
    let head = try head(of: path)
    if head.first == 0, path.hasSuffix(".w") { return .written(.weightFile) }
    let text = String(decoding: head, as: UTF8.self)
    if text.hasPrefix("{"), recordKeys.contains(where: { text.contains("\"\($0)\"") }) { return .written(.record) }
    if text.contains(StaticSite.mark) { return .written(.page) }
    if text.hasPrefix("{"), text.contains("\"tupelo_probe\"") { return .written(.boards) }
    if text.hasPrefix("<svg ") || text.hasPrefix("<!DOCTYPE html>") { return .written(.picture) }
    return .other
  }

  /// Reads a safetensors file; `nil` for any other file, which the next checks identify.
  private static func safetensors(_ path: String) throws -> SafetensorsFile? {
    do {
      return try SafetensorsFile(path: path)
    } catch is SafetensorsError {
      return nil
    }
  }

  private static func head(of path: String) throws -> Data {
    do {
      return try FileHandle(forReadingFrom: fileURL(path)).read(upToCount: 4096) ?? Data()
    } catch {
      throw CommandEnd.failure("\(path): cannot be read: \(FailedCall.reason(error))")
    }
  }
}

/// The option that lets a command replace a file of another kind.
struct ForceOption: ParsableArguments {
  @Flag(name: .long, help: "Replace a file of another kind or one with a checksum; a checkpoint is never replaced.")
  var force = false
}
