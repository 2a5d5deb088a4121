internal import Foundation
internal import Safetensors
internal import TupeloNetwork

/// A folder of models with the checksums that came with them.
public struct ModelFolder: Sendable {
  public let path: String
  /// As `sha256sum` writes them: a line of 64 hex digits, two spaces (or a space and a star) and a file's name.
  public static let checksumName = "SHA256SUMS"

  public init(path: String) { self.path = path }

  /// One model of a folder.
  public struct Entry: Hashable, Sendable {
    public let name: String
    public let byteCount: Int
    /// What the file holds, in words; why it cannot be read, for one that is no model.
    public let network: String
    public let storage: String
    public let isModel: Bool
  }

  /// The safetensors files of the folder, by name. Only their headers are read.
  ///
  /// - Throws: `ModelFolderError.unreadable`.
  public func entries() throws(ModelFolderError) -> [Entry] {
    try modelNames().map { name in
      do {
        let file = try SafetensorsFile(path: path + "/" + name)
        let specification = try ModelFile.specification(in: file)
        let bytes = file.tensors.reduce(0) { $0 + $1.byteCount }
        let kind = file.tensors.contains { $0.name.hasPrefix("training.") } ? "checkpoint" : "model"
        return Entry(
          name: name, byteCount: bytes, network: specification.canonicalText,
          storage: "\(kind), \(ModelFile.storage(of: file))", isModel: true)
      } catch {
        return Entry(name: name, byteCount: 0, network: "\(error)", storage: "", isModel: false)
      }
    }
  }

  /// What became of one file.
  public enum Verdict: String, Sendable {
    case intact = "ok"
    case changed = "DIFFERS"
    case missing = "MISSING"
    /// A model that has no checksum.
    case unlisted = "NOT LISTED"
  }

  /// Compares the files that `SHA256SUMS` lists with their checksums, and looks for models that it does not list.
  ///
  /// - Throws: `ModelFolderError` when the list is missing or damaged.
  public func verify() throws(ModelFolderError) -> [(name: String, verdict: Verdict)] {
    let expected = try checksums()
    var verdicts = expected.map { name, digest in
      do {
        let found = try Self.checksum(ofFile: path + "/" + name)
        return (name: name, verdict: found == digest ? Verdict.intact : .changed)
      } catch {
        return (name: name, verdict: .missing)
      }
    }
    let listed = Set(expected.map(\.name))
    verdicts += try modelNames().filter { !listed.contains($0) }.map { ($0, .unlisted) }
    return verdicts
  }

  /// The SHA-256 of a file, as 64 hex digits. It is mapped, and read once.
  ///
  /// - Throws: `SafetensorsError` when it cannot be opened.
  public static func checksum(ofFile path: String) throws -> String {
    let file = try MappedFile(path: path)
    file.adviseSequential()
    var digest = SHA256()
    file.withBytes(0..<file.byteCount) { digest.update($0) }
    return digest.finish()
  }

  private func checksums() throws(ModelFolderError) -> [(name: String, digest: String)] {
    let list = path + "/" + Self.checksumName
    let text: String
    do {
      text = try String(contentsOfFile: list, encoding: .utf8)
    } catch {
      throw .unreadable(path: list, reason: error.localizedDescription)
    }
    var result: [(name: String, digest: String)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      let digest = line.prefix(64)
      let rest = line.dropFirst(64)
      let name = rest.dropFirst(2)
      // A name only: a list must not make us read elsewhere.
      guard digest.count == 64, digest.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        rest.hasPrefix("  ") || rest.hasPrefix(" *"),
        !name.isEmpty, !name.contains("/"), name != ".."
      else {
        throw .badLine(path: list, line: index + 1)
      }
      result.append((String(name), digest.lowercased()))
    }
    return result
  }

  private func modelNames() throws(ModelFolderError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".safetensors") }.sorted()
    } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
  }
}

/// Why a folder of models cannot be used.
public enum ModelFolderError: Error, Hashable, Sendable {
  case unreadable(path: String, reason: String)
  case badLine(path: String, line: Int)
}

extension ModelFolderError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .badLine(let path, let line):
      "\(path):\(line): is no checksum: expected 64 hex digits, two spaces and a file's name, as sha256sum writes them"
    }
  }
}
