import Foundation
import SetEngine
import SetPlayers
import Testing
import TupeloEngine
import TupeloWeb

/// What `/set/game` says, as another program reads it.
struct SetGameReply: Decodable, Equatable {
  struct NamedCard: Decodable, Equatable {
    let card: String
    let name: String
  }
  struct Turn: Decodable, Equatable {
    let taken: [NamedCard]
    let dealt: [NamedCard]
    let pattern: String?
  }
  let seed: String
  let game: String
  let choices: [String]
  let table: [NamedCard]
  let deck: Int
  let unseen: String
  let score: Int
  let sets: [[Int]]
  let stuck: Bool
  let over: Bool
  let last: Turn?
  let record: String
}

/// Games of Set, as the page and other programs ask about them.
@Suite struct SetTests {
  static func game(_ query: String) async throws -> SetGameReply {
    let response = try await WebService.stub().get("/set/game?\(query)")
    #expect(response.status == 200, "\(response.text)")
    return try JSONDecoder().decode(SetGameReply.self, from: Data(response.body))
  }

  /// Whether three cards in notation are a Set: no symbol is there twice and not three times.
  static func isSet(_ cards: [String]) -> Bool {
    (0..<4).allSatisfy { place in Set(cards.map { Array($0)[place] }).count != 2 }
  }

  /// All triples of places, looked at one by one.
  static func sets(_ table: [String]) -> [[Int]] {
    table.indices.flatMap { one in
      table.indices[(one + 1)...].flatMap { two in
        table.indices[(two + 1)...].filter { isSet([table[one], table[two], table[$0]]) }.map { [one, two, $0] }
      }
    }
  }

  /// Games played by the engine: after each choice the answer is what the engine's game is. Among twenty games three
  /// more cards are dealt somewhere.
  @Test func gamesFollowTheEngine() async throws {
    var deals = 0
    for number in 0..<20 as Range<UInt64> {
      var random = RandomStream(seed: 77, stream: number)
      var (game, lots) = (SetGame(using: &random), RandomStream(seed: number, stream: 99))
      var choices: [String] = []
      while true {
        let said = try await Self.game("seed=77&game=\(number)&choices=\(choices.joined(separator: ","))")
        let table = game.table.map(\.notation)
        #expect(said.table.map(\.card) == table && said.table.map(\.name) == game.table.map(\.name))
        #expect(said.seed == "77" && said.game == "\(number)" && said.choices == choices)
        #expect(said.deck == game.deckCount && said.score == game.score)
        #expect(try CardSet(Card.list(said.unseen)) == game.unseen)
        #expect(said.sets == Self.sets(table))
        #expect(said.stuck == (said.sets.isEmpty && said.deck > 0))
        #expect(said.over == (said.sets.isEmpty && said.deck == 0))
        let last = try #require(try SetRecord(text: said.record).replay().last)
        #expect(last.table == game.table && last.score == game.score)
        if said.over { break }
        if said.stuck {
          let dealt = game.dealMore()
          let turn = try #require(dealt)
          choices.append("deal")
          deals += 1
          let next = try await Self.game("seed=77&game=\(number)&choices=\(choices.joined(separator: ","))")
          #expect(next.last?.dealt.map(\.card) == turn.dealt.map(\.notation) && next.last?.taken == [])
        } else {
          let places = said.sets[lots.next(below: said.sets.count)]
          let cards = try Card.list(places.map { table[$0] }.joined(separator: " "))
          // In any order: people do not sort. Answers have the order of the cards.
          let asked = choices + [[2, 0, 1].map { cards[$0].notation }.joined()]
          choices.append(cards.sorted().map(\.notation).joined())
          let next = try await Self.game("seed=77&game=\(number)&choices=\(asked.joined(separator: ","))")
          #expect(next.choices == choices)
          let turn = game.take(try #require(MatchPlaces(places[0], places[1], places[2])))
          #expect(turn?.dealt.map(\.notation) == next.last?.dealt.map(\.card))
        }
      }
      #expect(choices.filter { $0 != "deal" }.count == game.score)
    }
    #expect(deals > 5)
  }

  /// A card that is dealt for a taken one lies in its place.
  @Test func placesStay() async throws {
    let before = try await Self.game("seed=5")
    let places = try #require(before.sets.first)
    let choice = places.map { before.table[$0].card }.joined()
    let after = try await Self.game("seed=5&choices=\(choice.uppercased())")
    for place in 0..<12 {
      #expect((after.table[place] == before.table[place]) == !places.contains(place))
    }
    #expect(after.deck == 66 && after.score == 1 && after.last?.pattern?.contains("same") != nil)
    #expect(Set(after.last?.taken.map(\.card) ?? []) == Set(places.map { before.table[$0].card }))
  }

  @Test func recordsAreGoneOnWith() async throws {
    let service = WebService.stub()
    let start = try await Self.game("seed=18446744073709551615&game=3")
    let choice = try #require(start.sets.last).map { start.table[$0].card }.joined()
    let played = try await Self.game("seed=18446744073709551615&game=3&player=me&choices=\(choice)")
    #expect(played.record.contains("\"agent\":\"me\"") && played.record.contains("18446744073709551615"))
    let again = try await service.post("/set/game", played.record)
    #expect(try JSONDecoder().decode(SetGameReply.self, from: Data(again.body)) == played)

    let seed = "\"seed\":18446744073709551615,"
    let bad = [
      ("", "the first line is not the header"), ("nonsense", "the first line is not the header"),
      (played.record.replacing(seed, with: ""), "the record names no seed"),
      (played.record.replacing(seed, with: "\"seed\":1,"), "the record's cards are not those"),
      (played.record.replacing("\"features\":4", with: "\"features\":3"), ""),
      (played.record + "+1rsd", "step 2"), (played.record + String(repeating: " " + choice, count: 60), "61 choices"),
      (played.record + " " + choice, "step 2 takes"), ("{\"tupelo_record\":1}", "this is a record of 2048"),
      (played.record + String(repeating: " ", count: 20_000), "the record has 20"),
    ]
    for (text, reason) in bad {
      let response = try await service.post("/set/game", text)
      #expect(response.status == 400 && response.text.hasPrefix(reason), "\(response.text)")
      #expect(!response.text.contains("\n"))
    }
    let bytes = try WebRequest(method: "POST", target: "/set/game", body: [0xff, 0xfe])
    #expect(await service.respond(to: bytes).text == "the body is not UTF-8")
    let foreign = try WebRequest(
      method: "POST", target: "/set/game", headers: ["host": "localhost:2048", "origin": "http://evil.example"],
      body: Array(played.record.utf8))
    #expect(await service.respond(to: foreign).status == 403)
  }

  @Test(arguments: [
    ("/set/game", "the parameter 'seed' is missing"),
    ("/set/game?seed=-1", "seed is '-1': give a whole number"),
    ("/set/game?seed=18446744073709551616", "seed is '18446744073709551616'"),
    ("/set/game?seed=", "seed is ''"),
    ("/set/game?seed=1&game=x", "game is 'x'"),
    ("/set/game?seed=1&choices=1", "choice 1 is '1': a choice is three cards"),
    ("/set/game?seed=1&choices=%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9", "choice 1 is 'éééééé'"),
    ("/set/game?seed=1&choices=1rsd1rsd1rsd", "choice 1 is '1rsd1rsd1rsd': it has a card twice"),
    ("/set/game?seed=1&choices=1rsd2rsd3gsd", "choice 1 is '1rsd2rsd3gsd': it is no Set: two are red and one is green"),
    ("/set/game?seed=1&choices=1rsd2rsdxxxx", "choice 1 is '1rsd2rsdxxxx': 'xxxx' is not a card"),
    ("/set/claim", "the parameter 'cards' is missing"),
    ("/set/claim?cards=1rsd", "cards: 1 cards: give three"),
    ("/set/claim?cards=1rsd,1rsd,2rsd", "cards: the card 1rsd (one red solid diamond) is there twice"),
    ("/set/analyze?unseen=", "the parameter 'table' is missing"),
    ("/set/analyze?table=1rsd,2rsd,3rsd", "the parameter 'unseen' is missing"),
    ("/set/analyze?table=1rsd,2rsd,3rsd&unseen=1rsd", "table: the card 1rsd"),
    ("/set/analyze?table=1rsd,2rsd,3rsd&unseen=1gsd,2gsd,3gsd", "table: 3 cards on the table"),
    ("/set/analyze?table=1rsd,2rsd&unseen=", "table: 2 cards on the table"),
    ("/set/analyze?table=zzzz&unseen=", "table: 'zzzz' is not a card"),
    ("/set/analyze?table=&unseen=&agent=me", "no agent is called 'me': there is search, heuristic, counting"),
  ])
  func badQuestionsGetAReason(target: String, reason: String) async throws {
    let response = try await WebService.stub().get(target)
    #expect(response.status == 400)
    #expect(response.text.hasPrefix(reason), "\(response.text)")
    #expect(!response.text.contains("\n"))
    #expect(response.headers["Access-Control-Allow-Origin"] == "*")
  }

  @Test func rulesAreKept() async throws {
    let service = WebService.stub()
    let start = try await Self.game("seed=5")
    let absent = try Card.list(start.unseen)
    let trio = try #require(CardSet(absent).hint)
    let off = try await service.get("/set/game?seed=5&choices=\(trio.first)\(trio.second)\(trio.third)")
    #expect(off.status == 400 && off.text.hasSuffix("one of its cards is not on the table"))
    let early = try await service.get("/set/game?seed=5&choices=deal")
    #expect(early.status == 400 && early.text.contains("there is a Set on the table"))
    let many = String(repeating: "deal,", count: 51)
    #expect(try await service.get("/set/game?seed=5&choices=\(many)").text.hasPrefix("51 choices are too many"))
    let name = String(repeating: "n", count: 201)
    #expect(try await service.get("/set/game?seed=5&player=\(name)").status == 400)
  }

  @Test func claimsAreJudged() async throws {
    struct Reply: Decodable {
      let set: Bool
      let faults: [String]
      let pattern: String?
    }
    let service = WebService.stub()
    let right = try await service.get("/set/claim?cards=1rsd+2gtv+3poq")
    let wrong = try await service.get("/set/claim?cards=1rsd,2gtv,3pov")
    let (one, other) = (
      try JSONDecoder().decode(Reply.self, from: Data(right.body)),
      try JSONDecoder().decode(Reply.self, from: Data(wrong.body))
    )
    #expect(one.set && one.faults.isEmpty && one.pattern == "different numbers, colours, shadings and shapes")
    #expect(!other.set && other.faults == ["two have ovals and one has diamonds"] && other.pattern == nil)
  }

  @Test func methodsAreThoseOfEachPath() async throws {
    let service = WebService.stub()
    for (method, path, allowed) in [
      ("DELETE", "/set/game", "GET, HEAD, OPTIONS, POST"), ("POST", "/set/claim", "GET, HEAD, OPTIONS"),
      ("POST", "/set/analyze", "GET, HEAD, OPTIONS"),
    ] {
      let response = try await service.get(path, method: method)
      #expect(response.status == 405 && response.headers["Allow"] == allowed)
    }
    #expect(try await service.get("/set/analyze", method: "OPTIONS").status == 204)
    #expect(try await service.get("/set/game?seed=1", method: "HEAD").status == 200)
    for path in ["/set", "/set/", "/set/game/", "/set/x"] { #expect(try await service.get(path).status == 404) }
  }
}
