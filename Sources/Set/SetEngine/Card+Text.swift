/// The notation of a card is four symbols, one per feature, such as `2rtv`: two red striped ovals.
///
/// | feature | symbols |
/// |---|---|
/// | number | `1` `2` `3` |
/// | colour | `r` red, `g` green, `p` purple |
/// | shading | `s` solid, `t` striped, `o` open |
/// | shape | `d` diamond, `v` oval, `q` squiggle |
///
/// All twelve symbols differ, so the symbols of a text may be in any order.
extension Card {
  /// The card in four symbols: number, colour, shading, shape.
  public var notation: String {
    String(CardFeature.inNotation.map { CardSymbol.symbol(of: value(of: $0), $0).letter })
  }

  /// The card in words, such as "two red striped ovals".
  public var name: String {
    let words = CardFeature.inNotation.map { CardSymbol.symbol(of: value(of: $0), $0).word }
    return words.joined(separator: " ") + (value(of: .number) == 0 ? "" : "s")
  }

  /// Reads the notation (`2rtv`) or the name ("two red striped ovals"). Order, case and plural do not matter.
  ///
  /// - Throws: `CardTextError`, which names the card and what is wrong with it.
  public init(text: some StringProtocol) throws(CardTextError) {
    let shown = String(shownOf: text, limit: 40)
    let words = text.split { $0.isSpace }.map { String($0).inLowerCase }
    let parts = words.count == 1 ? words[0].map { String($0) } : words
    var values: [Int?] = [nil, nil, nil, nil]
    for part in parts {
      guard let symbol = CardSymbol.all.first(where: { $0.isWritten(part) }) else {
        throw .unknownSymbol(String(shownOf: part, limit: 20), card: shown)
      }
      guard values[symbol.feature.rawValue] == nil else { throw .repeatedFeature(symbol.feature, card: shown) }
      values[symbol.feature.rawValue] = symbol.value
    }
    var index = 0
    for feature in CardFeature.allCases.reversed() {
      guard let value = values[feature.rawValue] else { throw .missingFeature(feature, card: shown) }
      index = index * 3 + value
    }
    self.init(index: index)
  }

  /// Reads cards in notation, separated by spaces, commas or line ends; the order is kept.
  ///
  /// - Throws: `CardTextError`, also for a card that occurs twice.
  public static func list(_ text: some StringProtocol) throws(CardTextError) -> [Card] {
    var cards: [Card] = []
    var seen = CardSet()
    for word in text.split(whereSeparator: { $0.isSpace || $0 == "," }) {
      let card = try Card(text: word)
      guard !seen.contains(card) else { throw .repeatedCard(card) }
      seen.insert(card)
      cards.append(card)
    }
    return cards
  }
}

extension Card: CustomStringConvertible {
  public var description: String { notation }
}

/// Why a text is not a card, or not a list of cards.
public enum CardTextError: Error, Hashable, Sendable {
  case unknownSymbol(String, card: String)
  case repeatedFeature(CardFeature, card: String)
  case missingFeature(CardFeature, card: String)
  case repeatedCard(Card)
}

extension CardTextError: CustomStringConvertible {
  private static let form =
    "write a number (1 2 3), a colour (r g p), a shading (s t o) and a shape (d v q), such as 2rtv"

  public var description: String {
    switch self {
    case .unknownSymbol(let symbol, let card):
      "'\(card)' is not a card, '\(symbol)' means nothing: \(Self.form)"
    case .repeatedFeature(let feature, let card):
      "'\(card)' is not a card, it has more than one \(feature): \(Self.form)"
    case .missingFeature(let feature, let card):
      "'\(card)' is not a card, it has no \(feature): \(Self.form)"
    case .repeatedCard(let card):
      "the card \(card) (\(card.name)) is there twice: a deck has each card once"
    }
  }
}

extension CardFeature: CustomStringConvertible {
  public var description: String {
    switch self {
    case .number: "number"
    case .colour: "colour"
    case .shape: "shape"
    case .shading: "shading"
    }
  }

  /// The order in which a card is written: number, colour, shading, shape, as in "two red striped ovals".
  static let inNotation: [CardFeature] = [.number, .colour, .shading, .shape]
}

/// How one value of one feature is written.
struct CardSymbol {
  let feature: CardFeature
  /// 0...2
  let value: Int
  let letter: Character
  let word: String

  static let all: [CardSymbol] = [
    CardSymbol(feature: .number, value: 0, letter: "1", word: "one"),
    CardSymbol(feature: .number, value: 1, letter: "2", word: "two"),
    CardSymbol(feature: .number, value: 2, letter: "3", word: "three"),
    CardSymbol(feature: .colour, value: 0, letter: "r", word: "red"),
    CardSymbol(feature: .colour, value: 1, letter: "g", word: "green"),
    CardSymbol(feature: .colour, value: 2, letter: "p", word: "purple"),
    CardSymbol(feature: .shape, value: 0, letter: "d", word: "diamond"),
    CardSymbol(feature: .shape, value: 1, letter: "v", word: "oval"),
    CardSymbol(feature: .shape, value: 2, letter: "q", word: "squiggle"),
    CardSymbol(feature: .shading, value: 0, letter: "s", word: "solid"),
    CardSymbol(feature: .shading, value: 1, letter: "t", word: "striped"),
    CardSymbol(feature: .shading, value: 2, letter: "o", word: "open"),
  ]

  static func symbol(of value: Int, _ feature: CardFeature) -> CardSymbol { all[feature.rawValue * 3 + value] }

  /// Whether a word in lower case means this value.
  func isWritten(_ text: String) -> Bool {
    text == String(letter) || text == word || feature == .shape && text == word + "s"
  }
}
