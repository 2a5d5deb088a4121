import SetEngine
import TestSupport
import Testing

/// A game played at random, with its record and its states after each turn.
private struct RecordedGame {
  var games: [SetGame]
  var record: SetRecord

  init(rules: SetRules = .standard, seed: UInt64) {
    var random = TestRandom(state: seed)
    var game = SetGame(rules: rules, using: &random)
    games = [game]
    record = SetRecord(
      .init(rules: rules, start: game.table, agent: "random", model: "0123abcd", seed: seed, gameNumber: 7))
    while !game.isOver {
      let turn: SetGame.Turn?
      if game.isStuck {
        turn = game.dealMore()
      } else {
        turn = game.sets.shuffled(using: &random).first.flatMap { game.take($0) }
      }
      if let turn { record.append(turn) }
      games.append(game)
    }
  }
}

@Suite struct SetRecordTests {
  @Test func replaysBitForBit() throws {
    var dealtMore = 0
    for features in 1...4 {
      for tableSize in [3, 9, 12] {
        for seed in 0..<10 as Range<UInt64> {
          let played = RecordedGame(rules: try SetRules(features: features, tableSize: tableSize), seed: seed)
          let read = try SetRecord(text: played.record.text)
          #expect(read == played.record && read.text == played.record.text)
          let games = try read.replay()
          #expect(games.map(\.table) == played.games.map(\.table) && games.map(\.score) == played.games.map(\.score))
          #expect(games.map(\.unseen) == played.games.map(\.unseen) && games.last?.isOver == true)
          #expect(games.map(\.position) == played.games.map(\.position))
          dealtMore += read.steps.count { $0.taken == nil }
          // Any beginning of a record is a record of an unfinished game.
          for count in 0...read.steps.count {
            let part = SetRecord(read.header, steps: Array(read.steps.prefix(count)))
            #expect(try part.replay().map(\.table) == Array(played.games.prefix(count + 1)).map(\.table))
          }
        }
      }
    }
    #expect(dealtMore > 100)
  }

  /// The text of a record is documented, because other programs read it.
  @Test func textIsAsDocumented() throws {
    let start = CardSet(firstCards: 12)
    let record = SetRecord(
      .init(start: Array(start), agent: "person"),
      steps: [
        .init(
          taken: Trio(Card(index: 2), Card(index: 0), Card(index: 1)), dealt: [80, 12, 54].map { Card(index: $0) }),
        .init(taken: nil, dealt: [13, 14, 15].map { Card(index: $0) }),
        .init(taken: Trio(Card(index: 3), Card(index: 4), Card(index: 5)), dealt: []),
      ])
    let expected = """
      {"agent":"person","features":4,"start":"1rsd 2rsd 3rsd 1gsd 2gsd 3gsd 1psd 2psd 3psd 1rsv 2rsv 3rsv","table":12,\
      "tupelo_set_record":1}
      1rsd2rsd3rsd+3poq1gsv1rod +2gsv3gsv1psv 1gsd2gsd3gsd

      """
    #expect(record.text == expected && SetRecord.formatVersion == 1)
    #expect(try SetRecord(text: expected) == record)
    #expect(try SetRecord(text: expected.replacing("\n", with: "\r\n")) == record)
    let long = SetRecord(record.header, steps: Array(repeating: record.steps[0], count: 9))
    #expect(long.text.split(separator: "\n").dropFirst().map(\.count) == [103, 103, 25])
  }

  @Test func stepsCanBeTakenBack() throws {
    let played = RecordedGame(seed: 5)
    var record = played.record
    record.removeLast()
    record.removeLast(2)
    #expect(try record.replay().map(\.table) == played.games.dropLast(3).map(\.table))
    record.removeLast(1000)
    #expect(record.steps.isEmpty)
    #expect(try record.replay().map(\.table) == [played.games[0].table])
  }

  @Test func headersReadBack() throws {
    let start = Array(CardSet(firstCards: 9))
    let agents = [
      "", "a b", "\"quoted\"", "line\nbreak\r\n", "\u{2028}\u{85}\u{0}", "é\u{301}👩‍👩‍👧", "C:\\x/y",
    ]
    for agent in agents {
      for (seed, number) in [(nil, nil), (UInt64.max, UInt64.max), (0, 1)] as [(UInt64?, UInt64?)] {
        let rules = try SetRules(features: 3, tableSize: 9)
        let record = SetRecord(
          .init(rules: rules, start: start, agent: agent, model: agent, seed: seed, gameNumber: number))
        #expect(try SetRecord(text: record.text) == record)
      }
    }
  }

  private static let header =
    #"{"tupelo_set_record":1,"features":4,"table":12,"agent":"x","#
    + #""start":"1rsd 2rsd 3rsd 1gsd 2gsd 3gsd 1psd 2psd 3psd 1rsv 2rsv 3rsv"}"#
  private static let expected = "expected JSON with tupelo_set_record, features, table, start and agent"
  private static let form =
    "a step is three cards taken, + and the cards dealt, such as 1rsd2rsd3rsd+1gtv3pov2gsq"
  private static let cardForm =
    "write a number (1 2 3), a colour (r g p), a shading (s t o) and a shape (d v q), such as 2rtv"

  private static func refusal(_ text: String) -> String? {
    do {
      _ = try SetRecord(text: text).replay()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    arguments: [
      ("1rsd2rsd3rsd", "step 1 deals 0 cards where the rules deal 3: the record is damaged or of other rules"),
      ("1rsd2rsd3rsd+1gsv2gsv", "step 1 deals 2 cards where the rules deal 3: the record is damaged or of other rules"),
      ("1rsd2rsd3rsd+1gsv2gsv3gsv 1rsd1gsd1psd+1psv2psv3psv", "step 2 takes 1rsd 1gsd 1psd, which is not on the"),
      ("1rtd2rtd3rtd+1gsv2gsv3gsv", "step 1 takes 1rtd 2rtd 3rtd, which is not on the table: the record is damaged"),
      ("1rsd2rsd3rsd+1gsv2gsv1gsd", "step 1 deals 1gsd, which was dealt before or is not in this deck: the record is"),
      ("1rsd2rsd3rsd+1gsv2gsv3gsv 1gsd2gsd3gsd+1psv2gsv2psv", "step 2 deals 2gsv, which was dealt before or is not"),
      ("+1gsv2gsv3gsv", "step 1 deals three more, but the table has a Set or the deck is empty: the record is damaged"),
      ("1rsd2rsd1gsd+1gsv2gsv3gsv", "step 1 is '1rsd2rsd1gsd+1gsv2gsv3gsv': the three cards taken are not a Set"),
      ("1rsd1rsd1rsd+1gsv2gsv3gsv", "step 1 is '1rsd1rsd1rsd+1gsv2gsv3gsv': the three cards taken are not a Set"),
      ("1rsd2rsd3rsd+", "step 1 is '1rsd2rsd3rsd+': \(form)"), ("+", "step 1 is '+': \(form)"),
      ("1rsd2rsd+1gsv2gsv3gsv", "step 1 is '1rsd2rsd+1gsv2gsv3gsv': \(form)"),
      ("1rsd2rsd3rsd+1gsv+2gsv", "step 1 is '1rsd2rsd3rsd+1gsv+2gsv': \(form)"),
      ("1rsd2rsd3rsd+1gsv2gsv3gsv1psv2psv3psv", "step 1 is '1rsd2rsd3rsd+1gsv2gsv3gsv1psv2': \(form)"),
      ("1rsd2rsd3rxd", "step 1 is '1rsd2rsd3rxd': '3rxd' is not a card, 'x' means nothing: \(cardForm)"),
      ("1rsd2rsd3rs", "step 1 is '1rsd2rsd3rs': '3rs' is not a card, it has no shape: \(cardForm)"),
      ("l52", "step 1 is 'l52': 'l52' is not a card, 'l' means nothing: \(cardForm)"),
    ] as [(String, String)])
  func damagedStepsSayWhere(_ steps: String, _ expected: String) {
    #expect(matches(Self.refusal(Self.header + "\n" + steps + "\n") ?? "", expected))
  }

  @Test(
    arguments: [
      ("", "the text is empty"), ("\n\n", "the text is empty"), ("{}", expected), ("[]", expected), ("1rsd", expected),
      ("{\"tupelo_set_record\":1}", expected), ("{\"tupelo_set_record\":\"1\"}", expected),
      (header.replacing("\"features\":4", with: "\"features\":4.5"), expected),
      (header.replacing("\"features\":4", with: "\"features\":99999999999999999999"), expected),
      (header.replacing("record\":1", with: "record\":0"), "tupelo_set_record is 0: formats are counted from 1"),
      (header.replacing("\"features\":4", with: "\"features\":5"), "5 features are not supported: give 1 to 4 (4 is"),
      (header.replacing("\"table\":12", with: "\"table\":13"), "a table of 13 cards is not supported: give 3, 6, 9,"),
      (header.replacing("2rsd", with: "1rsd"), "the card 1rsd (one red solid diamond) is there twice: a deck has"),
      (header.replacing("2rsd", with: "2rs"), "'2rs' is not a card, it has no shape: \(cardForm)"),
    ] as [(String, String)])
  func damagedHeadersSayWhy(_ text: String, _ reason: String) {
    #expect(matches(Self.refusal(text) ?? "", "the first line is not the header of a record of Set: \(reason)"))
  }

  @Test func firstDealsAreChecked() {
    #expect(
      Self.refusal(Self.header.replacing(" 3rsv", with: ""))
        == "step 0 deals 11 cards where the rules deal 12: the record is damaged or of other rules")
    #expect(
      Self.refusal(Self.header.replacing("\"features\":4", with: "\"features\":2"))
        == "step 0 deals 12 cards where the rules deal 9: the record is damaged or of other rules")
    #expect(
      Self.refusal(Self.header.replacing("\"features\":4", with: "\"features\":3").replacing("3rsv", with: "3rtv"))
        == "step 0 deals 3rtv, which was dealt before or is not in this deck: the record is damaged")
    for text in [Self.header, Self.header + "\n", Self.header + "\r\n\r\n", Self.header + "\n \n"] {
      #expect(Self.refusal(text) == nil)
    }
  }

  @Test func otherFormatsAreNamed() {
    let newer = "the record has format 2, this program reads up to 1: use a newer tupelo"
    #expect(Self.refusal(Self.header.replacing("record\":1", with: "record\":2")) == newer)
    #expect(Self.refusal("{\"tupelo_set_record\":2,\"other\":[]}") == newer)
    #expect(
      Self.refusal(#"{"agent":"x","columns":4,"rows":4,"start":"1200000000000000","tupelo_record":1}"# + "\nl52\n")
        == "this is a record of 2048, not of Set: use a record whose first line has tupelo_set_record")
  }

  /// Ten thousand damaged texts: each is refused with a reason, or is a record that replays.
  @Test(.slow) func mutatedRecordsNeverCrash() throws {
    let sources = [1, 2, 3].map { (seed: UInt64) -> [UInt8] in
      let lines = RecordedGame(seed: seed).record.text.split(separator: "\n").prefix(4)
      return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
    let alphabet = Array("123rgpstodvq+{}[]\":,.-eE \n\r\\".utf8)
    var random = TestRandom(state: 31)
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    var (refused, unplayable, played) = (0, 0, 0)
    for round in 0..<10_000 {
      var bytes = sources[round % sources.count]
      let firstStep = (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
      // Every other text gets one other value of one feature, or loses its last step; the remaining texts get any
      // change anywhere.
      if round & 4 == 0 {
        let place = firstStep + below(bytes.count - firstStep)
        let values = ["123", "rgp", "sto", "dvq"].map { Array($0.utf8) }.first { $0.contains(bytes[place]) }
        if let values { bytes[place] = values[below(3)] }
        if below(4) == 0 { bytes.removeSubrange((bytes.lastIndex(of: UInt8(ascii: " ")) ?? firstStep)...) }
      }
      for _ in 0...below(3) where round & 4 != 0 {
        let place = below(bytes.count)
        let letter = alphabet[below(alphabet.count)]
        switch below(6) {
        case 0: bytes[place] = UInt8(below(256))
        case 1: bytes[place] = letter
        case 2: bytes.insert(letter, at: place)
        case 3: bytes.remove(at: place)
        case 4: bytes.removeSubrange(place..<min(place + below(40), bytes.count))
        default: bytes.insert(contentsOf: bytes[place..<min(place + 12, bytes.count)], at: place)
        }
      }
      let record: SetRecord
      do {
        record = try SetRecord(text: String(decoding: bytes, as: UTF8.self))
      } catch {
        refused += 1
        #expect(!error.description.isEmpty && !error.description.unicodeScalars.contains { $0.value < 32 })
        continue
      }
      #expect(try SetRecord(text: record.text) == record)
      do {
        #expect(try record.replay().count == record.steps.count + 1)
        played += 1
      } catch {
        #expect(!error.description.isEmpty && !error.description.contains("\n"))
        unplayable += 1
      }
    }
    #expect(refused > 3000 && unplayable > 300 && played > 50, "\(refused) \(unplayable) \(played)")
  }
}
