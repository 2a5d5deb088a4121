/// Three cards that a player claims as a Set, and in words why they are a Set or not.
public struct SetClaim: Hashable, Sendable {
  /// How three cards go together in one feature.
  public enum Agreement: Hashable, Sendable {
    case same
    case different
    /// Two cards have one value, and the third has another, so the cards are not a Set. Values are in 0...2.
    case split(two: Int, one: Int)
  }

  public let first: Card
  public let second: Card
  public let third: Card

  /// - Returns: `nil` unless the cards differ.
  public init?(_ first: Card, _ second: Card, _ third: Card) {
    guard first != second, second != third, first != third else { return nil }
    (self.first, self.second, self.third) = (first, second, third)
  }

  public var isSet: Bool { Card.match(first, second, third) }

  public func agreement(in feature: CardFeature) -> Agreement {
    let values = [first, second, third].map { $0.value(of: feature) }
    if values[0] == values[1] { return values[1] == values[2] ? .same : .split(two: values[0], one: values[2]) }
    if values[0] == values[2] { return .split(two: values[0], one: values[1]) }
    return values[1] == values[2] ? .split(two: values[1], one: values[0]) : .different
  }

  /// Why the cards are not a Set, such as "two are red and one is green": one text for each feature that breaks the
  /// rule, in the order of a card's name. It is empty for a Set.
  public var faults: [String] {
    CardFeature.inNotation.compactMap { feature in
      guard case .split(let two, let one) = agreement(in: feature) else { return nil }
      let (most, other) = (CardSymbol.symbol(of: two, feature).word, CardSymbol.symbol(of: one, feature).word)
      return switch feature {
      case .number: "two cards have \(most) \(two == 0 ? "symbol" : "symbols") and one has \(other)"
      case .colour, .shading: "two are \(most) and one is \(other)"
      case .shape: "two have \(most)s and one has \(other)s"
      }
    }
  }

  /// The common and the different features of a Set, such as "same colour and shading, different numbers and shapes";
  /// `nil` for cards that are not a Set.
  public var pattern: String? {
    guard isSet else { return nil }
    var (same, different) = ([String](), [String]())
    for feature in CardFeature.inNotation {
      if agreement(in: feature) == .same {
        same.append(feature.description)
      } else {
        different.append(feature.description + "s")
      }
    }
    if different.isEmpty { return "same " + Self.listed(same) }
    return (same.isEmpty ? "" : "same " + Self.listed(same) + ", ") + "different " + Self.listed(different)
  }

  private static func listed(_ words: [String]) -> String {
    words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
  }
}
