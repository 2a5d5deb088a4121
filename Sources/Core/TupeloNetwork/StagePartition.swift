package import TupeloEngine

/// Divides a game into stages, each with its own weights (Wu et al. 2014; Jaskowski 2018, section III-E).
///
/// The text is, for example, `largest=16384` (two stages), `sum=8192,16384` (three stages) or `present=8192,16384`
/// (four stages).
public struct StagePartition: Hashable, Sendable {
  /// The property of a position that determines its stage.
  public enum Measure: String, CaseIterable, Sendable {
    /// The number of thresholds that the largest tile on the board reaches.
    case largest
    /// The number of thresholds that the sum of all tiles reaches.
    case sum
    /// Which of the threshold tiles are on the board: the first of them counts 1, the next 2, then 4 and 8.
    case present
  }

  public let measure: Measure
  /// Tiles, or sums of tiles, in ascending order.
  public let thresholds: [Int]
  public let count: Int
  /// The stage of each exponent, in four bits each: the stage of a largest tile, or what the presence of a tile adds.
  @usableFromInline let stageOfExponent: UInt64

  /// One stage for the whole game.
  public static let single = StagePartition(measure: .largest, thresholds: [], count: 1)

  private init(measure: Measure, thresholds: [Int], count: Int) {
    self.measure = measure
    self.thresholds = thresholds
    self.count = count
    stageOfExponent = (0..<16).reduce(0) { table, exponent in
      let tile = exponent == 0 ? 0 : 1 << exponent
      let stage =
        switch measure {
        case .largest: thresholds.count { $0 <= tile }
        case .present: thresholds.firstIndex(of: tile).map { 1 << $0 } ?? 0
        case .sum: 0
        }
      return table | UInt64(stage) << UInt64(exponent * 4)
    }
  }

  /// - Throws: `StagePartitionError` unless there is at least one threshold, thresholds ascend and there are at most 16
  ///   stages. Tiles are powers of two from 4 to 16384, and sums are below 32768: a network looks up boards with larger
  ///   tiles as boards with smaller ones, so hardly any position would have a later stage.
  public init(_ measure: Measure, at thresholds: [Int]) throws(StagePartitionError) {
    let most = measure == .present ? 4 : 15
    guard (1...most).contains(thresholds.count) else { throw .count(thresholds.count, measure) }
    let count = measure == .present ? 1 << thresholds.count : thresholds.count + 1
    for (threshold, next) in zip(thresholds, thresholds.dropFirst()) where next <= threshold {
      throw .notAscending(threshold, next)
    }
    for threshold in thresholds {
      let isTile = threshold.nonzeroBitCount == 1
      guard threshold >= 4, threshold < 1 << 15, isTile || measure == .sum else { throw .threshold(threshold, measure) }
    }
    self.init(measure: measure, thresholds: thresholds, count: count)
  }

  /// Two stages: boards whose largest tile is below `tile`, and other boards. For boards that no network looks up, so
  /// the tile may be 32768.
  ///
  /// - Precondition: `tile` is a power of two from 4 to 32768.
  package static func reaching(tile: Int) -> Self {
    precondition(tile.nonzeroBitCount == 1 && (4...1 << 15).contains(tile), "no board has a largest tile of \(tile)")
    return Self(measure: .largest, thresholds: [tile], count: 2)
  }

  /// The stage whose weights a network uses for a position: the stage of the lowered board.
  package func stage(ofLowered afterstate: Afterstate) -> Int { stage(of: afterstate.loweredBits) }

  /// The stage of a position, in `0..<count`.
  ///
  /// - Complexity: O(1); O(16) by sums or presence
  @inlinable @inline(__always)
  public func stage(of bits: UInt64) -> Int {
    if count == 1 { return 0 }
    switch measure {
    case .largest: return Int(truncatingIfNeeded: stageOfExponent >> UInt64(bits.largestNibble &* 4) & 15)
    case .present: return stagePresent(bits)
    case .sum: return stageBySum(bits)
    }
  }

  @usableFromInline
  func stagePresent(_ bits: UInt64) -> Int {
    var stage: UInt64 = 0
    for cell in 0..<16 as Range<UInt64> {
      let exponent = bits >> (cell * 4) & 15
      stage |= stageOfExponent >> (exponent * 4) & 15
    }
    return Int(stage)
  }

  @usableFromInline
  func stageBySum(_ bits: UInt64) -> Int {
    let sum = (0..<16).reduce(0) { sum, cell in
      let exponent = bits >> UInt64(cell * 4) & 15
      return exponent == 0 ? sum : sum + 1 << Int(exponent)
    }
    return thresholds.count { $0 <= sum }
  }
}

extension UInt64 {
  /// The largest of the sixteen nibbles. It goes bit by bit from the top and keeps the nibbles that have the bit, if
  /// any has.
  @inlinable @inline(__always)
  var largestNibble: Int {
    var alive = UInt64.max
    var largest = 0
    for bit in stride(from: 3, through: 0, by: -1) {
      let having = self >> UInt64(bit) & alive & 0x1111_1111_1111_1111
      guard having != 0 else { continue }
      largest |= 1 << bit
      alive = having &* 15
    }
    return largest
  }
}

extension StagePartition: CustomStringConvertible {
  public var description: String {
    count == 1 ? "single" : "\(measure.rawValue)=" + thresholds.map(String.init).joined(separator: ",")
  }

  /// Reads `description` back.
  public init(text: some StringProtocol) throws(StagePartitionError) {
    if text == "single" {
      self = .single
      return
    }
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let measure = Measure(rawValue: String(parts[0])) else { throw .text(String(text)) }
    var thresholds: [Int] = []
    for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      guard let threshold = Int(word) else { throw .text(String(text)) }
      thresholds.append(threshold)
    }
    try self.init(measure, at: thresholds)
  }
}

/// Why a partition is not possible.
public enum StagePartitionError: Error, Hashable, Sendable {
  /// The number of thresholds is 0, or it would give more than 16 stages.
  case count(Int, StagePartition.Measure)
  case notAscending(Int, Int)
  case threshold(Int, StagePartition.Measure)
  case text(String)
}

extension StagePartitionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .count(0, _): "there is no threshold to begin a stage at: give at least one"
    case .count(let count, .present): "\(count) tiles make 2^\(count) stages: 4 tiles, which make 16, are the most"
    case .count(let count, let measure):
      "\(count) \(measure == .sum ? "sums" : "tiles") make \(count + 1) stages: 16 stages are the most"
    case .notAscending(let first, let second): "the stages \(first) and \(second) are not in ascending order"
    case .threshold(let threshold, .sum): "\(threshold) is not a sum at which a stage can begin: give 4 to 32767"
    case .threshold(let threshold, _):
      "\(threshold) is not a tile at which a stage can begin: give a power of two from 4 to 16384"
    case .text(let text):
      "'\(text)' does not describe stages: give single, or such as largest=16384, sum=8192,16384 or present=8192,16384"
    }
  }
}
