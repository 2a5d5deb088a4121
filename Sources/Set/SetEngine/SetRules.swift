/// The properties that distinguish one variant of Set from another: the deck and the size of the table.
public struct SetRules: Hashable, Sendable {
  /// The number of features in which the cards of the deck differ, 1...4. The deck has 3, 9, 27 or 81 cards, which have
  /// the first value in all other features. (The features number, colour, shape and shading are dropped from the end.)
  public let features: Int
  /// How many cards lie on the table at the start and after each deal, unless three more are needed: 3, 6, 9, 12 or 15.
  public let tableSize: Int

  /// 81 cards, 12 on the table.
  public static let standard = SetRules(uncheckedFeatures: 4, tableSize: 12)

  init(uncheckedFeatures: Int, tableSize: Int) {
    features = uncheckedFeatures
    self.tableSize = tableSize
  }

  /// - Throws: `SetRulesError` for features outside 1...4, or a table that is not 3, 6, 9, 12 or 15.
  public init(features: Int = 4, tableSize: Int = 12) throws(SetRulesError) {
    guard (1...4).contains(features) else { throw .featuresOutOfRange(features) }
    guard (3...15).contains(tableSize), tableSize % 3 == 0 else { throw .tableSizeOutOfRange(tableSize) }
    self.init(uncheckedFeatures: features, tableSize: tableSize)
  }

  /// The number of cards in the deck: 3, 9, 27 or 81.
  public var cardCount: Int { [3, 9, 27, 81][features - 1] }
  /// All the cards of a game.
  public var deck: CardSet { CardSet(firstCards: cardCount) }

  /// The cards in random order: one random number per card. `DealModel` draws the same cards from the same numbers.
  public func shuffledDeck(using random: inout some RandomNumberGenerator) -> [Card] {
    var cards = deck
    return (0..<cardCount).map { _ in cards.removeRandom(using: &random) }
  }
}

extension SetRules: CaseIterable {
  /// All possible rules.
  public static var allCases: [SetRules] {
    (1...4).flatMap { features in
      stride(from: 3, through: 15, by: 3).map { SetRules(uncheckedFeatures: features, tableSize: $0) }
    }
  }
}

/// Why a set of rules is refused.
public enum SetRulesError: Error, Hashable, Sendable {
  case featuresOutOfRange(Int)
  case tableSizeOutOfRange(Int)
}

extension SetRulesError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .featuresOutOfRange(let count):
      "\(count) features are not supported: give 1 to 4 (4 is standard)"
    case .tableSizeOutOfRange(let size):
      "a table of \(size) cards is not supported: give 3, 6, 9, 12 or 15 (12 is standard)"
    }
  }
}
