/// Why a text, or a list of tiles, is not a board.
public enum BoardTextError: Error, Hashable, Sendable {
  /// The notation that the text was read as.
  public enum Form: String, Sendable {
    case digits = "hex digits"
    case numbers
  }
  case wrongCount(found: Int, expected: Int, what: Form)
  case badDigit(Character, position: Int)
  case badNumber(String, position: Int)
  case exponentOutOfRange(Int)
  /// The number of rows of tiles differs from the number of rows of the shape.
  case wrongRowCount(found: Int, expected: Int)
  /// A row has too few or too many tiles; rows count from 1.
  case wrongRowLength(row: Int, found: Int, expected: Int)
}

extension BoardTextError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .wrongCount(let found, let expected, let form):
      "a board has \(expected) \(form.rawValue), this has \(found)"
    case .badDigit(let digit, let position):
      "'\(String(digit).shown)' at position \(position) is not a tile: use 0 (empty), 1 (2) to f (32768), g (65536), h "
        + "(131072)"
    case .badNumber(let number, let position):
      "'\(number)' at position \(position) is not a tile: use 0 or a power of two from 2 to 131072"
    case .exponentOutOfRange(let exponent):
      "exponent \(exponent) is not a tile: use 0 (empty) to 17 (131072)"
    case .wrongRowCount(let found, let expected):
      "a board has \(expected) rows, this has \(found)"
    case .wrongRowLength(let row, let found, let expected):
      "a row of the board has \(expected) tiles, row \(row) has \(found)"
    }
  }
}

extension Board {
  /// Reads one digit per cell, row by row from the top left: `0` empty, `1` = 2, ..., `f` = 32768, `g` = 65536, `h` =
  /// 131072. Upper case is accepted.
  public init(hex text: some StringProtocol, shape: BoardShape = .standard) throws(BoardTextError) {
    guard text.count == shape.cellCount else {
      throw .wrongCount(found: text.count, expected: shape.cellCount, what: .digits)
    }
    var exponents: [Int] = []
    for (index, digit) in text.enumerated() {
      guard let exponent = TileDigit.exponent(of: digit) else { throw .badDigit(digit, position: index + 1) }
      exponents.append(exponent)
    }
    try self.init(exponents: exponents, shape: shape)
  }

  /// Reads the tiles as numbers, row by row, such as `0 2 4 8 / ...` or `[[0, 2], [4, 8]]`. Any character that is not a
  /// digit, letter, sign or point separates them.
  public init(numbers text: some StringProtocol, shape: BoardShape = .standard) throws(BoardTextError) {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "+") }
    guard words.count == shape.cellCount else {
      throw .wrongCount(found: words.count, expected: shape.cellCount, what: .numbers)
    }
    var exponents: [Int] = []
    for (index, word) in words.enumerated() {
      guard let exponent = Int(word).flatMap({ Self.exponent(ofTile: $0) }) else {
        throw .badNumber(String(word), position: index + 1)
      }
      exponents.append(exponent)
    }
    try self.init(exponents: exponents, shape: shape)
  }

  /// Reads either notation: numbers if the text has any separator, otherwise digits.
  public init(text: some StringProtocol, shape: BoardShape = .standard) throws(BoardTextError) {
    if text.contains(where: { !($0.isLetter || $0.isNumber) }) {
      try self.init(numbers: text, shape: shape)
    } else {
      try self.init(hex: text, shape: shape)
    }
  }
}

extension TileGrid {
  /// The board as hex digits: one digit per cell, row by row from the top left.
  public func hex(in shape: BoardShape = .standard) -> String {
    String(shape.cells.map { TileDigit.digit(of: exponent(at: $0)) })
  }

  /// The values of the tiles, one array per row from the top: 0 for an empty cell. `Board(tiles:shape:)` reads them.
  public func tiles(in shape: BoardShape = .standard) -> [[Int]] {
    (0..<shape.rows).map { row in (0..<shape.columns).map { tile(at: row * 4 + $0) } }
  }

  /// A drawing in plain text, one line per row of tiles, framed.
  public func drawing(in shape: BoardShape = .standard) -> String {
    let rule = "+" + String(repeating: "------+", count: shape.columns)
    let rows = tiles(in: shape).map { row in
      row.reduce("|") { line, tile in
        let number = tile == 0 ? "" : String(tile)
        return line + String(repeating: " ", count: 6 - number.count) + number + "|"
      }
    }
    return ([rule] + rows + [rule]).joined(separator: "\n")
  }
}

/// The digit of a tile in board notation.
enum TileDigit {
  private static let digits = Array("0123456789abcdefgh")

  static func digit(of exponent: Int) -> Character { digits[exponent] }

  static func exponent(of digit: Character) -> Int? {
    guard let lower = digit.lowercased().first else { return nil }
    return digits.firstIndex(of: lower)
  }
}
