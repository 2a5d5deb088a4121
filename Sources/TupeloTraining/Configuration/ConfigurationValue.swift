internal import PlainText

/// A value as its source gives it, before its key has judged it.
enum ConfigurationValue {
  /// The characters of a scalar, whatever YAML would take them for.
  case text(String)
  case null
  case list([Item])
  case mapping

  struct Item {
    /// `nil` when it is not a scalar.
    let text: String?
    let source: ConfigurationError.Source
  }

  /// What stands for "no value" without quotes.
  static let nullWords: Set<String> = ["null", "Null", "NULL", "~"]

  /// Text without quotes, as the environment and the command line give it.
  init(plain text: String) {
    self = Self.nullWords.contains(text) ? .null : .text(text)
  }

  /// - Throws: the refusal of anything but a scalar with characters in it.
  func scalar() throws(ValueRefusal) -> String {
    switch self {
    case .text(""): throw .empty
    case .text(let text): return text
    case .null: throw .noValue
    case .list: throw .list
    case .mapping: throw .mapping
    }
  }
}

/// Why a key does not take a value.
public enum ValueRefusal: Error, Hashable, Sendable {
  case noValue
  case empty
  case list
  case mapping
  /// An entry of a list is itself a list, a mapping or nothing.
  case listEntry
  case notANumber(String)
  case notWhole(String)
  /// Well-formed, but out of range or not one of the choices.
  case notAllowed(String, nearest: String?)
}

extension ValueRefusal: CustomStringConvertible {
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
    }
  }
}
