internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

/// The format of a key's values: how they are read, checked, described and written.
struct ValueFormat<Value: Sendable>: Sendable {
  /// The allowed values in words, to follow "give": `a number above 0, at most 1`.
  let expected: String
  /// The text of a value, as `read` accepts it. Quotation marks make sure that `012345` stays a text.
  var write: @Sendable (Value) -> ConfigurationValue = { .plain("\($0)") }
  /// Reads a value, or throws the reason why it is not allowed.
  let read: @Sendable (ConfigurationValue) throws(ValueRefusal) -> Value
}

// MARK: Numbers

extension ValueFormat where Value: FixedWidthInteger {
  /// A whole number, also written 100k, 2M, 1_000 or 1e6.
  ///
  /// - Parameters:
  ///   - kind: what the numbers are
  ///   - isFit: whether a number of the range is allowed
  static func whole(
    _ range: ClosedRange<Value>, _ kind: String = "a whole number",
    where isFit: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) -> Self {
    // Long powers of ten are easier to read as powers.
    let expected = "\(kind) from \(range.lowerBound) to \(range.upperBound)"
      .replacing(/\b1(0{6,})\b/) { "10^\($0.1.count)" }
    return Self(expected: expected) { (value) throws(ValueRefusal) in
      let text = try value.scalar()
      guard let decimal = DecimalText(text) else { throw .notANumber(text) }
      guard decimal.isWhole else { throw .notWhole(text) }
      guard let number = decimal.whole(as: Value.self), range.contains(number), isFit(number) else {
        throw .notAllowed(text)
      }
      return number
    }
  }
}

extension ValueFormat where Value: BinaryFloatingPoint & LosslessStringConvertible {
  static func number(_ range: ClosedRange<Value>) -> Self {
    number("a number from \(short(range.lowerBound)) to \(short(range.upperBound))", range.contains)
  }

  static func number(above lower: Value, atMost upper: Value) -> Self {
    number("a number above \(short(lower)), at most \(short(upper))") { $0 > lower && $0 <= upper }
  }

  private static func short(_ bound: Value) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }

  private static func number(_ expected: String, _ isAllowed: @escaping @Sendable (Value) -> Bool) -> Self {
    Self(expected: expected, write: { .plain(YAMLText.number($0)) }) { (value) throws(ValueRefusal) in
      let text = try value.scalar()
      guard let number = DecimalText(text)?.rounded(to: Value.self) else { throw .notANumber(text) }
      guard isAllowed(number) else { throw .notAllowed(text) }
      return number == 0 ? 0 : number
    }
  }
}

extension ValueFormat where Value == Int? {
  /// A number of steps, or all steps of an episode.
  static func steps(_ range: ClosedRange<Int>) -> Self {
    let number = ValueFormat<Int>.whole(range)
    return Self(expected: "\(number.expected), or episode", write: { .plain($0.map { "\($0)" } ?? "episode") }) {
      (value) throws(ValueRefusal) in value.text == "episode" ? nil : try number.read(value)
    }
  }
}

extension ValueFormat where Value == AveragingWindow {
  static var averagingWindow: Self {
    let (merges, percent) = (ValueFormat<Int>.whole(1...1_000_000), ValueFormat<Float>.number(above: 0, atMost: 100))
    return Self(
      expected: "a percentage such as 15%, or a whole number of merges",
      write: { window in
        switch window {
        case .merges(let count): merges.write(count)
        case .part(let part): .plain(percent.write(part).yaml + "%")
        }
      }
    ) { (value) throws(ValueRefusal) in
      let text = try value.scalar()
      guard text.hasSuffix("%") else { return .merges(try merges.read(value)) }
      let number = String(text.dropLast())
      if let share = DecimalText(number)?.rounded(to: Float.self), share > 100 { throw .moreThanTheRun(text) }
      return .part(percent: try percent.read(.quoted(number)))
    }
  }
}

// MARK: Words

extension ValueFormat {
  /// One of a few words.
  static func choice(_ choices: [(word: String, value: Value)]) -> Self where Value: Equatable {
    let words = choices.map(\.word)
    return Self(
      expected: Spelling.list(words),
      write: { value in .plain(choices.first { $0.value == value }?.word ?? "\(value)") }
    ) { (value) throws(ValueRefusal) in
      let text = try value.scalar()
      if let choice = choices.first(where: { $0.word == text }) { return choice.value }
      throw .notAllowed(text, nearest: Spelling.nearest(to: text, among: words))
    }
  }
}

extension ValueFormat where Value: CaseIterable & RawRepresentable<String> & Equatable {
  /// One of the cases, by its raw value.
  static var cases: Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension ValueFormat where Value == StagePartition {
  static var stages: Self {
    Self(expected: "single, or stages such as largest=16384, sum=8192,16384 or present=8192,16384") {
      (value) throws(ValueRefusal) in
      let text = try value.scalar()
      do throws(StagePartitionError) { return try StagePartition(text: text) } catch { throw .stages(error) }
    }
  }
}

extension ValueFormat where Value == String {
  /// A name whose characters every file system allows in a folder's name.
  static var name: Self {
    Self(expected: "a name of at most 100 letters, digits and . _ + -", write: { .quoted($0) }) {
      (value) throws(ValueRefusal) in
      let text = try value.scalar()
      guard text.utf8.count <= 100, text.utf8.allSatisfy(NameText.isFit) else { throw .notAllowed(text) }
      return text
    }
  }
}

extension ValueFormat where Value == String? {
  /// A word or number whose meaning another program knows; null for none.
  static var word: Self {
    Self(
      expected: "a word or number",
      write: { text in
        guard let text else { return .plain("null") }
        let isPlain = text.first?.isLetter == true && text.utf8.allSatisfy(NameText.isFit) || DecimalText(text) != nil
        return isPlain && !ConfigurationValue.plain(text).isNull ? .plain(text) : .quoted(text)
      }
    ) { (value) throws(ValueRefusal) in
      if value.isNull { return nil }
      let text = try value.scalar()
      guard text.utf8.count <= 200, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
        throw .notAllowed(text)
      }
      return text
    }
  }

  /// A path of a folder or file, or a line for the shell; null for no such text. No system call accepts the NUL byte,
  /// and YAML readers drop the byte order mark.
  static func optional(_ kind: String) -> Self {
    Self(expected: "\(kind), or null", write: { $0.map { .quoted($0) } ?? .plain("null") }) {
      (value) throws(ValueRefusal) in
      guard !value.isNull else { return nil }
      let text = try value.scalar()
      guard !text.utf8.contains(0), text.unicodeScalars.first != "\u{feff}" else { throw .notAllowed(text) }
      return text
    }
  }
}

// MARK: Lists in YAML, or one text with spaces or commas

extension ValueFormat where Value == [String] {
  static var patterns: Self {
    Self(
      expected: "a list of patterns, or one text such as \"012345 456789\"",
      write: { .quoted($0.joined(separator: " ")) }
    ) { (value) throws(ValueRefusal) in try value.words() }
  }
}

extension ValueFormat where Value == [Int] {
  static func wholes(_ range: ClosedRange<Int>) -> Self {
    list("a list of whole numbers from \(range.lowerBound) to \(range.upperBound)", of: .whole(range))
  }
}

extension ValueFormat where Value == [StepSizeSchedule.Change] {
  /// A list of `games=alpha`, ascending.
  static var alphaSchedule: Self {
    let games = ValueFormat<Int>.whole(1...1_000_000_000_000)
    let alpha = ValueFormat<Float>.number(above: 0, atMost: 1)
    let change = ValueFormat<StepSizeSchedule.Change>(
      expected: "games=alpha", write: { .plain("\(games.write($0.games).yaml)=\(alpha.write($0.alpha).yaml)") }
    ) { (value) throws(ValueRefusal) in
      let text = try value.scalar()
      let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw .notAllowed(text) }
      return .init(games: try games.read(.quoted(parts[0])), alpha: try alpha.read(.quoted(parts[1])))
    }
    let expected = "a list of games=alpha in ascending order, such as [500k=0.1, 750k=0.01]"
    return list(expected, of: change) { $0.games < $1.games }
  }
}

extension ValueFormat {
  /// - Parameter isBefore: whether an entry may stand directly before another one
  private static func list<Entry>(
    _ expected: String, of entry: ValueFormat<Entry>,
    _ isBefore: @escaping @Sendable (Entry, Entry) -> Bool = { _, _ in true }
  ) -> Self where Value == [Entry] {
    Self(expected: expected, write: { .plain("[" + $0.map { entry.write($0).yaml }.joined(separator: ", ") + "]") }) {
      (value) throws(ValueRefusal) in
      var list: [Entry] = []
      for word in try value.words() {
        let next = try entry.read(.quoted(word))
        if let last = list.last, !isBefore(last, next) { throw .notAllowed(word) }
        list.append(next)
      }
      return list
    }
  }
}
