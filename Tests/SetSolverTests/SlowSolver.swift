/// Solves late positions of Set by the rules as people read them: cards as lists of values, all triples tried, deals of
/// several cards at once, no symmetry. Nothing here uses the modules under test.
struct SlowSolver {
  let tableSize: Int
  /// What the end of a game is worth, from the number of Sets taken after the start and of cards left.
  let worth: (_ sets: Int, _ left: Int) -> Double
  /// Joins the values of the choices, such as `max`.
  let join: (Double, Double) -> Double
  private var known: [State: Double] = [:]

  private struct State: Hashable {
    var table: [Int]
    var deck: [Int]
    var sets: Int
  }

  init(
    tableSize: Int, join: @escaping (Double, Double) -> Double = max, worth: @escaping (Int, Int) -> Double
  ) {
    (self.tableSize, self.join, self.worth) = (tableSize, join, worth)
  }

  /// Whether three cards are a Set, at 729 * a + 27 * b + c: each feature is all equal or all different.
  private static let isSet = (0..<27 * 27 * 27).map { number in
    let cards = [number / 729, number / 27 % 27, number % 27]
    return [1, 3, 9].allSatisfy { unit in Set(cards.map { $0 / unit % 3 }).count != 2 }
  }

  private static func sets(of cards: [Int]) -> [[Int]] {
    var found: [[Int]] = []
    for (one, first) in cards.enumerated() {
      for (two, second) in cards.enumerated().dropFirst(one + 1) {
        for third in cards.dropFirst(two + 1) where isSet[729 * first + 27 * second + third] {
          found.append([first, second, third])
        }
      }
    }
    return found
  }

  /// All ways to deal some of the cards.
  private static func deals(_ count: Int, of cards: ArraySlice<Int>) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return cards.indices.flatMap { index in
      deals(count - 1, of: cards[(index + 1)...]).map { [cards[index]] + $0 }
    }
  }

  /// The value of a state before or after the deal.
  ///
  /// - Parameters:
  ///   - table: the cards on the table, by index
  ///   - deck: the unseen cards
  mutating func value(table: [Int], deck: [Int], sets: Int = 0) -> Double {
    let state = State(table: table.sorted(), deck: deck, sets: sets)
    if let value = known[state] { return value }
    let value = newValue(of: state)
    known[state] = value
    return value
  }

  private mutating func newValue(of state: State) -> Double {
    let found = Self.sets(of: state.table)
    if !state.deck.isEmpty, state.table.count < tableSize || found.isEmpty {
      let count = state.table.count < tableSize ? tableSize - state.table.count : 3
      let deals = Self.deals(min(count, state.deck.count), of: state.deck[...])
      var sum = 0.0
      for deal in deals {
        sum += value(
          table: state.table + deal, deck: state.deck.filter { !deal.contains($0) }, sets: state.sets)
      }
      return sum / Double(deals.count)
    }
    var best: Double?
    for set in found {
      let value = value(table: state.table.filter { !set.contains($0) }, deck: state.deck, sets: state.sets + 1)
      best = best.map { join($0, value) } ?? value
    }
    return best ?? worth(state.sets, state.table.count)
  }
}
