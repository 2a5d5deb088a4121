public import SetEngine

/// Best play near the end of a game. It considers every choice and every deal, without sampling.
///
/// With an empty deck the game has no more chance, and with three cards the last deal is certain. With six cards in the
/// deck there are 20 deals after each choice. With nine cards there are 84 deals, and then 20.
///
/// A choice takes about 2, 3, 100 and 20,000 microseconds with 0, 3, 6 and 9 cards in the deck.
public struct Endgame: Hashable, Sendable {
  /// The largest number of cards in the deck for which play is exact: 0, 3, 6 or 9.
  public let cards: Int
  private let deals: DealModel

  /// The allowed values of `cards`.
  public static var allowedCards: [Int] { [0, 3, 6, 9] }

  /// - Precondition: `cards` is 0, 3, 6 or 9.
  public init(cards: Int = 0, rules: SetRules = .standard) {
    precondition(Endgame.allowedCards.contains(cards), "exact play begins with 0, 3, 6 or 9 cards in the deck")
    self.cards = cards
    deals = DealModel(rules)
  }

  /// Whether play is exact with these cards in the deck.
  @inline(__always)
  public func includes(unseen: CardSet) -> Bool { unseen.isEmpty || cards > 0 && unseen.count <= cards }

  /// The expected number of Sets still to come under best play. Time grows with the cards in the deck.
  public func value(of position: SetPosition) -> Double {
    guard !position.unseen.isEmpty else { return Double(position.table.mostSets) }
    let most = Double((position.table.count + position.unseen.count) / 3)
    var best = 0.0
    for trio in position.sets {
      best = max(best, 1 + value(of: position.after(trio)))
      if best == most { break }
    }
    return best
  }

  /// The expected number of Sets still to come under best play, before cards are dealt.
  public func value(of afterstate: SetAfterstate) -> Double {
    if let position = deals.position(settled: afterstate) { return value(of: position) }
    var (sum, count) = (0.0, 0)
    for deal in deals.outcomes(of: afterstate) {
      sum += value(of: afterstate.dealing(deal))
      count += 1
    }
    return sum / Double(count)
  }

  /// A best choice; if several are equal, the first in the order of `CardSet.sets`; `nil` when the game is over.
  public func choice(in position: SetPosition) -> Trio? {
    guard !position.unseen.isEmpty else { return position.table.bestSet }
    var (best, highest) = (Trio?.none, -1.0)
    for trio in position.sets {
      let value = value(of: position.after(trio))
      if value > highest { (best, highest) = (trio, value) }
    }
    return best
  }

  /// The exact value of every choice.
  public func analyze(_ position: SetPosition) -> SetAnalysis {
    SetAnalysis(
      position.sets.map { ($0, 1 + value(of: position.after($0)), 0) }, isExact: true)
  }
}

extension SetPosition {
  /// The afterstate of a Set on the table.
  @inline(__always)
  func after(_ trio: Trio) -> SetAfterstate {
    SetAfterstate(table: table.subtracting(trio.cards), unseen: unseen)
  }
}

/// Plays like another agent at first, and exactly once few cards are left in the deck.
public struct EndgamePlayer<Base: SetAgent>: SetAgent {
  private var base: Base
  private let endgame: Endgame

  public init(_ base: Base, endgame: Endgame = Endgame()) { (self.base, self.endgame) = (base, endgame) }

  public mutating func beginGame(seed: UInt64, number: UInt64) { base.beginGame(seed: seed, number: number) }

  public mutating func stop(when isOver: @escaping @Sendable () -> Bool) { base.stop(when: isOver) }

  public mutating func choice(in position: SetPosition) -> Trio? {
    endgame.includes(unseen: position.unseen) ? endgame.choice(in: position) : base.choice(in: position)
  }
}

extension EndgamePlayer: AnalyzingSetAgent where Base: AnalyzingSetAgent {
  public mutating func analyze(_ position: SetPosition) -> SetAnalysis {
    endgame.includes(unseen: position.unseen) ? endgame.analyze(position) : base.analyze(position)
  }
}
