/// YAML texts whose keys have numbers, so that no two keys are equal. A number stands between two characters for
/// private use, at the end of each key, and of each other text that looks like a key.
enum NumberedKeys {
  private static let mark: Unicode.Scalar = "\u{f8ff}"

  /// The text with numbers; `nil` for a text that has such characters itself.
  static func text(from text: String) -> String? {
    guard !text.unicodeScalars.contains(mark) else { return nil }
    let source = Array(text.utf8)
    var numbered: [UInt8] = []
    var (copied, count) = (0, 0)
    for colon in source.indices where source[colon] == UInt8(ascii: ":") {
      guard let end = endOfKey(before: colon, in: source) else { continue }
      count += 1
      numbered += source[copied..<end] + Array("\(mark)\(count)\(mark)".utf8)
      copied = end
    }
    return String(decoding: numbered + source[copied...], as: UTF8.self)
  }

  /// A text without its numbers.
  static func plain(_ text: String) -> String {
    let parts = text.unicodeScalars.split(separator: mark, omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined()
  }

  /// The place of the number of a key; `nil` where a colon follows no key.
  private static func endOfKey(before colon: Int, in source: [UInt8]) -> Int? {
    var end = colon
    while end > 0, " \t".utf8.contains(source[end - 1]) { end -= 1 }
    let isQuoted = end > 0 && "\"'".utf8.contains(source[end - 1])
    if isQuoted { end -= 1 }
    let isSeparate = colon + 1 == source.count || " \t\r\n".utf8.contains(source[colon + 1])
    guard isQuoted || isSeparate, end > 0, !" \t\r\n\"'{}[],:?".utf8.contains(source[end - 1]) else { return nil }
    return end
  }
}
