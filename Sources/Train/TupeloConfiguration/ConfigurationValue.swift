internal import TupeloBase
public import TupeloNetwork

/// A value from a source, before its key checks it.
enum ConfigurationValue: Sendable {
  /// A text without quotation marks, which may say `null`.
  case plain(String)
  case quoted(String)
  case list([YAMLNode])
  case mapping([(key: YAMLNode, value: YAMLNode)])

  /// A value from the environment or the command line, where an empty text is not `null`.
  init(said text: String) { self = text.isEmpty ? .quoted(text) : .plain(text) }

  var isNull: Bool {
    if case .plain(let text) = self { ["", "null", "Null", "NULL", "~"].contains(text) } else { false }
  }

  /// The text of a scalar, whatever it says; `nil` for a collection.
  var text: String? {
    switch self {
    case .plain(let text), .quoted(let text): text
    case .list, .mapping: nil
    }
  }

  /// The YAML text of a scalar.
  var yaml: String { if case .quoted(let text) = self { YAMLText.quoted(text) } else { text ?? "" } }

  /// Whether the value is 0, or an empty list.
  var isZero: Bool { if case .list(let entries) = self { entries.isEmpty } else { text.flatMap(Double.init) == 0 } }

  /// The text of a scalar.
  ///
  /// - Throws: `ValueRefusal` for a list, a mapping, no value or an empty text.
  func scalar() throws(ValueRefusal) -> String {
    switch self {
    case .plain where isNull: throw .noValue
    case .quoted(""): throw .empty
    case .plain(let text), .quoted(let text): return text
    case .list: throw .list
    case .mapping: throw .mapping
    }
  }

  /// The entries of a list, or the words of one text. Brackets may enclose the text.
  func words() throws(ValueRefusal) -> [String] {
    guard case .list(let entries) = self else {
      var text = try scalar()[...]
      if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
      return text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    }
    let words = entries.compactMap(\.value.text)
    guard words.count == entries.count else { throw .listEntry }
    return words
  }
}

/// Why a key does not take a value.
public enum ValueRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  case noValue
  case empty
  case list
  case mapping
  /// An entry of a list is itself a list, a mapping or empty.
  case listEntry
  case notANumber(String)
  case notWhole(String)
  /// The value is well-formed, but out of range or not one of the choices.
  case notAllowed(String, nearest: String? = nil)
  /// A percentage of the run above 100.
  case moreThanTheRun(String)
  case stages(StagePartitionError)

  public var description: String {
    switch self {
    case .noValue: "has no value"
    case .empty: "is empty"
    case .list: "is a list"
    case .mapping: "is a mapping"
    case .listEntry: "has an entry that is not a text"
    case .notANumber(let text): "'\(Spelling.printable(text))' is not a number"
    case .notWhole(let text): "\(Spelling.printable(text)) is not a whole number"
    case .notAllowed(let text, _): "\(Spelling.printable(text)) is not allowed"
    case .moreThanTheRun(let text): "\(Spelling.printable(text)) is more than the whole run"
    case .stages(let error): Spelling.printable("\(error)", limit: 300)
    }
  }
}
