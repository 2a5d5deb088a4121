import TestSupport
import Testing
import TupeloEngine

@Suite struct TextTests {
  @Test(arguments: allShapes) func notationsReadBack(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 6, shape: shape)
    for _ in 0..<200 {
      let matrix = positions.matrix(largest: 17)
      let reference = ReferenceBoard(matrix.map { $0.map { $0 == 0 ? 0 : 1 << $0 } })
      let board = reference.engineBoard
      let hex = matrix.joined().map { String($0, radix: 18) }.joined()
      #expect(board.hex(in: shape) == hex && reference.engineAfterstate.hex(in: shape) == hex)
      #expect(try Board(hex: hex, shape: shape) == board)
      #expect(try Board(hex: hex.uppercased(), shape: shape) == board)
      #expect(try Board(text: hex, shape: shape) == board)
      #expect(board.tiles(in: shape) == reference.tiles)
      #expect(try Board(tiles: reference.tiles, shape: shape) == board)
      let flat = reference.tiles.joined().map(String.init)
      let rowByRow = reference.tiles.map { $0.map(String.init).joined(separator: "\t") }.joined(separator: " /\n")
      for text in [flat.joined(separator: " "), flat.joined(separator: ", "), "\(reference.tiles)", rowByRow] {
        #expect(try Board(numbers: text, shape: shape) == board)
        #expect(try Board(text: text, shape: shape) == board)
      }
      #expect(try Board(exponents: matrix.flatMap { $0 }, shape: shape) == board)
    }
  }

  /// Boards with every tile that a page must be able to draw, made from a matrix.
  @Test func boardsCanBeGivenAsNumbers() throws {
    let tiles = [[0, 2, 4, 8], [16, 32, 64, 128], [256, 512, 1024, 2048], [4096, 8192, 16384, 32768]]
    #expect(try Board(numbers: "\(tiles)").hex() == "0123456789abcdef")
    #expect(try Board(tiles: tiles).hex() == "0123456789abcdef")
    #expect(try Board(text: "0123456789abcdef").tiles() == tiles)
  }

  @Test func drawsATable() throws {
    #expect(
      try Board(hex: "120000000000000h").drawing() == """
        +------+------+------+------+
        |     2|     4|      |      |
        |      |      |      |      |
        |      |      |      |      |
        |      |      |      |131072|
        +------+------+------+------+
        """)
    let shape = try BoardShape(rows: 2, columns: 3)
    #expect(
      try Board(hex: "1b0f00", shape: shape).drawing(in: shape) == """
        +------+------+------+
        |     2|  2048|      |
        | 32768|      |      |
        +------+------+------+
        """)
  }

  private static let zeros = String(repeating: " 0", count: 15)

  @Test(
    arguments: [
      ("12", BoardTextError.wrongCount(found: 2, expected: 16, what: .digits)),
      ("", .wrongCount(found: 0, expected: 16, what: .digits)),
      ("1234567890abcdefg", .wrongCount(found: 17, expected: 16, what: .digits)),
      ("000000000000000i", .badDigit("i", position: 16)),
      ("Z000000000000000", .badDigit("Z", position: 1)),
      ("0e\u{301}00000000000000", .badDigit("e\u{301}", position: 2)),
      ("2 4 8", .wrongCount(found: 3, expected: 16, what: .numbers)),
      (" / ", .wrongCount(found: 0, expected: 16, what: .numbers)),
      ("0 0" + zeros, .wrongCount(found: 17, expected: 16, what: .numbers)),
      ("3" + zeros, .badNumber("3", position: 1)),
      ("1" + zeros, .badNumber("1", position: 1)),
      ("-2" + zeros, .badNumber("-2", position: 1)),
      ("2.0" + zeros, .badNumber("2.0", position: 1)),
      ("262144" + zeros, .badNumber("262144", position: 1)),
      ("99999999999999999999" + zeros, .badNumber("99999999999999999999", position: 1)),
      ("-9223372036854775808" + zeros, .badNumber("-9223372036854775808", position: 1)),
      ("0 x" + zeros.dropLast(2), .badNumber("x", position: 2)),
    ] as [(String, BoardTextError)])
  func saysWhatIsWrong(_ text: String, _ expected: BoardTextError) {
    #expect(throws: expected) { try Board(text: text) }
  }

  @Test func errorsHaveTexts() {
    for (error, text) in [
      (.wrongCount(found: 2, expected: 16, what: .digits), "a board has 16 hex digits, this has 2"),
      (.wrongCount(found: 3, expected: 16, what: .numbers), "a board has 16 numbers, this has 3"),
      (.badDigit("i", position: 16), "'i' at position 16 is not a tile: use 0 (empty), 1 (2) to f (32768), g "),
      (.badNumber("3", position: 1), "'3' at position 1 is not a tile: use 0 or a power of two from 2 to 131072"),
    ] as [(BoardTextError, String)] { #expect(matches(error.description, text)) }
  }

  /// Errors of forms that the caller names, and of other shapes.
  @Test func saysWhatIsWrongElsewhere() throws {
    let shape = try BoardShape(rows: 2, columns: 3)
    #expect(throws: BoardTextError.wrongCount(found: 16, expected: 6, what: .digits)) {
      try Board(hex: "0000000000000000", shape: shape)
    }
    #expect(throws: BoardTextError.badDigit(" ", position: 2)) { try Board(hex: "0 0000", shape: shape) }
    #expect(throws: BoardTextError.wrongCount(found: 1, expected: 6, what: .numbers)) {
      try Board(numbers: "000000", shape: shape)
    }
    #expect(throws: BoardTextError.wrongCount(found: 5, expected: 6, what: .numbers)) {
      try Board(exponents: [1, 2, 3, 4, 5], shape: shape)
    }
    for exponent in [18, -1, .max, .min] {
      let error = #expect(throws: BoardTextError.self) {
        try Board(exponents: [0, 0, 0, 0, 0, exponent], shape: shape)
      }
      #expect(error == .exponentOutOfRange(exponent))
      #expect(error?.description == "exponent \(exponent) is not a tile: use 0 (empty) to 17 (131072)")
    }
  }

  /// Rows of tiles that are not a board: of another size, or with numbers that are not tiles.
  @Test func saysWhatIsWrongWithTiles() throws {
    func complaint(_ tiles: [[Int]], _ shape: BoardShape = .standard) -> String? {
      #expect(throws: BoardTextError.self) { try Board(tiles: tiles, shape: shape) }?.description
    }
    let row = [0, 0, 0, 0]
    #expect(complaint([]) == "a board has 4 rows, this has 0")
    #expect(complaint([row, row, row, row, row]) == "a board has 4 rows, this has 5")
    #expect(complaint([row, [], row, row]) == "a row of the board has 4 tiles, row 2 has 0")
    #expect(complaint([row, row, row, row + [2]]) == "a row of the board has 4 tiles, row 4 has 5")
    let small = try BoardShape(rows: 2, columns: 3)
    #expect(complaint([row, row], small) == "a row of the board has 3 tiles, row 1 has 4")
    for value in [1, 3, 6, -2, 262_144, .max, .min] {
      #expect(
        complaint([row, [0, value, 0, 0], row, row])
          == "'\(value)' at position 6 is not a tile: use 0 or a power of two from 2 to 131072")
    }
  }

  /// A text of any kind is read as a board or refused with an error.
  @Test func anyTextIsBoardOrError() {
    var random = RandomStream(seed: 55)
    let alphabet = Array("0123456789abcdefghi  ,/-+.xZé\u{301}²\n[]")
    var boards = 0
    for round in 0..<10_000 {
      // The text has digits alone, digits with one error, or any characters.
      var text = (0..<16).map { _ in alphabet[random.next(below: round % 3 == 0 ? alphabet.count : 18)] }
      if round % 3 == 1 { text[random.next(below: 16)] = alphabet[random.next(below: alphabet.count)] }
      if (try? Board(text: String(text))) != nil { boards += 1 }
    }
    #expect(boards > 4000 && boards < 9000)
  }
}
