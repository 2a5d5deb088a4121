internal import TupeloBase
public import TupeloNetwork

/// A value from a source, before its key checks it.
enum ConfigurationValue {
  /// The characters of a scalar, without a type of YAML.
  case text(String)
  case null
  case list([Item])
  case mapping

  struct Item {
    /// The text of the entry; `nil` when it is not a scalar.
    let text: String?
    let source: ConfigurationError.Source
  }

  /// The words without quotes that mean "no value".
  static let nullWords: Set<String> = ["null", "Null", "NULL", "~"]

  /// A value from text without quotes, as the environment and the command line give it.
  init(plain text: String) {
    self = Self.nullWords.contains(text) ? .null : .text(text)
  }

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
}

/// Why a key does not take a value.
public enum ValueRefusal: Error, Hashable, Sendable {
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
    case .moreThanTheRun(let text): "\(Spelling.printable(text)) is more than the whole run"
    case .stages(let error): Spelling.printable("\(error)", limit: 300)
    }
  }
}
