import Foundation
import TestSupport
import Testing
import Tupelo

/// Advice in a game that is played elsewhere and typed line by line through a pipe.
@Suite struct AdviseCommandTests {
  /// The answer to each board: the board in digits, and the line below it.
  private struct Answer: Equatable {
    let board: String
    let next: String
  }

  private static func answers(_ output: String) -> [Answer] {
    let lines = output.split(separator: "\n").map(String.init)
    return lines.indices.filter { lines[$0].hasPrefix("board ") }.map { index in
      Answer(
        board: String(lines[index].split(separator: " ")[1]),
        next: index + 1 < lines.count ? lines[index + 1] : "")
    }
  }

  private static func advise(_ lines: [String], _ arguments: [String] = []) throws -> Program.Result {
    let result = try Program.run(
      ["advise"] + arguments, input: lines.map { $0 + "\n" }.joined())
    #expect(result.status == 0, "\(result)")
    #expect(!result.output.contains("\u{1b}") && result.output.split(separator: "\n").allSatisfy { $0.count < 80 })
    return result
  }

  private static func boards(_ lines: [String], _ arguments: [String] = []) throws -> [String] {
    answers(try advise(lines, arguments).output).map(\.board)
  }

  /// The best move is known in advance, because only down is legal on the first board.
  @Test(.slow) func onlyTheNewTileIsTyped() throws {
    for (line, board) in [
      ("a1", "1000000000001234"), ("a14", "2000000000001234"), ("a1 4", "2000000000001234"),
      ("a1 2", "1000000000001234"), ("  B3  ", "0000000001001234"), ("d24\r", "0000000200001234"),
      ("s c1", "0010000000001234"), ("j, c1 4", "0020000000001234"), ("down c1", "0010000000001234"),
      ("b38", "0000000003001234"), ("b316", "0000000004001234"), ("b3 8", "0000000003001234"),
      ("\u{feff}b34", "0000000002001234"),
    ] {
      let answers = Self.answers(try Self.advise([line], ["--board", "1234000000000000"]).output)
      #expect(answers.map(\.board) == ["1234000000000000", board], "\(line)")
      #expect(answers.first?.next == "best: down, then type the tile that appears")
    }
  }

  /// A long game of random moves and tiles, written in all forms: every board follows the plain rules.
  @Test func boardsAreThoseOfThePlainRules() throws {
    var random = RandomPositions(seed: 77)
    var game = ReferenceBoard(shape: .standard)
    game.tiles[0][0] = 2
    game.tiles[2][1] = 4
    func hex(_ board: ReferenceBoard) -> String {
      board.tiles.joined().map { $0 == 0 ? "0" : String($0.trailingZeroBitCount, radix: 16) }.joined()
    }
    var lines = ["a1 b34"]
    var expected = [String(repeating: "0", count: 16), hex(game)]
    // The words are ordered by the moves' numbers: up, right, down, left.
    let words = [["w", "k", "up"], ["d", "l", "Right"], ["s", "j", "down"], ["a", "h", "left"]]
    func pick<T>(_ all: [T]) -> T { all[random.number(below: all.count)] }
    while expected.count < 120, !game.legalMoves.isEmpty {
      let move = pick(game.legalMoves)
      let (after, _) = try #require(game.moved(move))
      let cell = pick(after.emptyCells)
      let (row, column) = (cell / 4, cell % 4)
      let isFour = pick([true, false, false])
      let name = "\(Array("abcd")[column])\(row + 1)"
      let tile = name + pick(isFour ? ["4", " 4"] : ["", "2", " 2"])
      let word = pick(words[move.rawValue])
      game = after
      if pick([true, false]) {
        lines.append("\(word) \(tile)")
      } else {
        lines += [word, tile]
        expected.append(hex(game))
      }
      game.tiles[row][column] = isFour ? 4 : 2
      expected.append(hex(game))
    }
    #expect(expected.count > 60)
    #expect(try Self.boards(lines, ["--plies", "1"]) == expected)
  }

  @Test func aLineIsTakenBackAsAWhole() throws {
    let start = "1234000000000000"
    let lines = ["a1", "u", "down", "u", "s b2 4", "board 1100000000000000", "undo", "u", "u"]
    let result = try Self.advise(lines, ["--board", start])
    #expect(
      Self.answers(result.output).map(\.board) == [
        start, "1000000000001234", start, "0000000000001234", start, "0000020000001234", "1100000000000000",
        "0000020000001234", start,
      ])
    #expect(result.output.hasSuffix("\nthere is nothing to take back\n"))
  }

  @Test func aNewGameBeginsWithItsTiles() throws {
    let result = try Self.advise(["c3", "d4 4", "n", "a1 a2", "board 0000000000000000", "q", "a1"])
    let answers = Self.answers(result.output)
    let empty = String(repeating: "0", count: 16)
    #expect(
      answers.map(\.board) == [empty, "0000000000100000", "0000000000100002", empty, "1000100000000000", empty])
    #expect(answers[0].next == "type the tiles of the start, such as a1 c3")
    #expect(answers[1].next == "type the next tile of the start" && answers[2].next.hasPrefix("best: "))
  }

  /// A bad line gets a message of one line, and the board does not change.
  @Test(
    .slow,
    arguments: [
      ("x", "'x' is not a move, cell or command"), ("b3 7", "'7' is not a move, cell or command"),
      ("b37", "'b37' has an unknown tile"), ("b332", "'b332' has an unknown tile"),
      ("e1", "'e1' is off the board, which is 4x4"),
      ("b5", "'b5' is off the board"), ("51", "'51' is not a move"), ("0", "'0' is not a move"),
      ("32", "'32' could be b3 or c2: write one of these"), ("s 23", "'23' could be c2 or b3"),
      ("144", "'144' could be d1 or a4"), ("11", "'11' is not a cell: write a1"), ("b3 32", "'32' could be b3 or c2"),
      ("4", "'4' is not a move"),
      ("a4", "a4 has a 2 after down: a tile appears on an empty cell"),
      ("w", "up changes nothing on this board"), ("left a1", "left changes nothing on this board"),
      ("a1 b1", "one tile appears after a move"), ("u b1", "'u' stands alone on its line"),
      ("u", "there is nothing to take back"), ("board", "a board has 16 hex digits, this has 0"),
      ("board 12", "a board has 16 hex digits, this has 2"),
      ("board 120000000000000x", "'x' at position 16 is not a tile"),
      ("1200000000000000", "a board comes behind the word board: board 1200000000000000"),
      ("b3 w", "'w' is not a move, cell or command"),
      ("\u{1b}[A\u{7}", "'[a' is not a move"),
    ] as [(String, String)]) func wrongInputChangesNothing(_ line: String, _ reason: String) throws
  {
    let start = "1234000000000000"
    let result = try Program.run(["advise", "--board", start], input: "\(line)\n\na1\n")
    #expect(result.status == 0 && !result.output.contains("\u{1b}") && !result.output.contains("\u{7}"))
    #expect(Self.answers(result.output).map(\.board) == [start, "1000000000001234"])
    #expect(result.output.split(separator: "\n").filter { $0.hasPrefix(reason) }.count == 1, "\(result.output)")
  }

  @Test func aMoveWaitsForItsTile() throws {
    let result = try Self.advise(["s", "w", "a1"], ["--board", "1234000000000000"])
    #expect(result.output.contains("\ndown is played: type the tile that appeared\n"))
    #expect(result.output.contains("\nfirst enter the tile that appeared after down, or u to take down back\n"))
    #expect(Self.answers(result.output).last?.board == "1000000000001234")
    let over = try Self.advise(["a1", "w"], ["--board", "1212212112122121"])
    #expect(Self.answers(over.output).map(\.next).first == "no move is legal: the game is over")
    #expect(over.output.components(separatedBy: "\nthe game is over: u takes back").count == 3)
  }

  /// `review` reads the games that were typed, each from a file of its own.
  @Test func gamesAreRecorded() throws {
    let folder = TemporaryFile.path("recorded")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { TemporaryFile.remove(folder) }
    let path = folder + "/game.txt"
    // A line that is taken back is not in the record, and neither is a move whose tile was never typed.
    let lines = ["a1 b1", "s a1", "u", "s d14", "w", "a2", "n", "a3 b3", "d a1", "n", "u", "w b44", "s", "q"]
    let result = try Program.run(["advise", "--record", path], input: lines.joined(separator: "\n"))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let first = try GameRecord(text: text)
    #expect(text.hasSuffix("\nd34 u42\n") && first.header.start.hex() == "1100000000000000", "\(text)")
    #expect(first.header.agent == "person")
    let second = try GameRecord(text: String(contentsOfFile: folder + "/game-2.txt", encoding: .utf8))
    #expect(second.header.start.hex() == "0000000011000000" && second.steps.count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2, "\(result)")
    let boards = Self.answers(result.output).map(\.board)
    for record in [first, second] { #expect(try boards.contains(record.replay().last?.board.hex() ?? "")) }
    let review = try Program.run(["review", path, "--json"])
    #expect(review.status == 0 && review.output.contains("\"moves\" : 2"), "\(review)")
    // A record has no new tiles of 8, so the line is refused while there is time.
    let refused = try Self.advise(["a18"], ["--board", "1234000000000000", "--record", folder + "/other.txt"])
    #expect(refused.output.contains("\na record has new tiles of 2 and 4, not 8: start without --record\n"))
    let used = try Program.run(["advise", "--record", folder + "/none/game.txt"])
    #expect(used.status == 1 && used.errors.contains("the folder \(folder)/none is not there"))
  }

  /// The values are those of `analyze`, and so is the best move.
  @Test func valuesAreThoseOfAnalyze() throws {
    let folder = TemporaryFile.path("advise")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { TemporaryFile.remove(folder) }
    try RandomModel.save(to: folder + "/small.safetensors", seed: 4)
    let board = "1230020031004211"
    for arguments in [[], [folder + "/small.safetensors"]] {
      let agent = ["--agent", "expectimax(plies: 1)"]
      let advice = try Self.advise([], arguments + ["--board", board] + agent).output
      let table = try Program.run(["analyze"] + arguments + [board] + agent).output
      let rows = table.split(separator: "\n").filter { row in
        ["move ", "up ", "right ", "down ", "left "].contains { row.hasPrefix($0) }
      }
      #expect(rows.count == 5 && advice.contains(rows.joined(separator: "\n")))
      let best = try #require(rows.first { $0.hasSuffix(" best") }?.split(separator: " ").first)
      #expect(advice.hasSuffix("\nbest: \(best), then type the tile that appears\n"))
      #expect(
        advice.hasPrefix(
          "expectimax(plies: 1) by \(arguments.isEmpty ? "the hand-written heuristic" : "small.safetensors"); "))
    }
    // The default agent searches by time with a model, and to a fixed depth with the heuristic.
    #expect(try Self.advise([], ["--board", board]).output.hasPrefix("expectimax(plies: 2) by the hand-written"))
    #expect(
      try Self.advise([], [folder + "/small.safetensors", "--board", board]).output.hasPrefix(
        "expectimax(milliseconds: 20) by small.safetensors; "))
    for (arguments, fact) in [
      (["--board", "12"], "--board: a board has 16 hex digits, this has 2"),
      (["--agent", "random"], "random has no values for moves"), (["missing.safetensors"], "missing.safetensors"),
    ] {
      let refused = try Program.run(["advise"] + arguments)
      #expect(refused.status != 0 && refused.errors.split(separator: "\n").first?.contains(fact) == true)
    }
  }
}
