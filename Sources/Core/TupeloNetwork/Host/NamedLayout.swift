internal import TupeloBase

/// Networks with a name, from papers and programs. All are for the 4x4 board.
public struct NamedLayout: Sendable {
  public let name: String
  public let patterns: String
  public let sharesSymmetries: Bool
  /// The paper or program that the network comes from.
  public let source: String

  public static let all: [NamedLayout] = [
    NamedLayout(
      name: "17x4",
      patterns: "0123 4567 89ab cdef 048c 159d 26ae 37bf 0145 1256 2367 4589 569a 67ab 89cd 9ade abef",
      sharesSymmetries: false,
      source: "Szubert & Jaskowski 2014: all lines and 2x2 squares, each with a table of its own"),
    NamedLayout(
      name: "2x4+2x6", patterns: "0123 4567 012456 45689a", sharesSymmetries: true,
      source: "Szubert & Jaskowski 2014"),
    NamedLayout(
      name: "4x5", patterns: "01234 45678 01245 45689", sharesSymmetries: true, source: "TDL2048+ (41-32)"),
    NamedLayout(
      name: "4x6", patterns: "012345 456789 012456 45689a", sharesSymmetries: true,
      source: "Yeh et al. 2017; the default of TDL2048+"),
    NamedLayout(
      name: "5x6", patterns: "012345 456789 89abcd 012456 45689a", sharesSymmetries: true,
      source: "Jaskowski 2018 (42-33)"),
    NamedLayout(
      name: "8x6", patterns: "012456 456789 012345 234569 01259a 345678 134567 01489a", sharesSymmetries: true,
      source: "Matsuzaki 2016; Guei et al. 2021"),
  ]

  public static func named(_ name: String) -> NamedLayout? {
    all.first { $0.name == name }
  }

  /// Whether the layout with these patterns, in any order, shares them over the symmetric boards; true for patterns of
  /// no layout.
  static func sharesSymmetries(of patterns: [TuplePattern]) -> Bool {
    let names = Set(patterns.map(\.text))
    return all.first { Set($0.patterns.split(separator: " ").map(String.init)) == names }?.sharesSymmetries ?? true
  }

  public func specification() throws -> NetworkSpecification {
    try NetworkSpecification(
      patterns: patterns.split(separator: " ").map { try TuplePattern(text: $0) }, sharesSymmetries: sharesSymmetries)
  }
}

extension NetworkSpecification {
  /// The network of a named layout on the 4x4 board, with one stage: `17x4`, `2x4+2x6`, `4x5`, `4x6`, `5x6` or `8x6`.
  ///
  /// - Throws: `NamedLayoutError`, whose text lists all names.
  public static func named(_ name: String) throws(NamedLayoutError) -> NetworkSpecification {
    guard let layout = NamedLayout.named(name) else { throw .unknown(name) }
    do {
      return try layout.specification()
    } catch {
      preconditionFailure("the layout \(name) is not a network: \(error)")
    }
  }
}

/// Why a name is not the name of a layout.
public enum NamedLayoutError: Error, Hashable, Sendable {
  case unknown(String)
}

extension NamedLayoutError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknown(let name):
      "there is no layout \(name.quoted): use \(Spelling.list(NamedLayout.all.map(\.name)))"
    }
  }
}
