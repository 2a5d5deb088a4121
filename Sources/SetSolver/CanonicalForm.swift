/// Finds the one state that stands for all states that are equal up to a symmetry of the deck.
///
/// The canonical form is the smallest code among the images of a state under some affine maps. A map is chosen by its
/// frame, the cards that it takes to cards 0, 1, 3 and 9. Only some frames are tried, so that most states have few:
///
/// 1. Every card gets a fingerprint: where it lies, and what lies on the lines through it, looked at twice.
/// 2. The first card of the frame is one of the smallest class of cards with equal fingerprints.
/// 3. Each further card of the frame comes from the smallest class of the cards outside the span so far, after the
///    fingerprints were refined by the cards chosen.
///
/// Two frames with the same image show a symmetry of the state itself. It takes the part of the search below the one
/// frame to the part below the other, from the first card on in which they differ. So the later part is left out:
/// without that, an empty table would have 303,264 frames to try.
///
/// Symmetric states have the same classes, so they try the same images. A class that is larger than it need be costs
/// time, never correctness. Source: the search for canonical labellings by refinement and individualisation, B. D.
/// McKay, "Practical graph isomorphism", 1981.
///
/// A value owns its buffers: one per thread.
struct CanonicalForm {
  private let geometry: DeckGeometry
  /// The bits of each card in the code, moved to card 0.
  private var places = [UInt64](repeating: 0, count: 27)
  /// The fingerprints of the cards, a row of 27 for each card of the frame.
  private var prints = [UInt64](repeating: 0, count: 27 * 5)
  /// The cards that go to cards 0, 1, 2, ...
  private var frame = [Int](repeating: 0, count: 27)
  /// Whether a card is among the first ones of `frame`.
  private var isSpanned = [Bool](repeating: false, count: 27)
  /// The cards chosen for the frame, in the order of the choices.
  private var chosen = [0, 0, 0, 0]
  /// The smallest image so far, and the cards that were chosen for it.
  private var smallest = UInt64.max
  private var chosenForSmallest = [0, 0, 0, 0]
  /// The level at which the search goes on: all below it is left out.
  private var resumeLevel = Int.max

  init(_ geometry: DeckGeometry) { self.geometry = geometry }

  /// The canonical form of a state.
  mutating func code(of state: StateCode) -> StateCode {
    takeFingerprints(of: state)
    smallest = .max
    resumeLevel = .max
    extendFrame(count: 0, level: 0)
    return StateCode(bits: smallest)
  }

  private mutating func takeFingerprints(of state: StateCode) {
    for card in 0..<geometry.cardCount {
      places[card] = state.bits >> UInt64(card) & (1 | 1 << 27)
      prints[27 + card] = Self.mix(places[card] + 1)
    }
    Self.refine(&prints, geometry, from: 27, to: 0)
    Self.refine(&prints, geometry, from: 0, to: 27)
    for card in 0..<geometry.cardCount { prints[card] = prints[27 + card] }
  }

  /// New fingerprints from those of the card and of the lines through it.
  private static func refine(_ array: inout [UInt64], _ geometry: DeckGeometry, from old: Int, to new: Int) {
    let (count, lines, partners) = (geometry.cardCount, geometry.linesThroughCard, geometry.partners.span)
    var prints = array.mutableSpan
    for card in 0..<count {
      var (sum, place) = (UInt64(0), 26 * card)
      for _ in 0..<lines {
        let pair = prints[old + Int(partners[place])] &+ prints[old + Int(partners[place + 1])]
        sum &+= (pair ^ pair >> 29) &* 0xbf58_476d_1ce4_e5b9
        place += 2
      }
      prints[new + card] = Self.mix(prints[old + card] ^ Self.mix(sum))
    }
  }

  /// Adds a card to the frame in all ways to be tried, or notes the image when the frame is complete.
  ///
  /// - Parameters:
  ///   - count: how many cards the frame spans: 0, 1, 3, 9 or 27
  ///   - level: how many cards were chosen; `prints` has the fingerprints in row `level`
  private mutating func extendFrame(count: Int, level: Int) {
    guard count < geometry.cardCount else { return noteImage() }
    let row = 27 * level
    let print = printOfSmallestClass(row: row)
    for card in 0..<geometry.cardCount where !isSpanned[card] && prints[row + card] == print {
      chosen[level] = card
      span(with: card, count: count)
      let spanned = max(3 * count, 1)
      if spanned < geometry.cardCount { refine(by: card, row: row) }
      extendFrame(count: spanned, level: level + 1)
      for index in count..<spanned { isSpanned[frame[index]] = false }
      if resumeLevel < level { return }
      resumeLevel = .max
    }
  }

  /// The fingerprint that the fewest cards outside the span have, the smallest of equals.
  private func printOfSmallestClass(row: Int) -> UInt64 {
    let (count, prints, isSpanned) = (geometry.cardCount, prints.span, isSpanned.span)
    var (best, fewest) = (UInt64.max, Int.max)
    for card in 0..<count where !isSpanned[card] {
      let print = prints[row + card]
      var size = 0
      for other in 0..<count where prints[row + other] == print && !isSpanned[other] { size += 1 }
      if size < fewest || size == fewest && print < best { (fewest, best) = (size, print) }
    }
    return best
  }

  /// Adds a card, and all that it spans with the `count` cards before.
  private mutating func span(with card: Int, count: Int) {
    frame[count] = card
    guard count > 0 else {
      isSpanned[card] = true
      return
    }
    let origin = frame[0]
    let opposite = geometry.third(origin, card)
    for index in 0..<count {
      frame[count + index] = geometry.sum(frame[index], card, origin: origin)
      frame[2 * count + index] = geometry.sum(frame[index], opposite, origin: origin)
    }
    for index in count..<3 * count { isSpanned[frame[index]] = true }
  }

  /// Tells the cards outside the span apart by the third card that they make with `card`, which is outside it, too.
  private mutating func refine(by card: Int, row: Int) {
    for other in 0..<geometry.cardCount where !isSpanned[other] {
      let third = geometry.third(card, other)
      prints[row + 27 + other] = Self.mix(prints[row + other] ^ Self.mix(prints[row + third] &+ 1))
    }
  }

  private mutating func noteImage() {
    var code: UInt64 = 0
    for index in 0..<geometry.cardCount { code |= places[frame[index]] << UInt64(index) }
    if code < smallest {
      (smallest, chosenForSmallest) = (code, chosen)
    } else if code == smallest, let level = chosen.indices.first(where: { chosen[$0] != chosenForSmallest[$0] }) {
      resumeLevel = level
    }
  }

  /// Spreads the bits of a number over all bits, one to one. Source: the finalizer of SplitMix64, S. Vigna.
  @inline(__always)
  private static func mix(_ number: UInt64) -> UInt64 {
    var word = number &+ 0x9e37_79b9_7f4a_7c15
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
