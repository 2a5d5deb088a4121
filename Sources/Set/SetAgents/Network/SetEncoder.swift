public import SetEngine
public import TupeloTables

/// Turns afterstates of Set into the features of a `SetSpecification`.
///
/// With an empty deck all afterstates have the same features, because the remaining Sets are then computed exactly.
public struct SetEncoder: FeatureEncoder {
  public let specification: SetSpecification
  public let layout: FeatureLayout
  @usableFromInline let featureCount: Int
  @usableFromInline let deck: CardSet
  /// The largest table that counts as usual.
  @usableFromInline let usualTable: Int

  public init(_ specification: SetSpecification) {
    self.specification = specification
    featureCount = specification.featureCount
    usualTable = specification.rules.tableSize - 3
    deck = specification.rules.deck
    layout = FeatureLayout(
      featureCount: featureCount, groupSize: featureCount, weightCount: specification.weightCount)
  }

  /// - Precondition: the state has no card outside the deck of the rules: its features would lie beyond the weights.
  /// - Complexity: O(cards + Sets left), about a microsecond.
  @inlinable
  public func write(_ state: SetAfterstate, into features: inout FeatureBuffer, slot: Int) {
    precondition(
      state.table.union(state.unseen).isSubset(of: deck), "the afterstate has cards that are not in the encoder's deck")
    var writer = unsafe FeatureWriter(features.words(ofSlot: slot, for: layout), limit: featureCount)
    let phase = state.unseen.count / 3 &* 2 &+ (state.table.count > usualTable ? 1 : 0)
    let block = state.unseen.isEmpty ? 0 : phase &* SetSpecification.blockSize
    if !state.unseen.isEmpty { unsafe write(state, &writer, block: block) }
    // Missing cards and Sets have features, too, so values depend on the numbers of cards and Sets.
    let pads = block &+ (CardKind.count &+ SetKind.count) &* SetSpecification.repeats
    while unsafe writer.count < featureCount { unsafe writer.append(pads &+ writer.count) }
    unsafe writer.pad()
  }

  @unsafe @inlinable @inline(__always)
  func write(_ state: SetAfterstate, _ writer: inout FeatureWriter, block: Int) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: CardKind.count + SetKind.count + Card.count) {
      memory in
      guard let counts = memory.baseAddress else { return }
      unsafe counts.initialize(repeating: 0, count: CardKind.count + SetKind.count + Card.count)
      let degrees = unsafe counts + (CardKind.count &+ SetKind.count)
      let cards = state.table.union(state.unseen)
      var (rest, total) = (cards, 0)
      while let card = rest.popFirst() {
        let own = CardSet(card)
        let (table, unseen) = (state.table.subtracting(own), state.unseen.subtracting(own))
        let (tableThirds, unseenThirds) = (table.reflected(about: card), unseen.reflected(about: card))
        let both = table.intersection(tableThirds).count / 2
        let mixed = table.intersection(unseenThirds).count
        let neither = unseen.intersection(unseenThirds).count / 2
        let kind = CardKind.index(isOnTable: state.table.contains(card), table: both, mixed: mixed, unseen: neither)
        unsafe writer.append(block &+ repeated(kind, counts))
        let degree = both &+ mixed &+ neither
        unsafe degrees[card.index] = UInt8(truncatingIfNeeded: degree)
        total &+= degree
      }
      guard total <= 3 * SetSpecification.setLimit else { return }
      var trios = cards.sets
      while let trio = trios.next() {
        let kind = unsafe SetKind.index(
          member(trio.first, state, degrees), member(trio.second, state, degrees), member(trio.third, state, degrees))
        unsafe writer.append(block &+ repeated(CardKind.count &+ kind, counts))
      }
    }
  }

  @unsafe @inlinable @inline(__always)
  func member(_ card: Card, _ state: SetAfterstate, _ degrees: UnsafeMutablePointer<UInt8>) -> Int {
    unsafe SetKind.member(isOnTable: state.table.contains(card), degree: Int(degrees[card.index]))
  }

  /// The weight, within a block, of one more feature of a kind.
  @unsafe @inlinable @inline(__always)
  func repeated(_ kind: Int, _ counts: UnsafeMutablePointer<UInt8>) -> Int {
    let count = unsafe Int(counts[kind])
    if count < SetSpecification.repeats &- 1 { unsafe counts[kind] = UInt8(truncatingIfNeeded: count &+ 1) }
    return kind &* SetSpecification.repeats &+ count
  }
}

/// Writes the features of one slot, one after the other.
///
/// Soundness: `words` has room for `limit` words, rounded up to whole vectors of eight, and `append` stops there.
@unsafe @usableFromInline
struct FeatureWriter {
  @usableFromInline let words: UnsafeMutablePointer<UInt32>
  @usableFromInline let limit: Int
  @usableFromInline var count = 0

  @inlinable @inline(__always)
  init(_ words: UnsafeMutablePointer<UInt32>, limit: Int) { unsafe (self.words, self.limit) = (words, limit) }

  @inlinable @inline(__always)
  mutating func append(_ index: Int) {
    guard unsafe count < limit else { return }
    unsafe words[count] = UInt32(truncatingIfNeeded: index)
    unsafe count &+= 1
  }

  /// Pads the last vector, because prefetches read whole vectors.
  @inlinable @inline(__always)
  mutating func pad() {
    var place = unsafe count
    while place & 7 != 0 {
      unsafe words[place] = words[place &- 1]
      place &+= 1
    }
  }
}
