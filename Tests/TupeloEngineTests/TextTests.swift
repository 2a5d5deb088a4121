import TestSupport
import Testing
import TupeloEngine

@Suite struct TextTests {
  @Test(arguments: MoveTests.shapes) func notationsReadBack(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 6, shape: shape)
    for _ in 0..<100 {
      let matrix = positions.matrix(largest: 17)
      let board = try Board(exponents: matrix.flatMap { $0 }, shape: shape)
      #expect(try Board(hex: board.hex(in: shape), shape: shape) == board)
      #expect(try Board(hex: board.hex(in: shape).uppercased(), shape: shape) == board)
      #expect(board.numbers(in: shape) == matrix.map { $0.map { $0 == 0 ? 0 : 1 << $0 } })
      #expect(try Board(numbers: "\(board.numbers(in: shape))", shape: shape) == board)
      #expect(try Board(text: "\(board.numbers(in: shape))", shape: shape) == board)
      #expect(try Board(text: board.hex(in: shape), shape: shape) == board)
      #expect(board.largestTile == board.numbers(in: shape).flatMap { $0 }.max())
      #expect(board.tileSum == board.numbers(in: shape).flatMap { $0 }.reduce(0, +))
    }
  }

  @Test func drawsATable() throws {
    let board = try Board(hex: "120000000000000h")
    #expect(
      board.drawing() == """
        +------+------+------+------+
        |     2|     4|      |      |
        |      |      |      |      |
        |      |      |      |      |
        |      |      |      |131072|
        +------+------+------+------+
        """)
  }

  @Test(arguments: [
    ("12", "a board has 16 hex digits, this has 2"),
    ("1234567890abcdefg", "a board has 16 hex digits, this has 17"),
    ("000000000000000i", "'i' at position 16 is not a tile: use 0 (empty), 1 (2) to f (32768), g (65536), h (131072)"),
    ("2 4 8", "a board has 16 numbers, this has 3"),
    ("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3", "'3' at position 16 is not a tile: use 0 or a power of two from 2 to 131072"),
    ("1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "'1' at position 1 is not a tile: use 0 or a power of two from 2 to 131072"),
    ("-2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "'-2' at position 1 is not a tile: use 0 or a power of two from 2 to 131072"),
    ("", "a board has 16 hex digits, this has 0"),
    (
      "262144 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
      "'262144' at position 1 is not a tile: use 0 or a power of two from 2 to 131072"
    ),
  ]) func saysWhatIsWrong(_ text: String, _ message: String) {
    let error = #expect(throws: BoardTextError.self) { try Board(text: text) }
    #expect(error?.description == message)
  }

  @Test func refusesBadExponents() {
    let error = #expect(throws: BoardTextError.self) { try Board(exponents: [18] + Array(repeating: 0, count: 15)) }
    #expect(error?.description == "exponent 18 is not a tile: use 0 (empty) to 17 (131072)")
  }
}
