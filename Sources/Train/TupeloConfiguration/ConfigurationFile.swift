internal import Foundation
internal import TupeloBase
internal import TupeloModels

/// Reads the text of a configuration file. The path may lead to any kind of file.
enum ConfigurationFile {
  /// - Throws: a problem that names the file.
  static func text(at path: String) throws(ConfigurationError.Problem) -> String {
    func problem(_ reason: ConfigurationError.Reason) -> ConfigurationError.Problem {
      ConfigurationError.Problem(source: .file(path, line: nil, column: nil), key: nil, reason: reason)
    }
    let content: Data
    do {
      let file = try FileHandle(forReadingFrom: fileURL(path))
      defer { file.closeFile() }
      content = try file.read(upToCount: ConfigurationDocument.sizeLimit + 1) ?? Data()
    } catch {
      throw problem(
        FileManager.default.fileExists(atPath: path)
          ? .unreadable(FailedCall.reason(error)) : .missingFile(nearest: nearest(to: path)))
    }
    guard content.count <= ConfigurationDocument.sizeLimit else {
      throw problem(.tooLarge(limit: ConfigurationDocument.sizeLimit))
    }
    guard let text = String(validating: content, as: UTF8.self) else { throw problem(.notUTF8) }
    return text
  }

  /// A run name from the file's name, without folder and extension. Letters lose their accents, and a hyphen stands for
  /// other characters: `à la carte.yaml` gives `a-la-carte`.
  ///
  /// - Returns: `nil` for a name without Latin letters and digits
  static func runName(of path: String) -> String? {
    let name = fileURL(path).deletingPathExtension().lastPathComponent
    let plain = name.folding(options: .diacriticInsensitive, locale: nil)
    let words = plain.split { !$0.utf8.allSatisfy(NameText.isFit) }.joined(separator: "-")
    return words.contains { $0.isLetter || $0.isNumber } ? NameText.fit(words, limit: 100) : nil
  }

  /// The file in the same folder with the most similar name, with or without the extension.
  private static func nearest(to path: String) -> String? {
    let (folder, name) = split(path)
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder).sorted()
    } catch {
      return nil
    }
    let configurations = files.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
    let bare = configurations.map { String($0.prefix { $0 != "." }) }
    let near =
      Spelling.nearest(to: name, among: configurations)
      ?? Spelling.nearest(to: String(name.prefix { $0 != "." }), among: bare)
      .flatMap(bare.firstIndex(of:)).map { configurations[$0] }
    return near.map { folder + $0 }
  }

  /// Splits a path into the folder, with its closing slash, and the rest.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    let next = path.index(after: slash)
    return (String(path[..<next]), String(path[next...]))
  }
}
