internal import PlainText

/// The keys and values of an agent specification. Each value is checked when it is read.
struct AgentArguments {
  private let name: AgentName
  private var values: [AgentKey: String] = [:]

  /// - Parameter arguments: each is `key: value`.
  init(_ arguments: [Substring], of name: AgentName) throws(AgentSpecificationError) {
    self.name = name
    for argument in arguments {
      let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(AgentSpecification.trimmed($0)) }
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .notAPair(String(AgentSpecification.trimmed(argument)))
      }
      guard let key = AgentKey(rawValue: parts[0]), name.keys.contains(key) else {
        throw .unknownKey(
          parts[0], of: name, nearest: Spelling.nearest(to: parts[0], among: name.keys.map(\.rawValue)))
      }
      guard values.updateValue(parts[1], forKey: key) == nil else { throw .repeated(key) }
    }
  }

  /// A whole number in the key's range; `nil` when the key is not there.
  func integer(_ key: AgentKey) throws(AgentSpecificationError) -> Int? {
    guard let text = values[key] else { return nil }
    let isTile = key == .downgrade
    guard let value = Int(text), key.range.contains(value), !isTile || value.nonzeroBitCount == 1 else {
      throw .badValue(text, of: key, expected: key.expected)
    }
    return value
  }

  /// A number above 0 and below 1.
  func probability(_ key: AgentKey) throws(AgentSpecificationError) -> Double? {
    guard let text = values[key] else { return nil }
    guard let value = Double(text), value > 0, value < 1 else {
      throw .badValue(text, of: key, expected: key.expected)
    }
    return value
  }

  /// One of a few words.
  func word<Word: RawRepresentable<String> & CaseIterable & Equatable>(
    _ key: AgentKey, default standard: Word
  ) throws(AgentSpecificationError) -> Word {
    guard let text = values[key] else { return standard }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    throw .badValue(text, of: key, expected: key.expected, nearest: Spelling.nearest(to: text, among: words))
  }
}
