#if !hasFeature(Embedded)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif
public import TupeloEngine

/// A hand-written value function, for play without a trained network. The value is the sum of a table entry for each
/// row and each column.
///
/// With e for an exponent (1 for a 2, 11 for a 2048), a line is worth, in score points,
///
///     8400 + 150 for each empty cell + 400 for each pair that can merge
///       - 2 e^2.8 for each tile                                 (few large tiles are better than many small ones)
///       - 1.4 min(sum of e^4 by which it rises, sum of e^4 by which it falls)      (monotonic lines)
///
/// Lines that rise to one end in both directions put the largest tile into a corner. The terms are properties that
/// people look for in 2048 boards. The weights were found by experiments. configs/RESULTS.md has its strength.
public struct HeuristicEvaluator: Evaluator {
  /// Values by line: four bits a cell, the first cell in the lowest bits. Tiles beyond 32768 count as 32768.
  private let rows: [Float]
  private let columns: [Float]

  public init(shape: BoardShape = .standard) {
    rows = Self.table(length: shape.columns)
    columns = shape.isSquare ? rows : Self.table(length: shape.rows)
  }

  /// The value in score points, never below 0, because a running game is not worth less than a finished one.
  public func value(of afterstate: Afterstate) -> Float {
    Self.value(ofBits: afterstate.bits, rows: rows.span, columns: columns.span)
  }

  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    let (rows, columns) = (rows.span, columns.span)
    for index in afterstates.indices {
      values[index] = Self.value(ofBits: afterstates[index].bits, rows: rows, columns: columns)
    }
  }

  /// The sum of the line values. Rows and columns outside a smaller board add a constant to every position.
  private static func value(ofBits bits: UInt64, rows: Span<Float>, columns: Span<Float>) -> Float {
    let transposed = bits.nibblesTransposed
    var sum: Float = 0
    for shift in stride(from: 0, to: 64, by: 16) as StrideTo<UInt64> {
      sum += rows[Int(bits >> shift & 0xffff)] + columns[Int(transposed >> shift & 0xffff)]
    }
    return max(sum, 0)
  }

  private static func table(length: Int) -> [Float] {
    let mass = (0..<16).map { 2 * pow(Float($0), 2.8) }
    return (0..<1 << 16).map { line in
      let exponents = (0..<length).map { line >> ($0 * 4) & 0xf }
      let tiles = exponents.filter { $0 != 0 }
      let pairs = pairsThatMerge(tiles)
      let empty = length - tiles.count
      return 8400 + 150 * Float(empty) + 400 * Float(pairs) - tiles.reduce(0) { $0 + mass[$1] } - disorder(exponents)
    }
  }

  private static func pairsThatMerge(_ tiles: [Int]) -> Int {
    var (pairs, single) = (0, 0)
    for tile in tiles {
      let merges = tile == single
      pairs += merges ? 1 : 0
      single = merges ? 0 : tile
    }
    return pairs
  }

  /// The smaller of the total rise and the total fall, in e^4; 0 for a line that only rises or only falls.
  private static func disorder(_ exponents: [Int]) -> Float {
    var (rise, fall) = (0, 0)
    for (one, next) in zip(exponents, exponents.dropFirst()) {
      let step = next * next * next * next - one * one * one * one
      rise += max(step, 0)
      fall += max(-step, 0)
    }
    return 1.4 * Float(min(rise, fall))
  }
}
#endif
