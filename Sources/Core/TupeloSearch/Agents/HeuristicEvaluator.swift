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

  /// 2 e^2.8 by exponent e. They are literal numbers, because the engine of the page has no power function.
  package static let mass: [Float] = [
    0, 2, 13.928808, 43.34804, 97.00585, 181.1949, 301.89328, 464.84103, 675.588, 939.52637, 1261.9146, 1647.8948,
    2102.5068, 2630.7, 3237.341, 3927.2222,
  ]

  private static func table(length: Int) -> [Float] {
    let mass = Self.mass
    return (0..<1 << 16).map { line in
      var tiles: Float = 0
      var (empty, pairs, rise, fall) = (0, 0, 0, 0)
      // The last tile that the next one may merge with, and the last cell in e^4.
      var (single, last) = (0, 0)
      for position in 0..<length {
        let exponent = line >> (position * 4) & 0xf
        tiles += mass[exponent]
        if exponent == 0 {
          empty += 1
        } else {
          pairs += exponent == single ? 1 : 0
          single = exponent == single ? 0 : exponent
        }
        let power = exponent * exponent * exponent * exponent
        if position > 0 {
          rise += max(power - last, 0)
          fall += max(last - power, 0)
        }
        last = power
      }
      return 8400 + 150 * Float(empty) + 400 * Float(pairs) - tiles - 1.4 * Float(min(rise, fall))
    }
  }
}
