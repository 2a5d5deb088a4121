public import SetEngine
public import TupeloNetwork

/// The structure of a Set network: the list of weights, and which of them make up the value of an afterstate.
///
/// A value is a sum over the remaining cards and over the remaining Sets:
///
/// - **A card** is described by its place (table or deck) and by its degree: the numbers of Sets that it makes with two
///   cards of the table, with one card of each, and with two cards of the deck. A card of degree 0 is certainly left
///   over.
/// - **A Set** is described by the places of its cards and by the number of Sets of each card. Sets count only if there
///   are at most `setLimit` of them, late in the game, when each Set matters.
///
/// Both descriptions are equal under all symmetries of the rules (affine maps of the deck), so all symmetries share
/// weights. The weights of a phase (cards in the deck, table larger than usual or not) are a separate block. The n-th
/// card of a kind has its own weight, up to `repeats`, and the n-th Set of a kind does, too. Values are in Sets.
public struct SetSpecification: Hashable, Sendable {
  public let rules: SetRules

  public init(_ rules: SetRules = .standard) { self.rules = rules }

  /// The largest number of Sets that count one by one.
  public static let setLimit = 80
  /// The number of equal cards, or equal Sets, with separate weights.
  @inlinable static var repeats: Int { 8 }

  /// The number of features of a value: one per card of the deck and one per Set that counts.
  public var featureCount: Int { rules.cardCount + Self.setLimit }

  /// The number of phases: by cards in the deck, in threes, and by whether the table is larger than after most choices.
  @inlinable public var phaseCount: Int { 2 * (rules.cardCount / 3 + 1) }

  /// Weights in the block of a phase. Some 2,000 of them are not used: files are written in pieces of this size.
  @inlinable public static var blockSize: Int { 1 << 16 }

  public var weightCount: Int { phaseCount * Self.blockSize }

  /// The only table of the network in files: a row per phase.
  public var table: NetworkTable { NetworkTable(name: "degrees", axes: [phaseCount, Self.blockSize]) }
}

// MARK: Kinds

/// Kinds of cards: the place of a card, and the numbers of Sets that it makes, by the places of the other two cards.
@usableFromInline
enum CardKind {
  @usableFromInline static var count: Int { 2 * 5 * 13 * 41 }

  /// - Parameters:
  ///   - isOnTable: whether the card lies on the table
  ///   - table: Sets with two cards of the table; more than 4 count as 4
  ///   - mixed: Sets with one card of the table and one of the deck; more than 12 count as 12
  ///   - unseen: Sets with two cards of the deck, at most 40
  @inlinable @inline(__always)
  static func index(isOnTable: Bool, table: Int, mixed: Int, unseen: Int) -> Int {
    (((isOnTable ? 5 : 0) &+ min(table, 4)) &* 13 &+ min(mixed, 12)) &* 41 &+ unseen
  }
}

/// Kinds of Sets: place and degree of each of the three cards, in any order.
@usableFromInline
enum SetKind {
  /// Multisets of three of the 24 kinds of a member.
  @usableFromInline static var count: Int { 2600 }

  /// The kind of one card of a Set.
  ///
  /// - Parameter degree: the number of Sets that the card is in; more than 11 count as 11
  @inlinable @inline(__always)
  static func member(isOnTable: Bool, degree: Int) -> Int { (isOnTable ? 12 : 0) &+ min(degree, 11) }

  /// The rank of a multiset of three members among all of them, in 0..<count.
  @inlinable @inline(__always)
  static func index(_ one: Int, _ two: Int, _ three: Int) -> Int {
    let (low, high) = (min(one, two), max(one, two))
    let (first, second, third) = (min(low, three), max(low, min(high, three)), max(high, three))
    return third &* (third &+ 1) &* (third &+ 2) / 6 &+ second &* (second &+ 1) / 2 &+ first
  }
}

// MARK: Text

extension SetSpecification: CustomStringConvertible {
  /// The specification in one line, such as `set 81 cards, 12 on the table, by degrees`.
  public var canonicalText: String {
    "\(Self.prefix)\(rules.cardCount) cards, \(rules.tableSize) on the table, by degrees"
  }

  public var description: String { canonicalText }

  private static let prefix = "set "

  /// Reads `canonicalText` back; `nil` for the text of a network of another game.
  ///
  /// - Throws: `SetSpecificationError` for a Set network that this version does not support.
  public init?(canonicalText text: String) throws(SetSpecificationError) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    guard let rules = SetRules.allCases.first(where: { SetSpecification($0).canonicalText == text }) else {
      throw .unknown(text)
    }
    self.init(rules)
  }
}

/// Why a text does not describe a Set network.
public enum SetSpecificationError: Error, Hashable, Sendable {
  case unknown(String)
}

extension SetSpecificationError: CustomStringConvertible {
  public var description: String { "this program has no such network of Set: use a newer tupelo" }
}
