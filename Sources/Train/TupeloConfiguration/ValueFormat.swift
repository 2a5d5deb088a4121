internal import TupeloBase
internal import TupeloEngine
internal import TupeloModels
internal import TupeloNetwork

/// The format of a key's values: how they are read, described and written.
struct ValueFormat<Value: Sendable>: Sendable {
  /// The allowed values in words, to follow "give": `a number above 0, at most 1`.
  let expected: String
  let read: @Sendable (ConfigurationValue) throws(ValueRefusal) -> Value
  /// Whether YAML needs quotation marks around the text, so that `012345` stays a text.
  var isQuoted = false
  /// The text of a value, as `read` accepts it; `nil` for no value.
  let text: @Sendable (Value) -> String?

  /// A value in a form that `read` accepts.
  func value(_ value: Value) -> ConfigurationValue { text(value).map { .text($0) } ?? .null }

  /// The YAML of a value.
  func write(_ value: Value) -> String {
    text(value).map { isQuoted ? YAMLText.quoted($0) : $0 } ?? "null"
  }
}

extension ValueFormat where Value: FixedWidthInteger {
  /// A whole number, also written 100k, 2M, 1_000 or 1e6.
  static func wholeNumber(_ range: ClosedRange<Value>) -> Self {
    Self(
      expected: "a whole number from \(shown(range.lowerBound)) to \(shown(range.upperBound))",
      read: { (value) throws(ValueRefusal) in
        let text = try value.scalar()
        guard let decimal = DecimalText(text) else { throw .notANumber(text) }
        guard decimal.isWhole else { throw .notWhole(text) }
        guard let number = decimal.whole(as: Value.self), range.contains(number) else {
          throw .notAllowed(text, nearest: nil)
        }
        return number
      },
      text: { "\($0)" })
  }

  /// A bound as text. Long powers of ten are easier to read as powers.
  private static func shown(_ bound: Value) -> String {
    let digits = "\(bound)"
    return digits.count > 6 && digits.dropFirst().allSatisfy { $0 == "0" } && digits.first == "1"
      ? "10^\(digits.count - 1)" : digits
  }
}

extension ValueFormat where Value: BinaryFloatingPoint & LosslessStringConvertible {
  static func number(_ range: ClosedRange<Value>) -> Self {
    number("a number from \(short(range.lowerBound)) to \(short(range.upperBound))") {
      range.contains($0)
    }
  }

  static func number(above lower: Value, atMost upper: Value) -> Self {
    number("a number above \(short(lower)), at most \(short(upper))") { $0 > lower && $0 <= upper }
  }

  private static func short(_ bound: Value) -> String {
    Int(exactly: bound).map(String.init) ?? "\(bound)"
  }

  private static func number(_ expected: String, where isAllowed: @escaping @Sendable (Value) -> Bool) -> Self {
    Self(
      expected: expected,
      read: { (value) throws(ValueRefusal) in
        let text = try value.scalar()
        guard let number = DecimalText(text)?.rounded(to: Value.self) else { throw .notANumber(text) }
        guard isAllowed(number) else { throw .notAllowed(text, nearest: nil) }
        return number == 0 ? 0 : number
      },
      text: { YAMLText.number($0) })
  }
}

extension ValueFormat where Value: Equatable {
  /// One of a few words.
  static func choice(_ choices: [(word: String, value: Value)]) -> Self {
    let words = choices.map(\.word)
    return Self(
      expected: Spelling.list(words),
      read: { (value) throws(ValueRefusal) in
        let text = try value.scalar()
        guard let index = words.firstIndex(of: text) else {
          throw .notAllowed(text, nearest: Spelling.nearest(to: text, among: words))
        }
        return choices[index].value
      },
      text: { value in choices.first { $0.value == value }?.word ?? "\(value)" })
  }
}

extension ValueFormat where Value: Equatable & CaseIterable & RawRepresentable<String> {
  /// One of the cases, by its raw value.
  static var cases: Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension ValueFormat where Value == GameKind {
  /// A game, by its name.
  static func games(_ games: [GameKind]) -> Self { choice(games.map { ($0.name, $0) }) }
}

extension ValueFormat where Value == String {
  /// A name whose characters every file system allows in a folder's name.
  static var name: Self {
    Self(
      expected: "a name of at most 100 letters, digits and . _ + -",
      read: { (value) throws(ValueRefusal) in
        let text = try value.scalar()
        guard text.utf8.count <= 100, text.utf8.allSatisfy(NameText.isFit) else {
          throw .notAllowed(text, nearest: nil)
        }
        return text
      },
      isQuoted: true, text: { $0 })
  }
}

extension ValueFormat where Value == String? {
  /// A path, or null for a default path.
  static var folder: Self { path("the path of a folder, or null") }

  /// A path, or null for no file.
  static var file: Self { path("the path of a file, or null") }

  /// A line for the shell, or null for no command.
  static var command: Self { path("a shell command, or null") }

  private static func path(_ expected: String) -> Self {
    Self(
      expected: expected,
      read: { (value) throws(ValueRefusal) in
        if case .null = value { return nil }
        let text = try value.scalar()
        // No system call accepts the NUL byte, and YAML readers drop the byte order mark.
        guard !text.utf8.contains(0), text.unicodeScalars.first != "\u{feff}" else {
          throw .notAllowed(text, nearest: nil)
        }
        return text
      },
      isQuoted: true, text: { $0 })
  }
}

extension ValueFormat where Value == NamedLayout {
  static var layout: Self {
    let choice = ValueFormat<String>.choice(NamedLayout.all.map { ($0.name, $0.name) })
    return Self(
      expected: choice.expected,
      read: { (value) throws(ValueRefusal) in
        let name = try choice.read(value)
        guard let layout = NamedLayout.named(name) else { throw .notAllowed(name, nearest: nil) }
        return layout
      },
      isQuoted: true, text: { $0.name })
  }
}

extension ValueFormat {
  /// A value, or a word that means no value.
  static func either<Wrapped>(_ word: String, or format: ValueFormat<Wrapped>) -> Self where Value == Wrapped? {
    Self(
      expected: "\(format.expected), or \(word)",
      read: { (value) throws(ValueRefusal) in
        if case .text(word) = value { return nil }
        return try format.read(value)
      },
      text: { $0.map(format.write) ?? word })
  }
}

/// The text of a pattern whose board is not known yet, and its source if it is known.
struct PatternText: Hashable, Sendable {
  var text: String
  var source: ConfigurationError.Source?
}

extension ValueFormat where Value == [PatternText] {
  /// A list of patterns, or one text with spaces or commas.
  static var patterns: Self {
    Self(
      expected: "a list of patterns, or one text such as \"012345 456789\"",
      read: { (value) throws(ValueRefusal) in
        guard case .list(let items) = value else {
          return try value.scalar().split { $0.isWhitespace || $0 == "," }.map { PatternText(text: String($0)) }
        }
        var patterns: [PatternText] = []
        for item in items {
          guard let text = item.text else { throw .listEntry }
          patterns.append(PatternText(text: text, source: item.source))
        }
        return patterns
      },
      isQuoted: true, text: { $0.map(\.text).joined(separator: " ") })
  }
}
