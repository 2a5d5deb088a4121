public import TupeloEngine

/// What a network looks at, without its weights: the board's shape, the patterns, whether the board's symmetries share one table
/// per pattern, and the stages of the game that have tables of their own.
public struct NetworkSpecification: Hashable, Sendable {
  public let shape: BoardShape
  public let patterns: [TuplePattern]
  /// With sharing, every pattern is looked up on all symmetric boards and the values are added (Jaskowski 2016 and TDL2048+
  /// call it symmetric sampling or isomorphism); without, on the board alone.
  public let sharesSymmetries: Bool
  public let stages: StagePartition
  /// The binary logarithm of how many weights there are for whole states, added to those of the patterns in all stages; 0 for none.
  public let stateBits: Int

  /// What `stateBits` may be: up to 268 million weights.
  public static let stateBitsRange = 10...28

  /// - Throws: `NetworkSpecificationError` when there is no pattern, one is of another shape, or there are too many weights.
  public init(
    patterns: [TuplePattern], shape: BoardShape = .standard, sharesSymmetries: Bool = true,
    stages: StagePartition = .single, stateBits: Int = 0
  ) throws(NetworkSpecificationError) {
    guard !patterns.isEmpty else { throw .noPatterns }
    guard let features = UInt16(exactly: patterns.count * 8), features <= 2048 else {
      throw .tooManyPatterns(patterns.count)
    }
    for pattern in patterns where pattern.shape != shape {
      throw .shapeMismatch(pattern: pattern.text, of: pattern.shape, network: shape)
    }
    guard stateBits == 0 || Self.stateBitsRange.contains(stateBits) else { throw .badStateBits(stateBits) }
    // An index of all tables together has 32 bits, which keeps the features of a position in half the cache lines.
    let weights = patterns.reduce(0) { $0 + $1.tableSize } * stages.count + (stateBits > 0 ? 1 << stateBits : 0)
    guard weights <= 1 << 32 else { throw .tooManyWeights(weights) }
    self.patterns = patterns
    self.shape = shape
    self.sharesSymmetries = sharesSymmetries
    self.stages = stages
    self.stateBits = stateBits
  }

  /// Boards looked at per pattern: 8 on a square, 4 on a rectangle, 1 without sharing.
  public var boardsPerPattern: Int {
    sharesSymmetries ? shape.symmetries.count : 1
  }

  /// Patterns' weights that make up one value: `m` in the papers. The state's own is not among them.
  public var featureCount: Int { patterns.count * boardsPerPattern }

  /// All patterns for stage 0, then all for stage 1, and so on; then the states, if they have a table.
  public var tables: [NetworkTable] {
    Array(repeating: patterns.map(NetworkTable.pattern), count: stages.count).flatMap(\.self)
      + (stateBits > 0 ? [.states(bits: stateBits)] : [])
  }

  /// Weights in the patterns' tables of one stage.
  public var stageWeightCount: Int { patterns.reduce(0) { $0 + $1.tableSize } }

  /// Weights in the patterns' tables of all stages.
  public var patternWeightCount: Int { stageWeightCount * stages.count }

  /// Weights in all tables.
  public var weightCount: Int { patternWeightCount + (stateBits > 0 ? 1 << stateBits : 0) }

  /// One line that says it all, the same for equal networks: `4x4 shared 012345 456789 012456 45689a`, with stages
  /// `4x4 shared largest=16384 012345 ...`, with a table of states `3x3 shared 01234 states=24`.
  public var canonicalText: String {
    let words = ["\(shape)", sharesSymmetries ? "shared" : "separate"]
    let stages = stages.count > 1 ? ["\(self.stages)"] : []
    let states = stateBits > 0 ? ["\(NetworkTable.states(bits: stateBits))"] : []
    return (words + stages + patterns.map(\.text) + states).joined(separator: " ")
  }

  /// 16 hex digits that name the network's structure: FNV-1a (64 bits) of `canonicalText`.
  public var fingerprint: String {
    let hash = canonicalText.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Why a network cannot be.
public enum NetworkSpecificationError: Error, Hashable, Sendable {
  case noPatterns
  case tooManyPatterns(Int)
  case tooManyWeights(Int)
  case shapeMismatch(pattern: String, of: BoardShape, network: BoardShape)
  case badStateBits(Int)
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
    case .badStateBits(let bits):
      "a table of 2^\(bits) states cannot be: give \(NetworkSpecification.stateBitsRange.lowerBound)"
        + " to \(NetworkSpecification.stateBitsRange.upperBound), or 0 for none"
    case .badCanonicalText(let text):
      "'\(text)' does not describe a network: expected a shape, 'shared' or 'separate', and patterns"
    }
  }
}

extension NetworkSpecification {
  /// Reads `canonicalText` back.
  public init(canonicalText text: String) throws(NetworkSpecificationError) {
    var words = text.split(separator: " ")
    guard words.count >= 3, words[1] == "shared" || words[1] == "separate" else { throw .badCanonicalText(text) }
    let sides = words[0].split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2 else { throw .badCanonicalText(text) }
    do {
      let shape = try BoardShape(rows: sides[0], columns: sides[1])
      var stateBits = 0
      if let last = words.last, last.hasPrefix("states=") {
        guard let bits = Int(last.dropFirst(7)), Self.stateBitsRange.contains(bits), words.count >= 4 else {
          throw NetworkSpecificationError.badCanonicalText(text)
        }
        stateBits = bits
        words.removeLast()
      }
      let stages = words[2].contains("=") ? try StagePartition(text: words[2]) : .single
      let patterns = try words.dropFirst(stages.count > 1 ? 3 : 2).map { try TuplePattern(text: $0, shape: shape) }
      try self.init(
        patterns: patterns, shape: shape, sharesSymmetries: words[1] == "shared", stages: stages, stateBits: stateBits)
    } catch let error as NetworkSpecificationError {
      throw error
    } catch {
      throw .badCanonicalText(text)
    }
  }
}
