internal import TupeloBase
public import TupeloNetwork

/// A value from a source, before its key checks it.
enum ConfigurationValue: Equatable {
  /// The characters of a scalar, without a type of YAML.
  case text(String)
  case null
  /// The texts of the entries; `nil` for an entry that is not a scalar.
  case list([String?])
  case mapping

  /// A value from text without quotes, as files, the environment and the command line give it.
  init(plain text: String) {
    self = ["null", "Null", "NULL", "~"].contains(text) ? .null : .text(text)
  }

  var isNull: Bool { self == .null }

  /// Whether the value is 0, or an empty list.
  var isZero: Bool { if case .text(let text) = self { Double(text) == 0 } else { self == .list([]) } }

  /// The text of a scalar.
  ///
  /// - Throws: `ValueRefusal` for a list, a mapping, no value or an empty text.
  func scalar() throws(ValueRefusal) -> String {
    switch self {
    case .text(""): throw .empty
    case .text(let text): return text
    case .null: throw .noValue
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
    let words = entries.compactMap(\.self)
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
  case notAllowed(String, nearest: String?)
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
