/// A card of a matching game. The rules use only one property: whether three cards match.
public protocol Matchable {
  /// Whether a player may take three different cards together. The order of the cards does not matter.
  static func match(_ one: Self, _ two: Self, _ three: Self) -> Bool
}

extension Card: Matchable {
  /// A Set: each feature is all equal or all different, so its values add up to a multiple of 3.
  @inlinable
  public static func match(_ one: Card, _ two: Card, _ three: Card) -> Bool {
    one.third(with: two) == three
  }
}

/// The places of three cards on a table, in ascending order.
public struct MatchPlaces: Hashable, Sendable {
  public let first: Int
  public let second: Int
  public let third: Int

  /// Three places in any order; `nil` unless they differ.
  public init?(_ one: Int, _ two: Int, _ three: Int) {
    guard one != two, two != three, one != three else { return nil }
    let (low, high) = (min(one, two), max(one, two))
    self.init(sorted: min(low, three), max(low, min(high, three)), max(high, three))
  }

  @inlinable
  init(sorted first: Int, _ second: Int, _ third: Int) {
    (self.first, self.second, self.third) = (first, second, third)
  }
}

extension Array where Element: Matchable {
  /// Every three places whose cards match, in ascending order. It checks all C(n, 3) of them.
  @inlinable public var matches: [MatchPlaces] {
    var found: [MatchPlaces] = []
    forEachMatch { places in
      found.append(places)
      return true
    }
    return found
  }

  /// The first three places whose cards match; `nil` when none do.
  @inlinable public var firstMatch: MatchPlaces? {
    var found: MatchPlaces?
    forEachMatch { places in
      found = places
      return false
    }
    return found
  }

  /// Calls `body` with every match until it returns false.
  @inlinable
  func forEachMatch(_ body: (MatchPlaces) -> Bool) {
    for first in indices {
      for second in indices[(first + 1)...] {
        for third in indices[(second + 1)...] where Element.match(self[first], self[second], self[third]) {
          guard body(MatchPlaces(sorted: first, second, third)) else { return }
        }
      }
    }
  }
}
