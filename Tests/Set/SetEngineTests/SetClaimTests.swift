import SetEngine
import Testing

@Suite struct SetClaimTests {
  private static func claim(_ text: String) throws -> SetClaim {
    let cards = try Card.list(text)
    return try #require(SetClaim(cards[0], cards[1], cards[2]))
  }

  /// Expectations written by hand: a person's verdict on the cards.
  @Test(
    arguments: [
      ("1rsd 2rsd 3gsd", ["two are red and one is green"]),
      ("1rsd 1psv 3gsq", ["two cards have one symbol and one has three"]),
      ("2rsd 3gtv 2poq", ["two cards have two symbols and one has three"]),
      ("1rtd 2gov 3poq", ["two are open and one is striped"]),
      ("1rsd 2rsv 3rsv", ["two have ovals and one has diamonds"]),
      (
        "1rsd 1gsv 2gov",
        [
          "two cards have one symbol and one has two", "two are green and one is red", "two are solid and one is open",
          "two have ovals and one has diamonds",
        ]
      ),
      ("1rsd 2rsd 3rsd", []),
    ] as [(String, [String])])
  func faultsAreNamed(cards: String, faults: [String]) throws {
    let claim = try Self.claim(cards)
    #expect(claim.faults == faults)
    #expect(claim.isSet == faults.isEmpty && (claim.pattern == nil) == !faults.isEmpty)
  }

  @Test(
    arguments: [
      ("1rsd 2rsd 3rsd", "same colour, shading and shape, different numbers"),
      ("1rsd 2gsd 3psd", "same shading and shape, different numbers and colours"),
      ("1rsd 2gtv 3poq", "different numbers, colours, shadings and shapes"),
    ] as [(String, String)])
  func patternsAreNamed(cards: String, pattern: String) throws {
    #expect(try Self.claim(cards).pattern == pattern)
  }

  /// Claims are compared with the reference: a Set has no fault, and any other trio has one for each feature in which
  /// two cards agree.
  @Test func allTriosOfAHand() {
    let hand = stride(from: 0, to: 81, by: 4).map { allCards[$0] }
    for one in hand {
      for two in hand {
        for three in hand {
          guard let claim = SetClaim(one, two, three) else {
            #expect(one == two || two == three || one == three)
            continue
          }
          let values = [one, two, three].map(Reference.values)
          let faults = (0..<4).filter { feature in Set(values.map { $0[feature] }).count == 2 }
          #expect(claim.isSet == Reference.isSet(one, two, three))
          #expect(claim.faults.count == faults.count)
        }
      }
    }
  }
}
