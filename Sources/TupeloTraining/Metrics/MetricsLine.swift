/// Reads one line of metrics.jsonl: a flat JSON object of numbers.
///
/// Stricter than JSON where that would hide a mistake (a key given twice, a text or a list as a value), and not further: `null` is
/// how other writers say that there is no number. Nothing recurses, and each byte is looked at a bounded number of times.
struct MetricsLine {
  typealias Problem = MetricsError.LineProblem

  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// The record of a line without its line break.
  static func record(_ bytes: ArraySlice<UInt8>) throws(Problem) -> MetricsRecord {
    var line = MetricsLine(bytes)
    return try line.readRecord()
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  private mutating func readRecord() throws(Problem) -> MetricsRecord {
    var values: [String: Double] = [:]
    var empty: Set<String> = []
    skipSpace()
    try take("{")
    skipSpace()
    if peek != UInt8(ascii: "}") {
      while true {
        let key = try readString()
        guard values[key] == nil, !empty.contains(key) else { throw .repeated(key: key) }
        skipSpace()
        try take(":")
        skipSpace()
        if let value = try readValue(of: key) { values[key] = value } else { empty.insert(key) }
        skipSpace()
        guard peek == UInt8(ascii: ",") else { break }
        index += 1
        skipSpace()
      }
    }
    try take("}")
    skipSpace()
    guard index == bytes.endIndex else { throw expected("the end of the line") }
    return try Self.record(values)
  }

  private static func record(_ values: [String: Double]) throws(Problem) -> MetricsRecord {
    var tags = values
    func take(_ key: String) throws(Problem) -> Double {
      guard let value = tags.removeValue(forKey: key) else { throw .missing(key: key) }
      return value
    }
    func takeCounter(_ key: String) throws(Problem) -> Int {
      guard let count = Int(exactly: try take(key)), (0...MetricsRecord.counterLimit).contains(count) else {
        throw .notACounter(key: key)
      }
      return count
    }
    typealias Key = MetricsRecord.Key
    let (games, moves) = (try takeCounter(Key.games), try takeCounter(Key.moves))
    let (seconds, time) = (try take(Key.seconds), try take(Key.time))
    return MetricsRecord(games: games, moves: moves, seconds: seconds, time: time, values: tags)
  }

  private var peek: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private func expected(_ what: String) -> Problem {
    .expected(what, column: index - bytes.startIndex + 1)
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0d { index += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) throws(Problem) {
    guard peek == UInt8(ascii: character) else { throw expected("'\(character)'") }
    index += 1
  }
}

extension MetricsLine {
  /// A number, or `nil` for null.
  private mutating func readValue(of key: String) throws(Problem) -> Double? {
    let null = Array("null".utf8)
    if bytes[index...].starts(with: null) {
      index += null.count
      return nil
    }
    let start = index
    if peek == UInt8(ascii: "-") { index += 1 }
    let whole = skipDigits()
    guard whole > 0, whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else { throw .notANumber(key: key) }
    if peek == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() > 0 else { throw .notANumber(key: key) }
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      guard skipDigits() > 0 else { throw .notANumber(key: key) }
    }
    guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else {
      throw .notANumber(key: key)
    }
    guard value.isFinite else { throw .notFinite(key: key) }
    return value
  }

  /// How many there were.
  private mutating func skipDigits() -> Int {
    let start = index
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
    return index - start
  }

  private mutating func readString() throws(Problem) -> String {
    let start = index
    guard peek == UInt8(ascii: "\"") else { throw expected("a key in quotation marks") }
    index += 1
    var text: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw expected("the rest of a key") }
      index += 1
      if byte == UInt8(ascii: "\\") {
        try readEscape(into: &text)
      } else {
        text.append(byte)
      }
    }
    try take("\"")
    guard let key = String(validating: text, as: UTF8.self) else {
      throw .notUTF8(column: start - bytes.startIndex + 1)
    }
    return key
  }

  private mutating func readEscape(into text: inout [UInt8]) throws(Problem) {
    guard let letter = peek else { throw expected("an escape") }
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var unit = try readHex()
      if unit >> 10 == 0x36 {
        try take("\\")
        try take("u")
        let low = try readHex()
        guard low >> 10 == 0x37 else { throw expected("a surrogate pair before here") }
        unit = 0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff
      }
      guard let scalar = Unicode.Scalar(unit) else { throw expected("a surrogate pair before here") }
      text.append(contentsOf: String(Character(scalar)).utf8)
    default: throw expected("an escape that JSON knows before here")
    }
  }

  private mutating func readHex() throws(Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw expected("four hex digits")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
