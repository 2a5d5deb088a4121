public import SetEngine
public import TupeloTables

/// Turns afterstates of Set into the features of an embedding: the kinds of cards, the kinds of Sets, and the phase.
///
/// The kinds are those of a `SetSpecification`. All phases share their rows, and the rows of equal cards or Sets are
/// added. The network behind the sums distinguishes phases and numbers. So there are few rows, and each row is trained
/// often.
///
/// Position p of the features has a fixed meaning: first a place for each card of the deck, then `setLimit` places for
/// Sets, then the phase. Places that are not filled have the padding row.
public struct SetEmbeddingEncoder: FeatureEncoder {
  public let rules: SetRules
  public let layout: FeatureLayout
  @usableFromInline let cardPlaces: Int
  @usableFromInline let deck: CardSet
  /// The largest table that counts as usual.
  @usableFromInline let usualTable: Int

  public init(_ rules: SetRules) {
    self.rules = rules
    cardPlaces = rules.cardCount
    usualTable = rules.tableSize - 3
    deck = rules.deck
    let phases = 2 * (rules.cardCount / 3 + 1)
    layout = FeatureLayout(
      featureCount: rules.cardCount + SetSpecification.setLimit + 1, groupSize: rules.cardCount,
      weightCount: 1 + CardKind.count + SetKind.count + phases)
  }

  /// The row of places that are not filled.
  public static var paddingIndex: Int { 0 }

  /// The group of each position: 0 for cards, 1 for Sets, 2 for the phase.
  public var groups: [Int] {
    [Int](repeating: 0, count: cardPlaces) + [Int](repeating: 1, count: SetSpecification.setLimit) + [2]
  }

  /// - Precondition: the state has no card outside the deck of the rules: its features would lie beyond the rows.
  /// - Complexity: O(cards + Sets left), about a microsecond.
  @inlinable
  public func write(_ state: SetAfterstate, into features: inout FeatureBuffer, slot: Int) {
    precondition(
      state.table.union(state.unseen).isSubset(of: deck), "the afterstate has cards that are not in the encoder's deck")
    let (setPlaces, count) = (cardPlaces &+ SetSpecification.setLimit, layout.featureCount)
    var writer = unsafe FeatureWriter(features.words(ofSlot: slot, for: layout), limit: count)
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Card.count) { memory in
      guard let degrees = memory.baseAddress else { return }
      unsafe degrees.initialize(repeating: 0, count: Card.count)
      let total = unsafe writeCards(state, &writer, degrees)
      while unsafe writer.count < cardPlaces { unsafe writer.append(Self.paddingIndex) }
      if total <= 3 * SetSpecification.setLimit { unsafe writeSets(state, &writer, degrees) }
    }
    while unsafe writer.count < setPlaces { unsafe writer.append(Self.paddingIndex) }
    let phase = state.unseen.count / 3 &* 2 &+ (state.table.count > usualTable ? 1 : 0)
    unsafe writer.append(1 &+ CardKind.count &+ SetKind.count &+ phase)
    unsafe writer.pad()
  }

  /// Writes the kind of each card, and its degree to `degrees`.
  ///
  /// - Returns: the sum of all degrees, three times the number of Sets
  @unsafe @inlinable @inline(__always)
  func writeCards(
    _ state: SetAfterstate, _ writer: inout FeatureWriter, _ degrees: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var (rest, total) = (state.table.union(state.unseen), 0)
    while let card = rest.popFirst() {
      let own = CardSet(card)
      let (table, unseen) = (state.table.subtracting(own), state.unseen.subtracting(own))
      let (tableThirds, unseenThirds) = (table.reflected(about: card), unseen.reflected(about: card))
      let both = table.intersection(tableThirds).count / 2
      let mixed = table.intersection(unseenThirds).count
      let neither = unseen.intersection(unseenThirds).count / 2
      let kind = CardKind.index(isOnTable: state.table.contains(card), table: both, mixed: mixed, unseen: neither)
      unsafe writer.append(1 &+ kind)
      let degree = both &+ mixed &+ neither
      unsafe degrees[card.index] = UInt8(truncatingIfNeeded: degree)
      total &+= degree
    }
    return total
  }

  @unsafe @inlinable @inline(__always)
  func writeSets(_ state: SetAfterstate, _ writer: inout FeatureWriter, _ degrees: UnsafeMutablePointer<UInt8>) {
    var trios = state.table.union(state.unseen).sets
    while let trio = trios.next() {
      let kind = unsafe SetKind.index(
        member(trio.first, state, degrees), member(trio.second, state, degrees), member(trio.third, state, degrees))
      unsafe writer.append(1 &+ CardKind.count &+ kind)
    }
  }

  @unsafe @inlinable @inline(__always)
  func member(_ card: Card, _ state: SetAfterstate, _ degrees: UnsafeMutablePointer<UInt8>) -> Int {
    unsafe SetKind.member(isOnTable: state.table.contains(card), degree: Int(degrees[card.index]))
  }
}
