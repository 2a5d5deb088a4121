package import TupeloTables

/// Statistics of a weight table: its size, how much of it is in use, and how fast its weights still move.
public struct TableDiagnostics: Hashable, Sendable {
  public private(set) var count = 0
  /// The number of weights that training has reached: with temporal coherence the weights with A > 0 that are not fixed
  /// at zero, otherwise the weights that are not zero.
  public private(set) var visited = 0
  private var squares = 0.0
  private var stepSizes = 0.0

  public init() {}

  /// The Euclidean norm of the weights, in score points.
  public var norm: Double { squares.squareRoot() }

  /// The visited share of the weights, in 0...1.
  public var visitedShare: Double { count == 0 ? 0 : Double(visited) / Double(count) }

  /// The mean of |E| / A over the visited weights, in 0...1.
  ///
  /// This is the share of a full step that temporal coherence allows a weight. It is 0 if no weight is visited, and 1
  /// without temporal coherence.
  public var meanStepSize: Double { visited == 0 ? 0 : stepSizes / Double(visited) }

  /// Adds weights without sums.
  ///
  /// - Complexity: O(weights.count), bound by memory; one pass.
  public mutating func add(_ weights: Span<Float>) {
    add(Sums(weights), count: weights.count)
  }

  /// Adds weights with their sums of temporal coherence: E and A of the first, E and A of the second, and so on.
  ///
  /// - Precondition: twice as many sums as weights.
  /// - Complexity: O(weights.count), bound by memory; one pass.
  public mutating func add(_ weights: Span<Float>, sums: Span<Float>) {
    add(Sums(weights, sums), count: weights.count)
  }

  /// Adds the statistics of another part of this table, or of another table.
  public mutating func add(_ other: TableDiagnostics) {
    count += other.count
    visited += other.visited
    squares += other.squares
    stepSizes += other.stepSizes
  }

  private mutating func add(_ sums: Sums, count: Int) {
    self.count += count
    visited += SIMD4<Int>(truncatingIfNeeded: sums.visited).wrappedSum()
    squares += sums.squares.sum()
    stepSizes += sums.stepSizes.sum()
  }

  /// Running sums in four lanes, so that additions need not wait for one another.
  private struct Sums {
    var visited = SIMD4<UInt32>.zero
    var squares = SIMD4<Double>.zero
    var stepSizes = SIMD4<Double>.zero

    @inline(__always)
    init(_ weights: Span<Float>) {
      for first in stride(from: 0, to: weights.count, by: 4) {
        let four = Self.four(weights, from: first, step: 1)
        add(squaresOf: four)
        let mask = four .!= 0
        visited = visited.replacing(with: visited &+ 1, where: mask)
      }
      stepSizes = SIMD4<Double>(visited)
    }

    @inline(__always)
    init(_ weights: Span<Float>, _ sums: Span<Float>) {
      precondition(sums.count == 2 * weights.count)
      for first in stride(from: 0, to: weights.count, by: 4) {
        add(squaresOf: Self.four(weights, from: first, step: 1))
        let errors = Self.four(sums, from: 2 * first, step: 2)
        let absolute = Self.four(sums, from: 2 * first + 1, step: 2)
        let mask = absolute .> 0 .& absolute .< .infinity
        visited = visited.replacing(with: visited &+ 1, where: mask)
        let sizes = errors.replacing(with: -errors, where: errors .< 0) / absolute
        stepSizes += SIMD4<Double>(SIMD4<Float>.zero.replacing(with: sizes, where: mask))
      }
    }

    /// Four numbers, padded with zeros at the end.
    @inline(__always)
    private static func four(_ numbers: Span<Float>, from first: Int, step: Int) -> SIMD4<Float> {
      if first + 3 * step < numbers.count {
        return SIMD4(numbers[first], numbers[first + step], numbers[first + 2 * step], numbers[first + 3 * step])
      }
      var four = SIMD4<Float>.zero
      for lane in 0..<4 where first + lane * step < numbers.count { four[lane] = numbers[first + lane * step] }
      return four
    }

    @inline(__always)
    private mutating func add(squaresOf weights: SIMD4<Float>) {
      let wide = SIMD4<Double>(weights)
      squares += wide * wide
    }
  }
}

extension ReadableWeights {
  /// The statistics of a range of cells, such as those of one pattern.
  package func diagnostics(_ range: Range<Int>) -> TableDiagnostics {
    var diagnostics = TableDiagnostics()
    withWeights { weights in
      let weights = weights.extracting(range)
      if Cell.sumCount == 0 { return diagnostics.add(weights) }
      withSums { diagnostics.add(weights, sums: $0.extracting(range.lowerBound * 2..<range.upperBound * 2)) }
    }
    return diagnostics
  }
}
