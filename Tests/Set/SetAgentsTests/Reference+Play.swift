import SetAgents
import SetEngine
import TestSupport

extension Reference {
  /// The first Set of the table that leaves most Sets among `cards`, by trying all triples.
  static func mostSetsLeft(_ table: [Card], among cards: [Card]) -> [Card]? {
    var best: (set: [Card], left: Int)?
    let all = sets(cards)
    for set in sets(table) {
      let left = all.count { !$0.contains(where: set.contains) }
      if left > best?.left ?? -1 { best = (set, left) }
    }
    return best?.set
  }

  /// The expected number of Sets still to come when `choose` picks from the Sets on the table, over all deals.
  ///
  /// - Parameters:
  ///   - choose: from the table, the deck and the value of each Set on the table, the value of the position
  static func value(
    table: [Card], deck: [Card], tableSize: Int,
    _ choose: @escaping ([Card], [Card], [(set: [Card], value: () -> Double)]) -> Double
  ) -> Double {
    let found = sets(table)
    let missing = tableSize - table.count
    if !deck.isEmpty, missing > 0 || found.isEmpty {
      let deals = choices(min(missing > 0 ? missing : 3, deck.count), of: deck[...])
      let sum = deals.reduce(0.0) { sum, deal in
        sum
          + value(table: table + deal, deck: deck.filter { !deal.contains($0) }, tableSize: tableSize, choose)
      }
      return sum / Double(deals.count)
    }
    guard !found.isEmpty else { return 0 }
    return choose(
      table, deck,
      found.map { set in
        (
          set,
          { 1 + value(table: table.filter { !set.contains($0) }, deck: deck, tableSize: tableSize, choose) }
        )
      })
  }

  /// The expected number of Sets under best play.
  static func bestPlay(
    _ table: [Card], _ deck: [Card], _ sets: [(set: [Card], value: () -> Double)]
  ) -> Double {
    sets.map { $0.value() }.max() ?? 0
  }
}

/// Positions of random games.
struct RandomSetPositions {
  /// Positions with a Set, in the order of play.
  static func games(_ count: Int, rules: SetRules = .standard, seed: UInt64) -> [SetPosition] {
    let deals = DealModel(rules)
    var (agent, positions) = (RandomSetPlayer(), [SetPosition]())
    for number in 0..<UInt64(count) {
      var random = TestRandom(state: seed &+ number &* 0x9e37)
      agent.beginGame(seed: seed, number: number)
      var position = deals.position(after: SetAfterstate(startOf: rules), using: &random)
      while let trio = agent.choice(in: position), let next = position.afterstate(of: trio) {
        positions.append(position)
        position = deals.position(after: next, using: &random)
      }
    }
    return positions
  }

  /// Positions of random games with `unseen` cards in the deck.
  static func with(unseen: Int, count: Int, rules: SetRules = .standard, seed: UInt64) -> [SetPosition] {
    Array(games(count * 3, rules: rules, seed: seed).filter { $0.unseen.count == unseen }.prefix(count))
  }
}

extension Trio {
  var list: [Card] { [first, second, third] }
}
