import SetEngine
import SetSolver
import Testing
import TupeloEngine

@Suite struct SymmetryTests {
  /// Images under random affine maps have equal values, and the images of their choices, too.
  @Test func images() throws {
    let solution = Solved.sets6
    var random = RandomStream(seed: 4)
    for _ in 0..<200 {
      let position = solution.rules.latePosition(unseen: 3 * random.next(below: 8), using: &random)
      let map = AffineMap(using: &random)
      let image = SetPosition(uncheckedTable: map.image(position.table), unseen: map.image(position.unseen))
      let value = try #require(solution.value(of: position))
      #expect(solution.value(of: image) == value)
      let choices = try #require(solution.choiceValues(in: position)).map(\.value.sets).sorted()
      #expect(try #require(solution.choiceValues(in: image)).map(\.value.sets).sorted() == choices)
    }
  }

  /// The number of first deals up to symmetry, against Burnside's lemma: the mean number of deals that a map keeps,
  /// over all 303,264 affine maps.
  @Test func firstDeals() {
    let solution = Solved.sets12
    let first = solution.value { _ in [] }
    #expect(first.value.sets == 0 && abs(first.cardsLeft[9] - 1) < 1e-12)
    #expect(first.positionCount == AffineMap.orbits(ofSubsets: 12))
  }
}

/// x -> M x + t on triples of numbers modulo 3.
struct AffineMap {
  /// Where each of the 27 cards goes.
  let images: [Int]

  /// The map of nine entries of a matrix and three of a vector; `nil` unless it is one to one.
  init?(_ entries: [Int]) {
    images = (0..<27).map { card in
      let values = [card % 3, card / 3 % 3, card / 9]
      return (0..<3).reduce(0) { index, row in
        let sum = (0..<3).reduce(entries[9 + row]) { $0 + entries[3 * row + $1] * values[$1] }
        return index + sum % 3 * [1, 3, 9][row]
      }
    }
    guard Set(images).count == 27 else { return nil }
  }

  init(using random: inout RandomStream) {
    while true {
      if let map = AffineMap((0..<12).map { _ in random.next(below: 3) }) {
        self = map
        return
      }
    }
  }

  func image(_ cards: CardSet) -> CardSet { CardSet(cards.map { Card(index: images[$0.index]) }) }

  /// The number of subsets of a size up to all affine maps.
  ///
  /// A map keeps the subsets that are unions of its cycles. They are counted for each of the 11,232 matrices and each
  /// of the 27 vectors.
  static func orbits(ofSubsets size: Int) -> Int {
    var (kept, maps) = (0, 0)
    for number in 0..<19_683 {
      var (entries, rest) = ([Int](), number)
      for _ in 0..<9 {
        entries.append(rest % 3)
        rest /= 3
      }
      guard let linear = AffineMap(entries + [0, 0, 0]) else { continue }
      for shift in 0..<27 {
        maps += 1
        kept += keptSubsets(size) { card in
          let image = linear.images[card]
          return (image % 3 + shift % 3) % 3 + (image / 3 % 3 + shift / 3 % 3) % 3 * 3 + (image / 9 + shift / 9) % 3 * 9
        }
      }
    }
    precondition(maps == 303_264 && kept % maps == 0, "Burnside's mean is a whole number")
    return kept / maps
  }

  /// How many unions of cycles have `size` cards.
  private static func keptSubsets(_ size: Int, _ image: (Int) -> Int) -> Int {
    var (counts, seen) = ([1] + [Int](repeating: 0, count: size), UInt32(0))
    for start in 0..<27 where seen & 1 << UInt32(start) == 0 {
      var (card, length) = (start, 0)
      repeat {
        seen |= 1 << UInt32(card)
        card = image(card)
        length += 1
      } while card != start
      for total in stride(from: size, through: length, by: -1) { counts[total] += counts[total - length] }
    }
    return counts[size]
  }
}
