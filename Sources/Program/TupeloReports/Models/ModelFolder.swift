internal import Foundation
internal import Safetensors
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloRuns
internal import TupeloTraining

/// A folder with one or more models and their other files: `model.safetensors`, `SHA256SUMS`, `README.md` (see
/// `ModelCard`) and `evaluation*.json`.
public struct ModelFolder: Sendable {
  public let path: String
  /// The name of the checksum file. Its format is that of `sha256sum`: lines of 64 hex digits, two spaces (or a space
  /// and a star) and a file's name.
  public static let checksumName = "SHA256SUMS"
  /// The name of the model file in a folder for one model.
  public static let modelName = "model.safetensors"

  public init(path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The folder at `path` and its subfolders, if they have models or checksums; the folder itself if none of them has.
  /// A subfolder that cannot be read is included, and its functions say why.
  ///
  /// - Throws: `ModelFolderError.unreadable` when the folder at `path` cannot be read.
  public static func all(under path: String) throws(ModelFolderError) -> [ModelFolder] {
    let top = ModelFolder(path: path)
    let inner = try top.names().filter { !$0.hasPrefix(".") && isFolder(top.path + "/" + $0) }
      .map { ModelFolder(path: top.path + "/" + $0) }
    let folders = ([top] + inner).filter { folder in
      do {
        return try folder.names().contains { $0.hasSuffix(".safetensors") || $0 == checksumName }
      } catch {
        return true
      }
    }
    return folders.isEmpty ? [top] : folders
  }

  /// The model file that a path means: the path itself, or the model in that folder.
  ///
  /// - Throws: `ModelFolderError.notOneModel`.
  public static func model(at path: String) throws(ModelFolderError) -> String {
    guard isFolder(path) else { return path }
    let names = try ModelFolder(path: path).modelNames()
    guard let name = names.contains(modelName) ? modelName : names.first, names.count == 1 || name == modelName else {
      throw .notOneModel(path: path, count: names.count)
    }
    return ModelFolder(path: path).path + "/" + name
  }

  /// One model file of a folder.
  public struct Entry: Hashable, Sendable {
    public let name: String
    /// The size of the file, in bytes.
    public let byteCount: Int
    /// The network in a few words; empty for a file that is not a model.
    public let title: String
    /// The network as one line; for a file that is not a model, why it cannot be read.
    public let network: String
    public let storage: String
    public let isModel: Bool
    /// The SHA-256 of the file; `nil` for a file that is not a model.
    public let checksum: String?
    /// The score that the best model of a run carries, with its games; `nil` for another file.
    public let best: String?
  }

  /// The safetensors files of the folder, by name. A file that cannot be read is an entry that says why.
  ///
  /// - Throws: `ModelFolderError.unreadable` when the folder itself cannot be read.
  public func entries() throws(ModelFolderError) -> [Entry] {
    try modelNames().map { name in
      do {
        let file = try SafetensorsFile(path: path + "/" + name)
        let description = try ModelDescription(in: file, of: .program)
        let kind = file.tensors.contains { $0.name.hasPrefix("training.") } ? "checkpoint" : "model"
        return Entry(
          name: name, byteCount: try Self.byteCount(ofFile: path + "/" + name), title: description.title,
          network: description.canonicalText, storage: "\(kind), \(ModelFile.storage(of: file))", isModel: true,
          checksum: try Self.checksum(ofFile: path + "/" + name),
          best: try BestScore(of: file)?.text(of: description.game))
      } catch {
        // The error names the file, and so does the code that shows the entry.
        let (text, file) = ("\(error)", "\(path)/\(name): ")
        let reason = text.hasPrefix(file) ? String(text.dropFirst(file.count)) : text
        return Entry(
          name: name, byteCount: 0, title: "", network: reason, storage: "", isModel: false, checksum: nil, best: nil)
      }
    }
  }

  /// The result of checking one file.
  public enum Verdict: String, Sendable {
    case intact = "ok"
    case changed = "DIFFERS"
    case missing = "MISSING"
    case unreadable = "CANNOT BE READ"
    /// A model without a checksum in the list.
    case unlisted = "NOT LISTED"
  }

  /// Checks the files that `SHA256SUMS` lists, and finds models that it does not list. Without that file, all models
  /// are unlisted.
  ///
  /// - Throws: `ModelFolderError` when the list is damaged.
  public func verify() throws(ModelFolderError) -> [(name: String, verdict: Verdict)] {
    let expected = try hasChecksums ? checksums() : []
    var verdicts = expected.map { name, digest -> (name: String, verdict: Verdict) in
      do {
        let found = try Self.checksum(ofFile: path + "/" + name)
        return (name: name, verdict: found == digest ? Verdict.intact : .changed)
      } catch {
        let isThere = FileManager.default.fileExists(atPath: path + "/" + name)
        return (name: name, verdict: isThere ? .unreadable : .missing)
      }
    }
    let listed = Set(expected.map(\.name))
    verdicts += try modelNames().filter { !listed.contains($0) }.map { ($0, .unlisted) }
    return verdicts
  }

  /// Writes `SHA256SUMS` for the present models. Entries of other files in an earlier list are kept.
  ///
  /// - Throws: `ModelFolderError`, `SystemError`.
  public func writeChecksums() throws {
    let models = try modelNames()
    let others = try hasChecksums ? checksums().filter { !$0.name.hasSuffix(".safetensors") } : []
    let lines = try models.map { "\(try Self.checksum(ofFile: path + "/" + $0))  \($0)" }
    let text = (lines + others.map { "\($0.digest)  \($0.name)" }).map { $0 + "\n" }.joined()
    try TextFile.write(text, to: path + "/" + Self.checksumName)
  }

  /// The names of the evaluation files, sorted.
  public func evaluationNames() throws(ModelFolderError) -> [String] {
    try names().filter { $0.hasPrefix("evaluation") && $0.hasSuffix(".json") }
  }

  static func byteCount(ofFile path: String) throws -> Int { try MappedFile(path: path).byteCount }

  /// The SHA-256 of a file, as 64 hex digits. The file is mapped, and read once.
  ///
  /// - Throws: `SystemError` when the file cannot be opened.
  public static func checksum(ofFile path: String) throws -> String {
    let file = try MappedFile(path: path)
    file.adviseSequential()
    var digest = SHA256()
    file.withBytes(0..<file.byteCount) { digest.update($0) }
    return digest.finish()
  }

  private var hasChecksums: Bool { FileManager.default.fileExists(atPath: path + "/" + Self.checksumName) }

  /// Whether `SHA256SUMS` lists a file of the folder.
  ///
  /// - Throws: `ModelFolderError` when the list is damaged.
  public func lists(_ name: String) throws(ModelFolderError) -> Bool {
    guard hasChecksums else { return false }
    return try checksums().contains { $0.name == name }
  }

  private func checksums() throws(ModelFolderError) -> [(name: String, digest: String)] {
    let list = path + "/" + Self.checksumName
    let text: String
    do {
      text = try String(contentsOfFile: list, encoding: .utf8)
    } catch {
      throw .unreadable(path: list, reason: FailedCall.reason(error))
    }
    var result: [(name: String, digest: String)] = []
    for (index, line) in text.lines.enumerated() where !line.isEmpty {
      let digest = line.prefix(64)
      let rest = line.dropFirst(64)
      let name = rest.dropFirst(2)
      // Accepts names only, not paths: a list must not make us read elsewhere.
      guard digest.count == 64, digest.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        rest.hasPrefix("  ") || rest.hasPrefix(" *"),
        !name.isEmpty, !name.contains("/"), name != "..", name.unicodeScalars.allSatisfy(Spelling.isPrintable)
      else {
        throw .badLine(path: list, line: index + 1)
      }
      result.append((String(name), digest.lowercased()))
    }
    return result
  }

  private func modelNames() throws(ModelFolderError) -> [String] {
    try names().filter { $0.hasSuffix(".safetensors") }
  }

  private func names() throws(ModelFolderError) -> [String] {
    guard isFolder(path) else { throw .unreadable(path: path, reason: "there is no such folder") }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw .unreadable(path: path, reason: FailedCall.reason(error))
    }
  }
}

/// Why a folder of models cannot be used.
public enum ModelFolderError: Error, Hashable, Sendable {
  case unreadable(path: String, reason: String)
  case badLine(path: String, line: Int)
  case notOneModel(path: String, count: Int)
}

extension ModelFolderError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason): check the path and its permissions"
    case .badLine(let path, let line):
      "\(path):\(line): is not a checksum: expected 64 hex digits, two spaces and a file's name, as sha256sum "
        + "writes them"
    case .notOneModel(let path, let count):
      "\(path): holds \(count) models (*.safetensors) and none called \(ModelFolder.modelName): name the file"
    }
  }
}
