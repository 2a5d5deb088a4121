internal import TupeloBase
public import TupeloEngine

/// The structure of a network, without its weights.
///
/// The structure has the board's shape, the patterns, and the stages of the game that have separate tables. It also
/// determines whether the board's symmetries share one table per pattern.
public struct NetworkSpecification: Hashable, Sendable {
  public let shape: BoardShape
  public let patterns: [TuplePattern]
  /// Whether all symmetric boards share each pattern's table.
  ///
  /// With sharing, every pattern is looked up on all symmetric boards and the values are added. Jaskowski 2018 and
  /// TDL2048+ call it symmetric sampling or isomorphism. Without sharing, each pattern is looked up on the board alone.
  public let sharesSymmetries: Bool
  public let stages: StagePartition

  /// This gives 2048 features, eight of each pattern.
  public static let maximumPatterns = 256

  /// - Throws: `NetworkSpecificationError` when there is no pattern, one is of another shape, or there are too many
  ///   weights.
  public init(
    patterns: [TuplePattern], shape: BoardShape = .standard, sharesSymmetries: Bool = true,
    stages: StagePartition = .single
  ) throws(NetworkSpecificationError) {
    guard !patterns.isEmpty else { throw .noPatterns }
    guard patterns.count <= Self.maximumPatterns else { throw .tooManyPatterns(patterns.count) }
    for pattern in patterns where pattern.shape != shape {
      throw .shapeMismatch(pattern: pattern.text, of: pattern.shape, network: shape)
    }
    // An index into all tables together has 32 bits, so the features of a position take half the cache lines.
    let weights = patterns.reduce(0) { $0 + UInt64(1) << UInt64(4 * $1.cells.count) } * UInt64(stages.count)
    guard weights <= 1 << 32, Int(exactly: weights) != nil else { throw .tooManyWeights(Int(clamping: weights)) }
    self.patterns = patterns
    self.shape = shape
    self.sharesSymmetries = sharesSymmetries
    self.stages = stages
  }

  /// Boards per pattern that are looked up: 8 on a square, 4 on a rectangle, 1 without sharing.
  public var boardsPerPattern: Int {
    sharesSymmetries ? shape.symmetries.count : 1
  }

  /// m: the number of weights that make up one value.
  public var featureCount: Int { patterns.count * boardsPerPattern }

  /// The tables: all patterns for stage 0, then all for stage 1, and so on.
  public var tables: [NetworkTable] {
    Array(repeating: patterns.map { NetworkTable($0) }, count: stages.count).flatMap { $0 }
  }

  /// The number of weights in the tables of one stage.
  public var stageWeightCount: Int { patterns.reduce(0) { $0 + $1.tableSize } }

  /// The number of weights in all tables.
  public var weightCount: Int { stageWeightCount * stages.count }

  /// The complete specification in one line, equal for equal networks.
  ///
  /// Examples are `4x4 shared 012345 456789 012456 45689a`, and with stages `4x4 shared largest=16384 012345 ...`.
  public var canonicalText: String {
    let words = ["\(shape)", sharesSymmetries ? "shared" : "separate"]
    let stages = stages.count > 1 ? ["\(self.stages)"] : []
    return (words + stages + patterns.map { $0.text }).joined(separator: " ")
  }

  /// 16 hex digits that identify the network's structure: FNV-1a (64 bits) of `canonicalText`.
  public var fingerprint: String { ModelFile.fingerprint(of: canonicalText) }
}

/// Why a network is not possible.
public enum NetworkSpecificationError: Error, Hashable, Sendable {
  case noPatterns
  case tooManyPatterns(Int)
  case tooManyWeights(Int)
  case shapeMismatch(pattern: String, of: BoardShape, network: BoardShape)
  case badCanonicalText(String)
}

extension NetworkSpecificationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noPatterns: "a network needs at least one pattern, such as 012345"
    case .tooManyPatterns(let count): "\(count) patterns are too many: 256 is the limit"
    case .tooManyWeights(let count): "\(count) weights are too many: 2^32 is the limit, use shorter or fewer patterns"
    case .shapeMismatch(let pattern, let shape, let network):
      "pattern '\(pattern)' is of a \(shape) board, the network of \(network)"
    case .badCanonicalText(let text):
      "'\(Spelling.printable(text))' does not describe a network: expected a shape, 'shared' or 'separate', and "
        + "patterns"
    }
  }
}

extension NetworkSpecification {
  /// Whether a text is one of an n-tuple network, be it whole or damaged: its second word says so. Models of other
  /// kinds and games have other texts.
  package static func isNamed(by text: String) -> Bool {
    let words = text.split(separator: " ", maxSplits: 2)
    return words.count > 1 && (words[1] == "shared" || words[1] == "separate")
  }

  /// Reads `canonicalText` back.
  public init(canonicalText text: String) throws(NetworkSpecificationError) {
    // This check comes before any parsing: no network has more words, or a longer word than the stages may have.
    let limit = Self.maximumPatterns + 3
    let words = text.utf8.count <= limit * 128 ? text.split(separator: " ", maxSplits: limit) : []
    guard words.count <= limit else { throw .badCanonicalText(text) }
    guard words.count >= 3, words[1] == "shared" || words[1] == "separate" else { throw .badCanonicalText(text) }
    let sides = words[0].split(separator: "x").compactMap(wholeNumber)
    guard sides.count == 2, let shape = try? BoardShape(rows: sides[0], columns: sides[1]),
      let stages = words[2].contains("=") ? try? StagePartition(text: words[2]) : .single
    else { throw .badCanonicalText(text) }
    var patterns: [TuplePattern] = []
    for word in words.dropFirst(stages.count > 1 ? 3 : 2) {
      guard let pattern = try? TuplePattern(text: word, shape: shape) else { throw .badCanonicalText(text) }
      patterns.append(pattern)
    }
    try self.init(patterns: patterns, shape: shape, sharesSymmetries: words[1] == "shared", stages: stages)
  }
}

/// A table of weights in a file: its name and its axes.
public struct NetworkTable: Hashable, Sendable {
  /// The table's name in reports: for a pattern its cells, such as `012345`.
  public let name: String
  /// The axes of its tensor in a file: 16 for each cell of a pattern.
  public let axes: [Int]

  /// The number of weights in the table.
  public var size: Int { axes.reduce(1, *) }

  package init(name: String, axes: [Int]) { (self.name, self.axes) = (name, axes) }

  /// The table of a pattern: a weight for each combination of tiles on its cells.
  init(_ pattern: TuplePattern) {
    self.init(name: pattern.text, axes: Array(repeating: 16, count: pattern.cells.count))
  }
}

extension NetworkTable: CustomStringConvertible {
  public var description: String { name }
}
