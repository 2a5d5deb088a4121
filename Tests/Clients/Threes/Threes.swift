import TupeloTraining

/// The game Threes! of Vollmer and Wohlwend, without a look at the next card.
///
/// Cards are ranks 0...14, in nibbles row by row as on a board of 2048: empty, 1, 2, 3, 6, 12, ..., 6144.
struct Threes: SelfPlayGame {
  struct Position: Sendable {
    var cells: UInt64 = 0
    /// Cards 1, 2 and 3 left in the bag, a nibble each.
    var bag = fullBag
    /// The score of the card that came in. It belongs to the reward of the next choice, so that rewards add up to the
    /// score.
    var gift: Float = 0
  }

  /// A slide to the left, right, up or down, by one step.
  struct Choices: ChoiceSet {
    var cells = SIMD4<UInt64>.zero
    var rewards = SIMD4<Float>.zero
    /// The rows that move, or columns, one bit each.
    var moved = SIMD4<UInt16>.zero
    var bag: UInt16

    var end: Int { 4 }
    func contains(_ choice: Int) -> Bool { moved[choice] != 0 }
    func reward(ofChoice choice: Int) -> Float { rewards[choice] }
    func state(afterChoice choice: Int) -> Afterstate { Afterstate(bits: cells[choice]) }
  }

  /// The results of sliding a row of four cards.
  fileprivate struct Row {
    /// The row slid to its first cell, and to its last one.
    var slid: SIMD2<UInt16> = .zero
    /// The score of each of the two slides.
    var gains = SIMD2<Float>.zero
    var largest = 0
  }

  private static let fullBag: UInt16 = 0x444
  static var choiceLimit: Int { 4 }
  let name = "threes"
  private let rows = (0..<1 << 16).map { Row($0) }

  /// 3 to the power of log2(card / 3) + 1; 0 for the cards 1 and 2.
  static func score(ofRank rank: Int) -> Float { rank < 3 ? 0 : (2..<rank).reduce(1) { score, _ in score * 3 } }

  func start(using random: inout RandomStream) -> Position {
    var position = Position()
    while Afterstate(bits: position.cells).occupiedMask.nonzeroBitCount < 9 {
      let cell = random.next(below: 16)
      if position.cells >> UInt64(4 * cell) & 0xf == 0 { place(cell, &position, largest: 0, using: &random) }
    }
    return position
  }

  func choices(of position: Position) -> Choices {
    var choices = Choices(rewards: SIMD4(repeating: position.gift), bag: position.bag)
    let turned = Afterstate(bits: position.cells).transposed.bits
    for line in 0..<4 {
      let shift = UInt64(16 * line)
      let (across, down) = (
        UInt16(truncatingIfNeeded: position.cells >> shift), UInt16(truncatingIfNeeded: turned >> shift)
      )
      let (row, column) = (rows[Int(across)], rows[Int(down)])
      let slid = SIMD4(lowHalf: row.slid, highHalf: column.slid)
      choices.cells |= SIMD4<UInt64>(truncatingIfNeeded: slid) &<< shift
      choices.rewards += SIMD4(lowHalf: row.gains, highHalf: column.gains)
      choices.moved.replace(
        with: choices.moved | 1 &<< UInt16(line), where: slid .!= SIMD4(across, across, down, down))
    }
    choices.cells.z = Afterstate(bits: choices.cells.z).transposed.bits
    choices.cells.w = Afterstate(bits: choices.cells.w).transposed.bits
    return choices
  }

  /// A card comes in at the edge that the slide left, in one of the rows that moved.
  func position(after choices: Choices, choice: Int, using random: inout RandomStream) -> Position {
    var position = Position(cells: choices.cells[choice], bag: choices.bag)
    var moved = choices.moved[choice]
    for _ in 0..<random.next(below: moved.nonzeroBitCount) { moved &= moved - 1 }
    let line = moved.trailingZeroBitCount
    let cell = [4 * line + 3, 4 * line, 12 + line, line][choice]
    let largest = (0..<4).reduce(0) { max($0, rows[Int(position.cells >> UInt64(16 * $1) & 0xffff)].largest) }
    place(cell, &position, largest: largest, using: &random)
    return position
  }

  func outcome(of position: Position) -> Int { Afterstate(bits: position.cells).largestExponent }

  /// Draws a card: with probability 1/21 a bonus card, if there is a 48 on the board, and otherwise a card of the bag.
  private func place(_ cell: Int, _ position: inout Position, largest: Int, using random: inout RandomStream) {
    var rank = 0
    if largest >= 7, random.next(below: 21) == 0 {
      rank = 4 + random.next(below: largest - 6)
    } else {
      let counts = SIMD4(position.bag & 0xf, position.bag >> 4 & 0xf, position.bag >> 8, 0)
      var number = random.next(below: Int(counts.wrappedSum()))
      while number >= counts[rank] {
        number -= Int(counts[rank])
        rank += 1
      }
      position.bag -= 1 << UInt16(4 * rank)
      if position.bag == 0 { position.bag = Self.fullBag }
      rank += 1
    }
    position.cells |= UInt64(rank) << UInt64(4 * cell)
    position.gift += Self.score(ofRank: rank)
  }
}

extension Threes.Row {
  init(_ bits: Int) {
    let cards = (0..<4).map { bits >> (4 * $0) & 0xf }
    let (first, gain) = Self.slide(cards)
    let (last, lastGain) = Self.slide(cards.reversed())
    func word(_ cards: some Sequence<Int>) -> UInt16 { cards.reversed().reduce(0) { $0 << 4 | UInt16($1) } }
    self.init(
      slid: SIMD2(word(first), word(last.reversed())), gains: SIMD2(gain, lastGain), largest: cards.max() ?? 0)
  }

  /// Slides cards one step to the first cell. The first card that can move, or merge, takes all cards behind it along.
  private static func slide(_ cards: [Int]) -> (cards: [Int], gain: Float) {
    for place in 0..<3 {
      let (one, other) = (cards[place], cards[place + 1])
      let isMerge = one + other == 3 && one != 0 && other != 0 || one == other && one >= 3 && one < 14
      guard isMerge || one == 0 else { continue }
      let merged = !isMerge ? other : one < 3 ? 3 : one + 1
      let gain = isMerge ? Threes.score(ofRank: merged) - Threes.score(ofRank: one) - Threes.score(ofRank: other) : 0
      return (cards[..<place] + [merged] + cards[(place + 2)...] + [0], gain)
    }
    return (cards, 0)
  }
}
