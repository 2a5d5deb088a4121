import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloEngine
import TupeloTables

/// Features for embeddings compared with those of the table encoder, which has tests of its own, and with symmetries.
struct SetEmbeddingEncoderTests {
  private func afterstates(rules: SetRules) -> [SetAfterstate] {
    var random = RandomStream(seed: 9)
    let deals = DealModel(rules)
    var states: [SetAfterstate] = []
    for _ in 0..<10 {
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

  private func features<E: FeatureEncoder>(_ state: E.State, _ encoder: E) -> [Int] {
    var buffer = encoder.makeBuffer(slots: 2)
    encoder.write(state, into: &buffer, slot: 1)
    return buffer.features(ofSlot: 1)
  }

  /// The table encoder's features without phase and repeats are the kinds; kinds come after the padding row.
  @Test(arguments: [SetRules.standard, .allCases[0]])
  func kindsAreThoseOfTheTable(rules: SetRules) throws {
    let (encoder, table) = (SetEmbeddingEncoder(rules), SetEncoder(SetSpecification(rules)))
    let (cards, sets) = (rules.cardCount, SetSpecification.setLimit)
    let states = afterstates(rules: rules).filter { !$0.unseen.isEmpty }
    for state in states {
      let found = features(state, encoder)
      #expect(found.count == cards + sets + 1)
      let kinds = features(state, table).map { $0 % (1 << 16) / 8 }.filter { $0 < 5330 + 2600 }
      let filled = found.dropLast().filter { $0 != SetEmbeddingEncoder.paddingIndex }
      #expect(filled.map { $0 - 1 }.sorted() == kinds.sorted())
      // Each place has its kind of feature.
      #expect(found[..<cards].allSatisfy { $0 <= 5330 })
      #expect(found[cards..<cards + sets].allSatisfy { $0 == 0 || $0 > 5330 && $0 <= 7930 })
      let usual = state.table.count <= rules.tableSize - 3
      #expect(found.last == 7931 + state.unseen.count / 3 * 2 + (usual ? 0 : 1))
      #expect(found.allSatisfy { $0 < encoder.layout.weightCount })
    }
    #expect(encoder.groups.count == encoder.layout.featureCount)
  }

  /// A buffer is used repeatedly: nothing of an earlier state is left.
  @Test func slotsAreWrittenWhole() {
    let encoder = SetEmbeddingEncoder(.standard)
    let states = afterstates(rules: .standard)
    var buffer = encoder.makeBuffer(slots: 1)
    for state in states + states.reversed() {
      encoder.write(state, into: &buffer, slot: 0)
      #expect(buffer.features(ofSlot: 0) == features(state, encoder))
    }
  }

  /// A state of another deck is refused, because its features would lie beyond the weights.
  @Test func refusesStatesOfAnotherDeck() async {
    await #expect(processExitsWith: .trap) {
      let encoder = try SetEmbeddingEncoder(SetRules(features: 1, tableSize: 3))
      var features = encoder.makeBuffer(slots: 1)
      encoder.write(SetAfterstate(startOf: .standard), into: &features, slot: 0)
    }
  }
}
