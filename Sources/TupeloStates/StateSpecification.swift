public import TupeloNetwork

/// The shape of a network with states: an n-tuple network and a table of weights for whole states on top of it.
public struct StateSpecification: Hashable, Sendable {
  public let patterns: NetworkSpecification
  /// The binary logarithm of the number of slots: at most 2^bits states can have a weight.
  public let bits: Int

  /// The allowed values of `bits`: up to 268 million states.
  public static let bitsRange = 10...28

  /// - Precondition: `bits` is in `bitsRange`.
  public init(_ patterns: NetworkSpecification, bits: Int) {
    precondition(Self.bitsRange.contains(bits))
    (self.patterns, self.bits) = (patterns, bits)
  }

  /// The table of the states. In a file it comes after the tables of the patterns.
  package var table: NetworkTable { NetworkTable(name: "states=\(bits)", axes: [1 << bits]) }

  /// All tables, in the order of files.
  public var tables: [NetworkTable] { patterns.tables + [table] }

  /// How the states' weights are laid out in files.
  package var tableMap: TableMap { TableMap(plain: table, number: patterns.tables.count) }

  /// The number of weights in all tables.
  public var weightCount: Int { patterns.weightCount + 1 << bits }

  /// The specification as one line: the patterns' line and the states, such as `3x3 shared 01234 states=24`.
  public var canonicalText: String { "\(patterns.canonicalText) \(table.name)" }

  /// Reads `canonicalText` back; `nil` for the text of a network without states.
  ///
  /// - Throws: `NetworkSpecificationError.badCanonicalText`.
  public init?(canonicalText text: String) throws(NetworkSpecificationError) {
    guard let space = text.utf8.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let last = text[text.utf8.index(after: space)...]
    guard last.hasPrefix("states=") else { return nil }
    guard let bits = Int(last.dropFirst(7)), Self.bitsRange.contains(bits) else { throw .badCanonicalText(text) }
    do {
      patterns = try NetworkSpecification(canonicalText: String(text[..<space]))
    } catch {
      throw .badCanonicalText(text)
    }
    self.bits = bits
  }
}
