internal import SetEngine
internal import TupeloBase
internal import TupeloLearning
internal import TupeloSelfPlay
internal import TupeloTraining

/// The card game Set for self-play. A reward is one Set.
///
/// With an empty deck the game has no more chance, and the rest of the game is one choice: to take as many Sets as
/// possible, which a search finds. So training needs no value of such a position.
struct SetSelfPlay: SelfPlayGame {
  private let deals: DealModel
  private let deck: SetAfterstate

  init(_ rules: SetRules) { (deals, deck) = (DealModel(rules), SetAfterstate(startOf: rules)) }

  var name: String { "set" }

  /// A full table has at most 14 Sets. On a larger table each Set has one of the last three cards. With 18 cards each
  /// of these has at most 8 pairs of partners, and with 21 cards at most 10.
  @inline(__always)
  static var choiceLimit: Int { 30 }

  var idlePosition: SetPosition { SetPosition(uncheckedTable: CardSet(), unseen: CardSet()) }

  func start(using random: inout RandomStream) -> SetPosition { deals.position(after: deck, using: &random) }

  @inline(__always)
  func choices(of position: SetPosition) -> SetChoices { SetChoices(position) }

  @inline(__always)
  func position(after choices: SetChoices, choice: Int, using random: inout RandomStream) -> SetPosition {
    deals.position(after: choices.state(afterChoice: choice), using: &random)
  }

  /// A third of the number of cards left over.
  @inline(__always)
  func outcome(of position: SetPosition) -> Int { position.table.count / 3 }
}

/// The choices of a position of Set, in the order of the Sets on the table.
struct SetChoices: ChoiceSet {
  private let position: SetPosition
  /// The number of choices.
  let count: Int
  /// The number of Sets that are taken from here on if the deck is empty; otherwise 0.
  private let rest: Int

  init(_ position: SetPosition) {
    self.position = position
    let sets = position.table.setCount
    rest = position.unseen.isEmpty ? position.table.mostSets : 0
    count = rest > 0 ? 1 : min(sets, SetSelfPlay.choiceLimit)
  }

  var end: Int { count }

  func contains(_ choice: Int) -> Bool { choice >= 0 && choice < count }

  func choice(ofRank rank: Int) -> Int { rank }

  func reward(ofChoice choice: Int) -> Float { rest > 0 ? Float(rest) : 1 }

  func state(afterChoice choice: Int) -> SetAfterstate {
    guard rest == 0 else { return SetAfterstate(table: position.table.playedOut, unseen: CardSet()) }
    let cards = position.table.set(ofRank: choice).cards
    return SetAfterstate(table: position.table.subtracting(cards), unseen: position.unseen)
  }
}

extension CardSet {
  /// The cards that are left over when as many Sets as possible are taken.
  fileprivate var playedOut: CardSet {
    var cards = self
    while let trio = cards.bestSet { cards.subtract(trio.cards) }
    return cards
  }
}
