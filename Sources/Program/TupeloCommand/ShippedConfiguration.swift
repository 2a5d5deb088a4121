internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// The configurations that come with the program, in `configs`.
struct ShippedConfiguration {
  let name: String
  /// The first sentence of the file.
  let summary: String

  /// The file that a word of the command line means: the file of this path, or else `configs/NAME.yaml`.
  ///
  /// - Throws: `ValidationError` when no configuration has the name.
  static func file(_ word: String) throws -> String {
    guard !FileManager.default.fileExists(atPath: word) || isFolder(word) else { return word }
    let isPath = word.contains("/") || word.hasSuffix(".yaml") || word.hasSuffix(".yml")
    if let path = ShippedFile.path(isPath ? word : "configs/\(word).yaml"), !word.hasPrefix("/") { return path }
    guard !isPath else { return word }
    let nearest = Spelling.nearest(to: word, among: try all().map(\.name)).map { ", did you mean \($0)?" } ?? ":"
    throw ValidationError("\(word.quoted) is not a file or a configuration\(nearest) tupelo train lists them")
  }

  /// All configurations, `quickstart` first, the others by name.
  static func all() throws -> [ShippedConfiguration] {
    var paths: [String: String] = [:]
    for folder in ShippedFile.folders.map({ $0 + "/configs" }) where isFolder(folder) {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".yaml") {
        let bare = String(name.dropLast(".yaml".count))
        paths[bare] = paths[bare] ?? folder + "/" + name
      }
    }
    let order = paths.keys.sorted { ($0 == "quickstart" ? "" : $0) < ($1 == "quickstart" ? "" : $1) }
    return try order.map { ShippedConfiguration(name: $0, summary: summary(of: try text(at: paths[$0] ?? $0))) }
  }

  private static func text(at path: String) throws -> String {
    String(decoding: try InputFile.read(path, limit: 1 << 20, as: "configuration"), as: UTF8.self)
  }

  /// The first sentence of the comment at the beginning; empty for a file that begins otherwise.
  private static func summary(of text: String) -> String {
    let comment = text.split(whereSeparator: \.isNewline).prefix { $0.hasPrefix("# ") }
    let words = comment.map { $0.dropFirst(2) }.joined(separator: " ")
    let sentence = words.range(of: ". ").map { words[..<$0.lowerBound] } ?? words[...]
    return Spelling.printable(sentence.hasSuffix(".") ? String(sentence.dropLast()) : String(sentence), limit: 200)
  }
}

extension ShippedConfiguration {
  /// The text for a command line that does not say what to train: how to start, and all configurations.
  static func overview() throws -> String {
    let all = try all()
    let start = "Error: train needs a configuration or a setting: tupelo train "
    let width = (all.map(\.name.count).max() ?? 0) + 4
    let indent = String(repeating: " ", count: width)
    let list = all.map { Format.paragraph(Format.padded("  " + $0.name, to: width) + $0.summary, indent: indent) }
    let standard = RunConfiguration()
    let rest =
      "tupelo train FILE takes your own file. Settings that you do not give have their defaults: "
      + "\(Format.counted(standard.training.games, "game")), network \(standard.model.title), "
      + "\(Format.bytes(Trainer.memory(of: standard))) of memory."
    return ([start + (all.first?.name ?? "FILE")] + list + [Format.paragraph(rest)]).joined(separator: "\n")
  }
}
