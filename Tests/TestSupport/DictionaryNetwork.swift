/// An n-tuple network written the slow way, in double precision: a dictionary from the tiles on a pattern to a weight.
/// Boards are exponents in reading order of a 4x4 grid; it shares no code with the package.
public struct DictionaryNetwork {
  public struct Feature: Hashable {
    public let pattern: Int
    public let seen: [Int]

    /// The index in the standard order of files: first cell lowest.
    public var standardIndex: Int { seen.reversed().reduce(0) { $0 * 16 + $1 } }
  }

  public let rows: Int
  public let columns: Int
  /// Cells as numbers in reading order of the shape.
  public let patterns: [[Int]]
  public let sharesSymmetries: Bool
  public var weights: [Feature: Double] = [:]
  public var errorSums: [Feature: Double] = [:]
  public var absoluteErrorSums: [Feature: Double] = [:]

  public init(rows: Int = 4, columns: Int = 4, patterns: [String], sharesSymmetries: Bool = true) {
    self.rows = rows
    self.columns = columns
    self.patterns = patterns.map { $0.map { Int(String($0), radix: 16) ?? -1 } }
    self.sharesSymmetries = sharesSymmetries
  }

  /// All symmetric boards, repetitions included.
  public func boards(of matrix: [[Int]]) -> [[[Int]]] {
    guard sharesSymmetries else { return [matrix] }
    let mirrored = matrix.map { Array($0.reversed()) }
    let flips = [matrix, mirrored, Array(matrix.reversed()), Array(mirrored.reversed())]
    guard rows == columns else { return flips }
    return flips + flips.map { flip in flip[0].indices.map { column in flip.map { $0[column] } } }
  }

  /// A matrix of exponents as networks look it up: while a tile is above 16384, all tiles above the highest missing
  /// tile are halved. A missing 2 does not count.
  public static func lowered(_ matrix: [[Int]]) -> [[Int]] {
    let present = Set(matrix.joined())
    let largest = present.max() ?? 0
    guard largest > 14, let hole = (2..<largest).last(where: { !present.contains($0) }) else { return matrix }
    return lowered(matrix.map { row in row.map { $0 > hole ? $0 - 1 : $0 } })
  }

  /// Every table access that makes up the value of a matrix of exponents, repetitions included.
  public func features(of matrix: [[Int]]) -> [Feature] {
    let matrix = Self.lowered(matrix)
    return patterns.indices.flatMap { number in
      boards(of: matrix).map { board in
        let flat = board.flatMap { $0 }
        return Feature(pattern: number, seen: patterns[number].map { min(flat[$0], 15) })
      }
    }
  }

  public func value(of matrix: [[Int]]) -> Double {
    features(of: matrix).reduce(0) { $0 + weights[$1, default: 0] }
  }

  /// Updates by TD with a constant step size, in the textbook form. Returns the error.
  @discardableResult
  public mutating func learnConstant(_ matrix: [[Int]], target: Double, alpha: Double) -> Double {
    let features = features(of: matrix)
    let error = target - value(of: matrix)
    for feature in features { weights[feature, default: 0] += alpha * error / Double(features.count) }
    return error
  }

  /// Updates by temporal coherence; a feature that occurs several times is updated as often, one update after the
  /// other. Returns the error.
  @discardableResult
  public mutating func learnCoherent(_ matrix: [[Int]], target: Double, alpha: Double) -> Double {
    let features = features(of: matrix)
    let error = target - value(of: matrix)
    for feature in features {
      let (sum, absolute) = (errorSums[feature, default: 0], absoluteErrorSums[feature, default: 0])
      let rate = absolute == 0 ? 1 : abs(sum) / absolute
      weights[feature, default: 0] += alpha * rate * error / Double(features.count)
      errorSums[feature] = sum + error
      absoluteErrorSums[feature] = absolute + abs(error)
    }
    return error
  }
}
