import SetEngine
import Testing

@Suite struct CardTests {
  @Test func valuesAreDigits() {
    for card in allCards {
      let values = Reference.values(card)
      #expect(CardFeature.allCases.map { card.value(of: $0) } == values)
      #expect(Card(number: values[0], colour: values[1], shape: values[2], shading: values[3]) == card)
    }
    #expect(Set(allCards).count == 81 && allCards.sorted() == allCards && Card.count == 81)
  }

  /// Every pair of cards has exactly one third card.
  @Test func thirds() {
    for one in allCards {
      for two in allCards where two != one {
        let thirds = allCards.filter { $0 != one && $0 != two && Reference.isSet(one, two, $0) }
        #expect(thirds == [one.third(with: two)])
      }
      #expect(one.third(with: one) == one)
    }
  }

  @Test func triosAreSetsInAnyOrder() {
    var found = 0
    for one in allCards {
      for two in allCards {
        for three in [one.third(with: two), allCards[(one.index * 7 + two.index) % 81]] {
          let isSet = one != two && Reference.isSet(one, two, three)
          let trio = Trio(one, two, three)
          #expect((trio != nil) == isSet)
          guard let trio else { continue }
          found += 1
          #expect([trio.first, trio.second, trio.third] == [one, two, three].sorted())
          #expect(Array(trio.cards) == [one, two, three].sorted() && trio == Trio(completing: three, one))
        }
      }
      #expect(Trio(one, one, one) == nil && Trio(completing: one, one) == nil)
    }
    #expect(found >= 81 * 80)
  }

  @Test func notationAndName() throws {
    let card = Card(number: 1, colour: 0, shape: 1, shading: 1)
    #expect(card.notation == "2rtv" && card.name == "two red striped ovals" && "\(card)" == "2rtv")
    #expect(Card(index: 0).notation == "1rsd" && Card(index: 0).name == "one red solid diamond")
    #expect(Card(index: 80).notation == "3poq" && Card(index: 80).name == "three purple open squiggles")
    #expect(Set(allCards.map(\.notation)).count == 81 && Set(allCards.map(\.name)).count == 81)
    for card in allCards {
      #expect(try Card(text: card.notation) == card)
      #expect(try Card(text: card.notation.uppercased()) == card)
      #expect(try Card(text: String(card.notation.reversed())) == card)
      #expect(try Card(text: card.name) == card)
      #expect(
        try Card(text: "  \(card.name.uppercased().split(separator: " ").reversed().joined(separator: "\t"))") == card)
    }
    #expect(try Card(text: "2 red s oval") == Card(text: "2rsv"))
  }

  private static let form =
    "write a number (1 2 3), a colour (r g p), a shading (s t o) and a shape (d v q), such as 2rtv"

  @Test(
    arguments: [
      ("2rxv", "'2rxv' is not a card, 'x' means nothing: \(form)"),
      ("4rtv", "'4rtv' is not a card, '4' means nothing: \(form)"),
      ("two red striped circles", "'two red striped circles' is not a card, 'circles' means nothing: \(form)"),
      ("2rt", "'2rt' is not a card, it has no shape: \(form)"),
      ("2rtvv", "'2rtvv' is not a card, it has more than one shape: \(form)"),
      ("2rgtv", "'2rgtv' is not a card, it has more than one colour: \(form)"),
      ("two ovals red", "'two ovals red' is not a card, it has no shading: \(form)"),
      ("", "'' is not a card, it has no shading: \(form)"),
      ("2rt\u{1b}", "'2rt?' is not a card, '?' means nothing: \(form)"),
      ("2rtv\u{301}", "'2rtv\u{301}' is not a card, 'v\u{301}' means nothing: \(form)"),
      ("👩‍👩‍👧rtv", "'👩‍👩‍👧rtv' is not a card, '👩‍👩‍👧' means nothing: \(form)"),
    ] as [(String, String)])
  func badCardsSayWhy(_ text: String, _ expected: String) {
    do throws(CardTextError) {
      let card = try Card(text: text)
      Issue.record("\(text) was read as \(card)")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test func lists() throws {
    let cards = try Card.list(" 2rtv,1gsd\n3poq, 1rsd ")
    #expect(cards.map(\.notation) == ["2rtv", "1gsd", "3poq", "1rsd"])
    #expect(try Card.list("").isEmpty)
    #expect("\(CardSet(cards))" == "1rsd 1gsd 2rtv 3poq")
    #expect(throws: CardTextError.repeatedCard(cards[0])) { try Card.list("2rtv 1gsd 2rtv") }
    #expect(
      CardTextError.repeatedCard(cards[0]).description
        == "the card 2rtv (two red striped ovals) is there twice: a deck has each card once")
    #expect(throws: CardTextError.self) { try Card.list("2rtv two") }
    #expect(throws: CardTextError.self) { try Card.list(String(repeating: "1rsd", count: 100_000)) }
  }
}
