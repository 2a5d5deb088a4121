internal import Foundation
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

/// The configurations that come with the program, in `configs`.
struct ShippedConfiguration {
  let name: String
  /// The first sentence of the file.
  let summary: String

  /// The file that a word of the command line means: the file of this path, or else `configs/NAME.yaml`. The extension
  /// may be left out.
  ///
  /// - Throws: `CommandEnd.wrong` when no configuration has the name, and for a run or a model.
  static func file(_ word: String) throws -> String {
    guard !isThere(word) || isFolder(word) || word.hasSuffix(".safetensors") else { return word }
    let isFile = word.hasSuffix(".yaml") || word.hasSuffix(".yml")
    let isPath = word.contains("/") || isFile
    let files = isFile ? [word] : (isPath ? [] : ["configs/\(word).yaml"]) + [word + ".yaml", word + ".yml"]
    if word.hasPrefix("/") {
      if let path = files.first(where: isThere) { return path }
    } else if let path = files.lazy.compactMap(ShippedFile.path).first {
      return path
    }
    try refuseOther(word)
    guard !isFile else { return word }
    let name = word.split(separator: "/").last.map(String.init) ?? word
    let nearest = Spelling.nearest(to: name, among: try all().map(\.name)).map { ", did you mean \($0)?" } ?? ":"
    throw CommandEnd.wrong("\(word.quotedPath) is not a file or a configuration\(nearest) tupelo train lists them")
  }

  /// Refuses a run, a model or another folder, with what to do with it.
  private static func refuseOther(_ word: String) throws {
    let (path, shown) = (ShippedFile.found(word), ShellText.word(word))
    let isRun = isThere(path + "/" + RunDirectory.Name.metadata) || isThere(path + "/" + RunDirectory.Name.checkpoint)
    if isRun || word.hasSuffix(RunDirectory.Name.checkpoint) {
      throw CommandEnd.wrong(
        "\(word.quotedPath) is a run, not a configuration: tupelo train --resume \(shown) continues it, and "
          + "config.yaml in its folder is its configuration")
    }
    if isThere(path), word.hasSuffix(".safetensors") || isThere(path + "/" + ModelPath.names[1]) {
      throw CommandEnd.wrong(
        "\(word.quotedPath) is a model, not a configuration: to start from its weights, give a configuration and --set "
          + "network.initial_model=\(shown)")
    }
    guard isFolder(path), word.contains("/") else { return }
    throw CommandEnd.wrong("\(word.quotedPath) is a folder, not a configuration: name a file in it")
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
