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
    let (content, limit): (Data, Int)
    do {
      let file = try FileHandle(forReadingFrom: fileURL(path))
      limit = ConfigurationDocument.sizeLimit
      content = try file.read(upToCount: limit + 1) ?? Data()
    } catch {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw problem(isThere ? .unreadable(FailedCall.reason(error)) : .missingFile(nearest: nearest(to: path)))
    }
    guard content.count <= limit else { throw problem(.tooLarge(limit: limit)) }
    guard let text = String(validUTF8: content) else { throw problem(.notUTF8) }
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
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let (folder, name) = (String(path[..<start]), String(path[start...]))
    // A folder that cannot be read has no file to suggest.
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder) else {
      return nil
    }
    func bare(_ name: String) -> String { String(name.prefix { $0 != "." }) }
    let found = files.sorted().filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
    let near =
      Spelling.nearest(to: name, among: found)
      ?? Spelling.nearest(to: bare(name), among: found.map(bare)).flatMap { near in found.first { bare($0) == near } }
    return near.map { folder + $0 }
  }
}
