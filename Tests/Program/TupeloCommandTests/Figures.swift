import Foundation
import TestSupport

/// Figures of strength in the documents of the repository.
enum Figures {
  /// Documents that contain experiments, each with its commands. They are not compared with the page of results.
  static let notebooks = ["configs/notebooks/", "/Strength.md"]

  /// All Markdown files and configurations in the top level, in `configs` and in `models`, and everywhere in `Sources`.
  static func documents() throws -> [String] {
    var found = ["README.md"]
    for folder in ["configs", "models", "Sources"] {
      let files = FileManager.default.enumerator(atPath: Repository.file(folder))
      while let name = files?.nextObject() as? String {
        let isText = name.hasSuffix(".md") || (folder == "configs" && name.hasSuffix(".yaml"))
        if isText { found.append("\(folder)/\(name)") }
      }
    }
    return found.sorted()
  }

  /// The figures of strength in a document. In articles these are means with an interval, outside of fenced blocks.
  static func ofStrength(in name: String) throws -> [String] {
    let text = try Repository.text(of: name)
    if notebooks.contains(where: { name.contains($0) }) || name == "configs/KEYS.md" { return [] }
    if name.hasPrefix("Sources/") { return means(in: prose(of: text)) }
    let said = name.hasSuffix(".yaml") ? comments(of: text) : text
    let quoted = means(in: said) + shares(in: prose(of: said))
    // A card also has the best score of each evaluation, which the page of results does not show.
    return name.hasPrefix("models/") ? quoted : quoted + scores(in: prose(of: said))
  }

  /// Means with their interval, such as `70,023 ± 1,324`, with `±` also where the text has `+-`.
  static func means(in text: String) -> [String] {
    text.matches(of: /([0-9][0-9.,]*[0-9])\s+(?:±|\+-)\s+([0-9][0-9.,]*[0-9])/).map { "\($0.1) ± \($0.2)" }
  }

  /// Shares with one decimal, such as `41.4%`.
  static func shares(in text: String) -> [String] {
    text.matches(of: /[0-9]+\.[0-9]%/).map { String($0.0) }
  }

  /// Numbers of five or six digits, such as `70,023`, except for counts: round thousands, and numbers before a counted
  /// noun.
  static func scores(in text: String) -> [String] {
    let number = /(?:^|[^0-9.,])([0-9]{2,3},[0-9]{3})(?![0-9]|,[0-9])(?!\s+(?:games|episodes|moves|weights|positions))/
    return text.matches(of: number).map { String($0.1) }.filter { !$0.hasSuffix(",000") }
  }

  /// The text without fenced blocks, which show what programs print.
  static func prose(of text: String) -> String {
    let parts = text.split(separator: "```", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined()
  }

  /// The comments of a configuration, as one text.
  static func comments(of text: String) -> String {
    text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { $0.drop { $0 == "#" || $0 == " " } }
      .joined(separator: "\n")
  }
}
