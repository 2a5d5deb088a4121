import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloEngine
import TupeloTables

/// Features compared with a slow count over all triples of cards, and with the symmetries of the rules.
struct SetEncoderTests {
  private let encoder = SetEncoder(SetSpecification())

  /// Afterstates of random play, from the whole deck down.
  private func afterstates(games: Int, rules: SetRules = .standard) -> [SetAfterstate] {
    var random = RandomStream(seed: 7)
    let deals = DealModel(rules)
    var states: [SetAfterstate] = []
    for _ in 0..<games {
      var position = deals.position(after: SetAfterstate(startOf: rules), using: &random)
      while !position.isOver {
        let trio = position.table.set(ofRank: random.next(below: position.table.setCount))
        guard let state = position.afterstate(of: trio) else { break }
        states.append(state)
        position = deals.position(after: state, using: &random)
      }
    }
    return states
  }

  private func features(_ state: SetAfterstate, _ encoder: SetEncoder) -> [Int] {
    var buffer = encoder.makeBuffer(slots: 2)
    encoder.write(state, into: &buffer, slot: 1)
    return buffer.features(ofSlot: 1)
  }

  /// The features by their definition: degrees by a count over all triples, kinds as tuples, repeats by a dictionary.
  private func reference(_ state: SetAfterstate, _ specification: SetSpecification) -> [Int] {
    let cards = Array(state.table.union(state.unseen))
    let onTable = cards.map { state.table.contains($0) }
    var degrees = [[Int]](repeating: [0, 0, 0], count: cards.count)
    var sets: [[Int]] = []
    for one in cards.indices {
      for two in cards.indices where two > one {
        for three in cards.indices where three > two {
          let sum = CardFeature.allCases.map { feature in
            [one, two, three].reduce(0) { $0 + cards[$1].value(of: feature) } % 3
          }
          guard sum == [0, 0, 0, 0] else { continue }
          sets.append([one, two, three])
          for member in [one, two, three] {
            degrees[member][[one, two, three].count { $0 != member && onTable[$0] }] += 1
          }
        }
      }
    }
    let block =
      (state.unseen.count / 3 * 2 + (state.table.count > specification.rules.tableSize - 3 ? 1 : 0))
      * 65_536
    var seen: [Int: Int] = [:]
    func weight(_ kind: Int) -> Int {
      defer { seen[kind, default: 0] += 1 }
      return block + kind * 8 + min(seen[kind, default: 0], 7)
    }
    var features = cards.indices.map { card in
      weight(
        (((onTable[card] ? 5 : 0) + min(degrees[card][2], 4)) * 13 + min(degrees[card][1], 12)) * 41
          + degrees[card][0])
    }
    if sets.count <= 80 {
      features += sets.map { set in
        let members = set.map { (onTable[$0] ? 12 : 0) + min(degrees[$0].reduce(0, +), 11) }.sorted()
        // The rank among all multisets, counted one by one.
        var rank = 0
        for third in 0..<24 {
          for second in 0...third {
            for first in 0...second {
              if members == [first, second, third] { return weight(5330 + rank) }
              rank += 1
            }
          }
        }
        return -1
      }
    }
    let pads = features.count..<specification.featureCount
    return features + pads.map { block + (5330 + 2600) * 8 + $0 }
  }

  @Test func featuresAreThoseOfTheDefinition() throws {
    for state in afterstates(games: 3) where !state.unseen.isEmpty {
      #expect(features(state, encoder).sorted() == reference(state, encoder.specification).sorted())
    }
    let small = try SetRules(features: 3, tableSize: 9)
    let smallEncoder = SetEncoder(SetSpecification(small))
    for state in afterstates(games: 10, rules: small) where !state.unseen.isEmpty {
      #expect(features(state, smallEncoder).sorted() == reference(state, smallEncoder.specification).sorted())
    }
  }

  @Test func featuresStayUnderSymmetries() {
    var random = RandomStream(seed: 3)
    for state in afterstates(games: 4) {
      let map = AffineMap(&random)
      let image = SetAfterstate(table: map(state.table), unseen: map(state.unseen))
      #expect(features(state, encoder).sorted() == features(image, encoder).sorted())
    }
  }

  @Test func allFeaturesNameWeights() {
    for rules in SetRules.allCases {
      let encoder = SetEncoder(SetSpecification(rules))
      for state in [SetAfterstate(startOf: rules)] + afterstates(games: 2, rules: rules) {
        #expect(features(state, encoder).allSatisfy { (0..<encoder.specification.weightCount).contains($0) })
      }
    }
  }

  @Test func emptyDeckHasNoFeaturesOfItsOwn() {
    let states = afterstates(games: 5).filter { $0.unseen.isEmpty }
    #expect(Set(states.map { features($0, encoder) }).count == 1)
  }

  /// A state of another deck is refused, because its features would lie beyond the weights.
  @Test func refusesStatesOfAnotherDeck() async {
    await #expect(processExitsWith: .trap) {
      let encoder = try SetEncoder(SetSpecification(SetRules(features: 1, tableSize: 3)))
      var features = encoder.makeBuffer(slots: 1)
      encoder.write(SetAfterstate(startOf: .standard), into: &features, slot: 0)
    }
  }
}

/// A symmetry of the rules: x -> A x + b over the field of three elements, with A invertible.
private struct AffineMap {
  private let image: [Card]

  init(_ random: inout RandomStream) {
    while true {
      let matrix = (0..<16).map { _ in random.next(below: 3) }
      let shift = (0..<4).map { _ in random.next(below: 3) }
      let image = (0..<Card.count).map { index in
        let card = Card(index: index)
        let values = (0..<4).map { row in
          CardFeature.allCases.reduce(shift[row]) { $0 + matrix[row * 4 + $1.rawValue] * card.value(of: $1) } % 3
        }
        return Card(number: values[0], colour: values[1], shape: values[2], shading: values[3])
      }
      guard Set(image).count == Card.count else { continue }
      self.image = image
      return
    }
  }

  func callAsFunction(_ cards: CardSet) -> CardSet { CardSet(cards.map { image[$0.index] }) }
}
