internal import TupeloBase

/// Finds the lines of the keys of one YAML mapping in block style. For duplicate keys, the parser reports only the
/// place of the first one.
struct BlockKeys {
  /// The lines of each key, from 1, ascending.
  private var lines: [String: [Int]] = [:]

  /// - Parameters:
  ///   - yaml: the whole text
  ///   - line, column: where any key of the mapping begins, both from 1
  /// - Complexity: O(length of the text)
  init(in yaml: String, at line: Int, column: Int) {
    let texts = yaml.lines
    guard texts.indices.contains(line - 1) else { return }
    var start = line - 1
    while start > 0, Self.isWithin(texts[start - 1], column) { start -= 1 }
    for index in texts.indices[start...] {
      guard Self.isWithin(texts[index], column) else { return }
      if let key = Self.key(of: texts[index], column) { lines[key, default: []].append(index + 1) }
    }
  }

  /// The lines of the first two occurrences of a key; `nil` if they are not found, as in flow style.
  func firstTwo(_ key: String) -> (Int, Int)? {
    guard let found = lines[key], found.count > 1 else { return nil }
    return (found[0], found[1])
  }

  /// Whether a line belongs to a mapping whose keys begin at a column: it is indented at least as far, empty, or a
  /// comment.
  private static func isWithin(_ text: Substring, _ column: Int) -> Bool {
    let rest = text.drop { $0 == " " }
    return rest.isEmpty || rest.first == "#" || text.count - rest.count >= column - 1
  }

  /// The key that begins at a column, with or without quotation marks.
  private static func key(of text: Substring, _ column: Int) -> String? {
    let rest = text.drop { $0 == " " }
    guard text.count - rest.count == column - 1, let first = rest.first else { return nil }
    let isQuoted = first == "\"" || first == "'"
    let inner = isQuoted ? rest.dropFirst() : rest
    guard let end = inner.firstIndex(of: isQuoted ? first : ":") else { return nil }
    let after = inner[end...].dropFirst(isQuoted ? 1 : 0).drop { $0 == " " }
    guard after.first == ":" else { return nil }
    let key = inner[..<end]
    return String(key.prefix(key.count - key.reversed().prefix { $0 == " " }.count))
  }
}
