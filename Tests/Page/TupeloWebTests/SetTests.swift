import Foundation
import SetEngine
import Testing
import TupeloEngine

/// Games of Set as the page plays them, in its engine, compared with the program's games.
@Suite(.enabled(if: Node.isHere, "\(Node.isMissing)"))
struct SetTests {
  private static func games(_ questions: [SetModule.Question]) async throws -> [SetModule.Reply<SetGameReply>] {
    try await SetModule.replies(to: questions, as: SetGameReply.self)
  }

  static func game(
    seed: String, number: String = "0", choices: [String] = [], player: String = "person"
  ) async throws -> SetGameReply {
    let question = SetModule.Question.game(seed: seed, number: number, choices: choices, player: player)
    return try #require(try await games([question]).first?.answer)
  }

  /// Whether three cards in notation are a Set: no symbol is there twice and not three times.
  static func isSet(_ cards: [String]) -> Bool {
    (0..<4).allSatisfy { place in Set(cards.map { Array($0)[place] }).count != 2 }
  }

  /// All Sets by their places, found by trying all triples.
  static func sets(_ table: [String]) -> [[Int]] {
    table.indices.flatMap { one in
      table.indices[(one + 1)...].flatMap { two in
        table.indices[(two + 1)...].filter { isSet([table[one], table[two], table[$0]]) }.map { [one, two, $0] }
      }
    }
  }

  /// A game of the program after some choices.
  private struct Moment {
    let seed, number: UInt64
    let game: SetGame
    let choices: [String]
    let last: SetGame.Turn?
    let record: SetRecord

    func check(_ said: SetGameReply) {
      let table = game.table.map(\.notation)
      #expect(said.table.map(\.card) == table && said.table.map(\.name) == game.table.map(\.name))
      #expect(said.seed == "\(seed)" && said.game == "\(number)" && said.choices == choices)
      #expect(said.deck == game.deckCount && said.score == game.score)
      #expect(said.unseen == game.unseen.map(\.notation).joined(separator: " "))
      #expect(said.sets == SetTests.sets(table))
      #expect(said.stuck == (said.sets.isEmpty && said.deck > 0))
      #expect(said.over == (said.sets.isEmpty && said.deck == 0))
      #expect(said.record == record.text)
      #expect(said.last?.dealt.map(\.card) == last.map { $0.dealt.map(\.notation) })
      let taken = last?.taken.map { [$0.0, $0.1, $0.2] }
      #expect(said.last.map { Set($0.taken.map(\.card)) } == last.map { _ in Set((taken ?? []).map(\.notation)) })
      #expect(said.last?.pattern == taken.flatMap { SetClaim($0[0], $0[1], $0[2])?.pattern })
    }
  }

  /// Games that the program plays: after each choice the page's engine reports the same game. In at least one of the
  /// twenty games, three more cards are dealt.
  @Test func gamesFollowTheEngine() async throws {
    let players = ["person", "", "Zoë \"quoted\" / \\ back\tslash\u{1}", "counting, 2 hints", "🃏"]
    var (moments, questions) = ([Moment](), [SetModule.Question]())
    for number in 0..<20 as Range<UInt64> {
      let seed: UInt64 = number.isMultiple(of: 3) ? .max : 77
      let player = players[Int(number) % players.count]
      var random = RandomStream(seed: seed, stream: number)
      var (game, picks) = (SetGame(using: &random), RandomStream(seed: number, stream: 99))
      var record = SetRecord(.init(start: game.table, agent: player, seed: seed, gameNumber: number))
      var (asked, choices, turn) = ([String](), [String](), SetGame.Turn?.none)
      while true {
        if let turn { record.append(turn) }
        moments.append(
          Moment(seed: seed, number: number, game: game, choices: choices, last: turn, record: record))
        questions.append(.game(seed: "\(seed)", number: "\(number)", choices: asked, player: player))
        if game.isOver { break }
        if game.isStuck {
          turn = game.dealMore()
          choices.append("deal")
          asked.append("deal")
        } else {
          let sets = Self.sets(game.table.map(\.notation))
          let places = sets[picks.next(below: sets.count)]
          let cards = places.map { game.table[$0] }
          // The cards have any order, because people do not sort them. Answers have the order of the cards.
          asked.append([2, 0, 1].map { cards[$0].notation }.joined())
          choices.append(cards.sorted().map(\.notation).joined())
          turn = game.take(try #require(MatchPlaces(places[0], places[1], places[2])))
        }
      }
      #expect(choices.filter { $0 != "deal" }.count == game.score)
    }
    #expect(moments.filter { $0.choices.last == "deal" }.count > 5)
    for (moment, reply) in zip(moments, try await Self.games(questions)) { moment.check(try #require(reply.answer)) }
  }

  /// A card that is dealt for a taken card lies in the same place.
  @Test func placesStay() async throws {
    let before = try await Self.game(seed: "5")
    let places = try #require(before.sets.first)
    let choice = places.map { before.table[$0].card }.joined()
    let after = try await Self.game(seed: "5", choices: [choice.uppercased()])
    for place in 0..<12 {
      #expect((after.table[place] == before.table[place]) == !places.contains(place))
    }
    #expect(after.deck == 66 && after.score == 1 && after.last?.pattern?.contains("same") != nil)
    #expect(Set(after.last?.taken.map(\.card) ?? []) == Set(places.map { before.table[$0].card }))
  }

  @Test func recordsAreGoneOnWith() async throws {
    let (seed, number) = ("18446744073709551615", "3")
    let start = try await Self.game(seed: seed, number: number)
    let choice = try #require(start.sets.last).map { start.table[$0].card }.joined()
    let played = try await Self.game(seed: seed, number: number, choices: [choice], player: "me")
    #expect(played.record.contains("\"agent\":\"me\"") && played.record.contains(seed))

    let record = played.record
    let bad = [
      (record.replacing("\"seed\":\(seed),", with: ""), "the record names no seed"),
      (record.replacing("\"seed\":\(seed),", with: "\"seed\":1,"), "the record's cards are not those"),
      (record.replacing("\"features\":4", with: "\"features\":3"), "the record is of a deck of 27 cards"),
      (record + "+1rsd", "step 2"), (record + String(repeating: " " + choice, count: 60), "61 choices"),
      (record + " " + choice, "step 2 takes"), (record + String(repeating: " ", count: 20_000), "the record has 20"),
    ]
    let replies = try await Self.games(([record] + bad.map(\.0)).map { .record($0) })
    #expect(replies[0].answer == played)
    for ((_, reason), reply) in zip(bad, replies.dropFirst()) {
      let refusal = try #require(reply.refusal)
      #expect(refusal.hasPrefix(reason) && !refusal.contains("\n"), "\(refusal)")
    }
  }

  /// The page's engine reads JSON by itself. It refuses what the program does not read, for the same reason.
  @Test func recordsAreRefusedAsByTheProgram() async throws {
    let record = try await Self.game(seed: "5").record
    let changes = [
      ("\"features\":4", "\"features\":9"), ("\"features\":4", "\"features\":\"4\""), ("\"seed\":5", "\"seed\":-5"),
      ("\"agent\":\"person\",", ""), ("}", ",\"more\":[}"), ("\"tupelo_set_record\":1", "\"tupelo_set_record\":2"),
      ("\"tupelo_set_record\":1", "\"tupelo_set_record\":0"), ("\"person\"", "\"\\x\""), ("\"person\"", "\"a\nb\""),
    ]
    let texts =
      ["", "nonsense", "{}", "[]", "{\"tupelo_record\":1}"]
      + changes.map { record.replacing($0.0, with: $0.1) }
    for (text, reply) in zip(texts, try await Self.games(texts.map { .record($0) })) {
      let error = try #require(throws: SetRecordError.self, "\(text)") { try SetRecord(text: text) }
      #expect(reply.refusal == "\(error)", "\(text)")
    }
    // The page and the program both read these records.
    let odd = [
      ("}", ",\"more\":{\"a\":[1,true,null,\"\\u00e9\"],\"b\":{}}}"), ("{", " { "), ("\n", "\r\n"),
      ("\"person\"", "\"\\u007a\\ud83c\\udccf\\n\""),
    ].map { record.replacing($0.0, with: $0.1) }
    for (text, reply) in zip(odd, try await Self.games(odd.map { .record($0) })) {
      #expect(try SetRecord(text: text).text == reply.answer?.record, "\(reply)")
    }
  }

  @Test func badQuestionsGetAReason() async throws {
    let start = try await Self.game(seed: "5")
    let absent = try #require(CardSet(try Card.list(start.unseen)).hint)
    let off = [absent.first, absent.second, absent.third].map(\.notation).joined()
    let bad: [(SetModule.Question, String)] = [
      (.game(seed: "-1"), "seed is '-1': give a whole number"),
      (.game(seed: "18446744073709551616"), "seed is '18446744073709551616'"), (.game(seed: ""), "seed is ''"),
      (.game(seed: "1", number: "x"), "game is 'x'"),
      (.game(seed: "1", choices: ["1"]), "choice 1 is '1': a choice is three cards"),
      (.game(seed: "1", choices: ["éééééé"]), "choice 1 is 'éééééé'"),
      (.game(seed: "1", choices: ["1rsd1rsd1rsd"]), "choice 1 is '1rsd1rsd1rsd': it has a card twice"),
      (
        .game(seed: "1", choices: ["1rsd2rsd3gsd"]),
        "choice 1 is '1rsd2rsd3gsd': it is not a Set: two are red and one is green"
      ),
      (.game(seed: "1", choices: ["1rsd2rsdxxxx"]), "choice 1 is '1rsd2rsdxxxx': 'xxxx' is not a card"),
      (.game(seed: "5", choices: [off]), "choice 1 is '\(off)': one of its cards is not on the table"),
      (.game(seed: "5", choices: ["deal"]), "choice 1 is 'deal': there is a Set on the table"),
      (.game(seed: "5", choices: Array(repeating: "deal", count: 51)), "51 choices are too many"),
      (.game(seed: "5", player: String(repeating: "n", count: 201)), "player is 'nnn"),
      (.claim(["1rsd"]), "cards: 1 cards: give three"),
      (.claim(["1rsd", "1rsd", "2rsd"]), "cards: the card 1rsd (one red solid diamond) is there twice"),
      (.analyze(["1rsd", "2rsd", "3rsd"], unseen: "1rsd", agent: "counting"), "table: the card 1rsd"),
      (.analyze(["1rsd", "2rsd", "3rsd"], unseen: "1gsd,2gsd,3gsd", agent: "counting"), "table: 3 cards on the table"),
      (.analyze(["1rsd", "2rsd"], unseen: "", agent: "counting"), "table: 2 cards on the table"),
      (.analyze(["zzzz"], unseen: "", agent: "counting"), "table: 'zzzz' is not a card"),
      (.analyze([], unseen: "", agent: "me"), "no agent is called 'me': there is heuristic, counting, most-left"),
    ]
    for ((_, reason), reply) in zip(bad, try await Self.games(bad.map(\.0))) {
      let refusal = try #require(reply.refusal)
      #expect(refusal.hasPrefix(reason) && !refusal.contains("\n"), "\(refusal)")
    }
  }

  /// Every claim on a table is judged.
  @Test func claimsAreJudged() async throws {
    struct Verdict: Decodable {
      let set: Bool
      let faults: [String]
      let pattern: String?
    }
    let table = try Card.list(try await Self.game(seed: "5").table.map(\.card).joined(separator: " "))
    let claims = table.indices.flatMap { one in
      table.indices[(one + 1)...].flatMap { two in
        table.indices[(two + 1)...].map { [table[one], table[two], table[$0]] }
      }
    }
    let questions = claims.map { SetModule.Question.claim($0.map(\.notation)) }
    let replies = try await SetModule.replies(
      to: questions + [.claim(["1rsd", "2gtv", "3poq"]), .claim(["1rsd", "2gtv", "3pov"])], as: Verdict.self)
    for (claim, reply) in zip(claims, replies) {
      let (verdict, wanted) = (try #require(reply.answer), try #require(SetClaim(claim[0], claim[1], claim[2])))
      #expect(verdict.set == Self.isSet(claim.map(\.notation)) && verdict.pattern == wanted.pattern)
      #expect(verdict.faults == wanted.faults)
    }
    let (right, wrong) = (try #require(replies[220].answer), try #require(replies[221].answer))
    #expect(right.set && right.faults.isEmpty && right.pattern == "different numbers, colours, shadings and shapes")
    #expect(!wrong.set && wrong.faults == ["two have ovals and one has diamonds"] && wrong.pattern == nil)
  }
}
