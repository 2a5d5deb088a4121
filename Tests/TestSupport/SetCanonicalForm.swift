internal import SetEngine

/// Finds the one state that stands for all states of a deck of 27 cards that are equal up to a symmetry.
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
struct SetCanonicalForm {
  private let geometry: SetGeometry
  /// The bits of each card in the code, moved to card 0.
  private var places = [UInt64](repeating: 0, count: 27)
  /// The fingerprints of the cards, a row of 27 for each card of the frame.
  private var prints = [UInt64](repeating: 0, count: 27 * 5)
  /// The cards that are mapped to cards 0, 1, 2, ...
  private var frame = [Int](repeating: 0, count: 27)
  /// Whether a card is among the first ones of `frame`.
  private var isSpanned = [Bool](repeating: false, count: 27)
  /// The cards chosen for the frame, in the order of the choices.
  private var chosen = [0, 0, 0, 0]
  /// The smallest image so far, and the cards that were chosen for it.
  private var smallest = UInt64.max
  private var chosenForSmallest = [0, 0, 0, 0]
  /// The level at which the search continues: everything below it is left out.
  private var resumeLevel = Int.max

  init(_ geometry: SetGeometry) { self.geometry = geometry }

  /// The canonical form of a state.
  mutating func state(of state: SetState) -> SetState {
    takeFingerprints(of: state)
    smallest = .max
    resumeLevel = .max
    extendFrame(count: 0, level: 0)
    return SetState(bits: smallest)
  }

  private mutating func takeFingerprints(of state: SetState) {
    for card in 0..<27 {
      places[card] = state.bits >> UInt64(card) & (1 | 1 << 27)
      prints[27 + card] = Self.mix(places[card] + 1)
    }
    Self.refine(&prints, geometry, from: 27, to: 0)
    Self.refine(&prints, geometry, from: 0, to: 27)
    for card in 0..<27 { prints[card] = prints[27 + card] }
  }

  /// Computes new fingerprints from those of the card and of the 13 lines through it.
  private static func refine(_ prints: inout [UInt64], _ geometry: SetGeometry, from old: Int, to new: Int) {
    for card in 0..<27 {
      var (sum, place) = (UInt64(0), 26 * card)
      for _ in 0..<13 {
        let pair = prints[old + geometry.partners[place]] &+ prints[old + geometry.partners[place + 1]]
        sum &+= (pair ^ pair >> 29) &* 0xbf58_476d_1ce4_e5b9
        place += 2
      }
      prints[new + card] = mix(prints[old + card] ^ mix(sum))
    }
  }

  /// Adds a card to the frame in all ways to be tried, or notes the image when the frame is complete.
  ///
  /// - Parameters:
  ///   - count: how many cards the frame spans: 0, 1, 3, 9 or 27
  ///   - level: how many cards were chosen; `prints` has the fingerprints in row `level`
  private mutating func extendFrame(count: Int, level: Int) {
    guard count < 27 else { return noteImage() }
    let row = 27 * level
    let print = printOfSmallestClass(row: row)
    for card in 0..<27 where !isSpanned[card] && prints[row + card] == print {
      chosen[level] = card
      span(with: card, count: count)
      let spanned = max(3 * count, 1)
      if spanned < 27 { refine(by: card, row: row) }
      extendFrame(count: spanned, level: level + 1)
      for index in count..<spanned { isSpanned[frame[index]] = false }
      if resumeLevel < level { return }
      resumeLevel = .max
    }
  }

  /// The fingerprint that the fewest cards outside the span have, the smallest of equals.
  private func printOfSmallestClass(row: Int) -> UInt64 {
    var (best, fewest) = (UInt64.max, Int.max)
    for card in 0..<27 where !isSpanned[card] {
      let print = prints[row + card]
      var size = 0
      for other in 0..<27 where prints[row + other] == print && !isSpanned[other] { size += 1 }
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

  /// Distinguishes the cards outside the span by the third card that they make with `card`, which is outside it, too.
  private mutating func refine(by card: Int, row: Int) {
    for other in 0..<27 where !isSpanned[other] {
      let third = geometry.third(card, other)
      prints[row + 27 + other] = Self.mix(prints[row + other] ^ Self.mix(prints[row + third] &+ 1))
    }
  }

  private mutating func noteImage() {
    var code: UInt64 = 0
    for index in 0..<27 { code |= places[frame[index]] << UInt64(index) }
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

/// The 27 cards as the points of an affine space over the field of three elements. Sets are its lines, and the maps
/// that take Sets to Sets are the affine maps.
struct SetGeometry: Sendable {
  /// The third card of cards a and b at `27 * a + b`; of a card with itself, the card again.
  private let thirds: [Int]
  /// The lines through every card: the other two cards of line k through card c at `26 * c + 2 * k`.
  let partners: [Int]

  init() {
    var (thirds, partners) = ([Int](), [Int]())
    for first in 0..<27 {
      for second in 0..<27 {
        let third = Card(index: first).third(with: Card(index: second)).index
        thirds.append(third)
        if second < third { partners += [second, third] }
      }
    }
    (self.thirds, self.partners) = (thirds, partners)
  }

  func third(_ one: Int, _ two: Int) -> Int { thirds[27 * one + two] }

  /// The card one + two - origin of the affine space.
  func sum(_ one: Int, _ two: Int, origin: Int) -> Int { third(origin, third(one, two)) }
}
