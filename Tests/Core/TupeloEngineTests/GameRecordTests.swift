import TestSupport
import Testing
import TupeloEngine

@Suite struct GameRecordTests {
  private static func record(_ played: RandomGame, agent: String = "random", number: UInt64) -> GameRecord {
    var record = GameRecord(
      .init(
        rules: played.game.rules, start: played.boards[0], agent: agent, model: "0123abcd", seed: 3, gameNumber: number)
    )
    for turn in played.turns { record.append(turn) }
    return record
  }

  /// Two games of each of ten sets of rules.
  @Test func replaysBitForBit() throws {
    for (index, rules) in try allRules().enumerated() {
      for number in [UInt64(index), UInt64(index + 100)] {
        let played = RandomGame(rules: rules, number: number)
        let record = Self.record(played, number: number)
        let read = try GameRecord(text: record.text)
        #expect(read == record && read.text == record.text)
        let positions = try read.replay()
        #expect(positions.map(\.board) == played.boards && positions.map(\.score) == played.scores)
        #expect(positions.last?.board == played.game.board && positions.last?.score == played.game.score)
      }
    }
  }

  /// The text of a record is documented, because other programs read it.
  @Test func textIsAsDocumented() throws {
    var record = GameRecord(.init(rules: .standard, start: try Board(hex: "1200000000000000"), agent: "person"))
    let turns = [(Move.right, 0, 1), (.down, 5, 2), (.left, 15, 1), (.up, 10, 1)]
    for (move, cell, exponent) in turns {
      record = GameRecord(record.header, steps: record.steps + [.init(move: move, cell: cell, exponent: exponent)])
    }
    #expect(
      record.text == """
        {"agent":"person","columns":4,"four_probability":0.1,"rows":4,"start":"1200000000000000","start_tiles":2,\
        "tupelo_record":1}
        r02 d54 lf2 ua2

        """)
    let long = GameRecord(record.header, steps: Array(repeating: record.steps[0], count: 41))
    let (widths, header) = (long.text.split(separator: "\n").map(\.count), record.text.split(separator: "\n")[0].count)
    #expect(widths == [header, 79, 79, 3])
    #expect(GameRecord.formatVersion == 1)
  }

  @Test func stepsCanBeTakenBack() throws {
    let played = RandomGame(number: 5)
    var record = Self.record(played, number: 5)
    record.removeLast()
    record.removeLast(2)
    #expect(try record.replay().map(\.board) == Array(played.boards.dropLast(3)))
    record.removeLast(10_000)
    #expect(record.steps.isEmpty)
    #expect(try record.replay().map(\.board) == [played.boards[0]])
  }

  /// Names with everything that JSON and lines must escape, rules with odd numbers, and records that went
  /// through Windows.
  @Test func headersReadBack() throws {
    let rules = try Rules(shape: BoardShape(rows: 3, columns: 2), fourProbability: 0.1 + 0.2, startTiles: 5)
    let start = try Board(hex: "hgf0e0", shape: rules.shape)
    let agents = [
      "", "a b", "\"quoted\"", "line\nbreak\r\n", "\u{2028}\u{85}\u{0}", "é\u{301}👩‍👩‍👧",
      "C:\\x/y", "\u{301}",
    ]
    for agent in agents {
      for (seed, number) in [(nil, nil), (UInt64.max, UInt64.max), (0, 1)] as [(UInt64?, UInt64?)] {
        let record = GameRecord(
          .init(rules: rules, start: start, agent: agent, model: agent, seed: seed, gameNumber: number),
          steps: [.init(move: .down, cell: 8, exponent: 2)])
        #expect(try GameRecord(text: record.text) == record)
        #expect(try GameRecord(text: record.text.split(separator: "\n").joined(separator: "\r\n")) == record)
      }
    }
  }

  private static let header =
    #"{"tupelo_record":1,"rows":4,"columns":4,"four_probability":0.1,"start_tiles":2,"#
    + #""agent":"x","start":"1000000000000000"}"#
  private static let headerExpected =
    "expected JSON with tupelo_record, rows, columns, four_probability, start_tiles, start and agent"

  private static func error(_ text: String) -> GameRecordError? {
    do {
      _ = try GameRecord(text: text).replay()
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      ("l12", GameRecordError.illegalMove(.left, step: 1)),
      ("r02 u42", .illegalMove(.up, step: 2)),
      ("r32", .cellTaken(3, step: 1)),
      ("r02\nd34\nr32", .cellTaken(3, step: 3)),
      ("r08", .badStep("r08", step: 1)),
      ("x02", .badStep("x02", step: 1)),
      ("r02 rg2", .badStep("rg2", step: 2)),
      ("r02 r0", .badStep("r0", step: 2)),
      ("r\u{1b}2", .badStep("r?2", step: 1)),
      ("r02r02r02r02r02r02r02r02r02", .badStep("r02r02r02r02r02r02r0", step: 1)),
    ] as [(String, GameRecordError)])
  func damagedStepsSayWhere(_ steps: String, _ expected: GameRecordError) {
    #expect(Self.error(Self.header + "\n" + steps + "\n") == expected)
  }

  @Test func errorsHaveTexts() {
    for (error, text) in [
      (.illegalMove(.left, step: 1), "step 1 moves left, which changes nothing: the record is damaged or"),
      (.cellTaken(3, step: 1), "step 1 puts a tile on cell 3, which is taken or off the board: the record is damaged"),
      (.badStep("r08", step: 1), "step 1 is 'r08': a step is a move (u r d l), a cell (0 to f) and a tile (2 or 4), "),
    ] as [(GameRecordError, String)] { #expect(matches(error.description, text)) }
  }

  @Test(
    arguments: [
      ("", "the text is empty"), ("\n\n", "the text is empty"), ("{}", headerExpected), ("[]", headerExpected),
      ("l52 l52", headerExpected), ("{\"tupelo_record\":1}", headerExpected),
      (header.replacing("\"rows\":4", with: "\"rows\":\"4\""), headerExpected),
      (header.replacing("\"rows\":4", with: "\"rows\":4.5"), headerExpected),
      (header.replacing("\"rows\":4", with: "\"rows\":99999999999999999999"), headerExpected),
      (
        header.replacing("\"tupelo_record\":1", with: "\"tupelo_record\":0"),
        "tupelo_record is 0: formats are counted from 1"
      ),
      (
        header.replacing("\"rows\":4", with: "\"rows\":9"),
        "a board of 9x4 is not supported: rows and columns go from 2 to 4"
      ),
      (header.replacing("\"rows\":4", with: "\"rows\":3"), "a board has 12 hex digits, this has 16"),
      (header.replacing(":0.1", with: ":1.1"), "the probability of a 4 is 1.1: it must lie in 0...1 (0.1 is standard)"),
      (header.replacing("tiles\":2", with: "tiles\":16"), "16 start tiles on 16 cells: give 1 to 15"),
      (
        header.replacing("\"1000", with: "\"i000"),
        "'i' at position 1 is not a tile: use 0 (empty), 1 (2) to f (32768), g (65536), h (131072)"
      ),
    ] as [(String, String)])
  func damagedHeadersSayWhy(_ text: String, _ reason: String) {
    let error = Self.error(text)
    #expect(error == .badHeader(reason))
    #expect(error?.description == "the first line is not a record header: \(reason)")
  }

  @Test func newerFormatsAreNamed() {
    for text in [
      Self.header.replacing("\"tupelo_record\":1", with: "\"tupelo_record\":2"), "{\"tupelo_record\":2,\"other\":[]}",
    ] {
      let error = Self.error(text)
      #expect(error == .newerFormat(2, supported: 1))
      #expect(error?.description == "the record has format 2, this program reads up to 1: use a newer tupelo")
    }
  }

  @Test func soundRecordsPass() {
    for steps in ["", "\n", "\nr02", "\nr02 d04\n", "\r\nr02\r\n\r\n"] {
      #expect(Self.error(Self.header + steps) == nil)
    }
  }

  /// Steps made in code are checked on replay.
  @Test func replayChecksEveryCell() throws {
    let shape = try BoardShape(rows: 2, columns: 2)
    let header = GameRecord.Header(
      rules: try Rules(shape: shape), start: try Board(hex: "1000", shape: shape), agent: "x")
    for cell in [-1, 1, 2, 3, 6, 8, 15, 16, 100, .max, .min] {
      let record = GameRecord(header, steps: [.init(move: .right, cell: cell, exponent: 1)])
      #expect(throws: GameRecordError.cellTaken(cell, step: 1)) { try record.replay() }
    }
  }

  /// Ten thousand damaged texts: each is refused with a reason, or is a record that replays or says why not.
  @Test(.slow) func mutatedRecordsNeverCrash() throws {
    var texts = try [0, 4, 9].map { try Self.record(RandomGame(rules: allRules()[$0], number: 4), number: 4).text }
    var giants = GameRecord(.init(rules: .standard, start: try Board(hex: "hggf0f0gff0hg00f"), agent: "x"))
    for turn in RandomGame(
      Game(board: giants.header.start, random: RandomStream(seed: 1)), choices: RandomStream(seed: 2)
    ).turns {
      giants.append(turn)
    }
    texts.append(giants.text)
    let sources = texts.map { Array($0.utf8.prefix(500)) }
    let alphabet = Array("0123456789abcdefghurdl{}[]\":,.-+eE \n\r\\".utf8)
    var random = RandomStream(seed: 31)
    var (refused, unplayable, played) = (0, 0, 0)
    for round in 0..<10_000 {
      var bytes = sources[round % sources.count]
      let firstStep = (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
      for _ in 0...random.next(below: 3) {
        let (place, letter) = (random.next(below: bytes.count), alphabet[random.next(below: alphabet.count)])
        // Every other text gets other moves, cells and tiles; the remaining texts get any change anywhere.
        if round & 4 == 0 {
          let place = firstStep + random.next(below: bytes.count - firstStep)
          let letters =
            [Array("urdl".utf8), Array("0123456789abcdef".utf8), Array("24".utf8)]
            .first { $0.contains(bytes[place]) && random.next(below: 2) == 0 } ?? []
          if !letters.isEmpty { bytes[place] = letters[random.next(below: letters.count)] }
          continue
        }
        switch random.next(below: 6) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] = letter
        case 2: bytes.insert(letter, at: place)
        case 3: bytes.remove(at: place)
        case 4: bytes.removeSubrange(place..<min(place + random.next(below: 40), bytes.count))
        default: bytes.insert(contentsOf: bytes[place..<min(place + 12, bytes.count)], at: place)
        }
      }
      let record: GameRecord
      do {
        record = try GameRecord(text: String(decoding: bytes, as: UTF8.self))
      } catch {
        refused += 1
        #expect(!error.description.isEmpty)
        continue
      }
      #expect(try GameRecord(text: record.text) == record)
      do {
        let positions = try record.replay()
        played += 1
        #expect(positions.count == record.steps.count + 1)
        for position in positions { #expect(position.board.hex(in: record.header.rules.shape).count <= 16) }
      } catch {
        unplayable += 1
        #expect(!error.description.isEmpty)
      }
    }
    #expect(refused > 3000 && unplayable > 1000 && played > 1000, "\(refused) \(unplayable) \(played)")
  }
}
