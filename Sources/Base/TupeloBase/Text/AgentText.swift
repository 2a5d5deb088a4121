/// An agent as people write it: a name, and in parentheses keys with their values, such as
/// `expectimax(plies: 3, table: 16)`.
///
/// All games share this grammar. Each game has its own names, keys and error type, given by `Failure`. A value is
/// checked when it is read.
package struct AgentText<Failure: AgentTextFailure> {
  package typealias Name = Failure.Name
  package typealias Key = Failure.Name.Key

  package let name: Name
  private var values: [Key: String] = [:]

  /// The largest number of UTF-8 bytes.
  private static var limit: Int { 500 }

  /// Reads the name and splits the settings. Spaces are ignored.
  ///
  /// - Throws: `Failure` for an unknown name or key, a repeated key, or a text of another form.
  package init(_ text: String) throws(Failure) {
    guard text.utf8.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
    let (word, arguments) = try Self.split(text)
    guard let name = Name(rawValue: word) else {
      let names = Name.allCases.map(\.rawValue)
      throw .unknownName(word, nearest: Name.meant(by: word) ?? Spelling.nearest(to: word, among: names))
    }
    self.name = name
    for argument in arguments {
      let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0.trimmed) }
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .notAPair(String(argument.trimmed))
      }
      guard let key = Key(rawValue: parts[0]), name.row.keys.contains(key) else {
        throw .unknownKey(
          parts[0], of: name, nearest: Spelling.nearest(to: parts[0], among: name.row.keys.map(\.rawValue)))
      }
      guard values.updateValue(parts[1], forKey: key) == nil else { throw .repeated(key) }
    }
  }

  /// The text of a value; `nil` when the key is not there.
  package subscript(key: Key) -> String? { values[key] }

  /// A whole number that the key's row allows; `nil` when the key is not there.
  package func integer(_ key: Key) throws(Failure) -> Int? {
    guard let text = values[key] else { return nil }
    guard let value = key.row.number(text) else {
      throw .badValue(text, of: key, expected: key.row.expected, nearest: nil)
    }
    return value
  }

  /// A number above 0 and below 1; `nil` when the key is not there.
  package func probability(_ key: Key) throws(Failure) -> Double? {
    guard let text = values[key] else { return nil }
    guard let value = Double(text), value > 0, value < 1 else {
      throw .badValue(text, of: key, expected: key.row.expected, nearest: nil)
    }
    return value
  }

  /// One of a few words; `standard` when the key is not there.
  package func word<Word: RawRepresentable<String> & CaseIterable>(
    _ key: Key, default standard: Word
  ) throws(Failure) -> Word {
    guard let text = values[key] else { return standard }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    throw .badValue(text, of: key, expected: Spelling.list(words), nearest: Spelling.nearest(to: text, among: words))
  }

  /// The canonical text of an agent: its settings in the order of its row, no parentheses without settings. A whole
  /// number that the row does not allow is written as the nearest one, so that the text can be read.
  ///
  /// - Parameter value: the text of a setting; `nil` for a setting that is not written
  package static func written(_ name: Name, _ value: (Key) -> String?) -> String {
    let settings = name.row.keys.compactMap { key in
      value(key).map { "\(key.rawValue): " + (Int($0).map { "\(key.row.nearest($0))" } ?? $0) }
    }
    return settings.isEmpty ? name.rawValue : "\(name.rawValue)(\(settings.joined(separator: ", ")))"
  }

  /// Splits a text into the name and the arguments in parentheses.
  private static func split(_ text: String) throws(Failure) -> (name: String, arguments: [Substring]) {
    let text = text[...].trimmed
    guard let open = text.firstIndex(of: "(") else { return (String(text), []) }
    let inner = text[text.index(after: open)...].dropLast()
    guard text.last == ")", !inner.contains(where: { $0 == "(" || $0 == ")" }) else { throw .badParentheses }
    let name = String(text[..<open].trimmed)
    guard !inner.trimmed.isEmpty else { throw .badParentheses }
    return (name, inner.split(separator: ",", omittingEmptySubsequences: false))
  }
}
