internal import TupeloBLAS
public import TupeloNetwork

/// What can be said about a table of weights as a whole: how large, how much of it is in use, how fast it still moves.
public struct TableDiagnostics: Hashable, Sendable {
  public private(set) var count = 0
  /// Weights that training has reached: with temporal coherence those with A > 0; without, those that are not zero.
  public private(set) var visited = 0
  private var squares = 0.0
  private var stepSizes = 0.0

  public init() {}

  /// The Euclidean norm of the weights, in score points.
  public var norm: Double { squares.squareRoot() }

  /// In 0...1.
  public var visitedShare: Double { count == 0 ? 0 : Double(visited) / Double(count) }

  /// The mean of |E| / A over the visited weights, in 0...1: the share of its step that temporal coherence lets a weight take. 0 where
  /// nothing is visited; 1 without temporal coherence.
  public var meanStepSize: Double { visited == 0 ? 0 : stepSizes / Double(visited) }

  /// Adds cells that lie one after the other, each of `width` words.
  ///
  /// - Parameter width: 1 for weights alone; 3 for weights each with its E and A.
  /// - Complexity: O(cells.count), bound by memory; one pass.
  public mutating func add(_ cells: Span<Float>, width: Int) {
    addByLoop(cells, width: width, withNorm: true)
  }

  /// Adds another part of the same table, or another table.
  public mutating func add(_ other: TableDiagnostics) {
    count += other.count
    visited += other.visited
    squares += other.squares
    stepSizes += other.stepSizes
  }

  /// The norm by BLAS, the rest by a second pass: the other column of the benchmark.
  package mutating func addByBLAS(_ cells: Span<Float>, width: Int) {
    let norm = BLAS.norm(cells, stride: width)
    squares += norm * norm
    addByLoop(cells, width: width, withNorm: false)
  }

  private mutating func addByLoop(_ cells: Span<Float>, width: Int, withNorm: Bool) {
    precondition((width == 1 || width == 3) && cells.count % width == 0)
    // Constants, so that each of the four has a loop of its own.
    let sums =
      switch (width, withNorm) {
      case (1, true): Sums(cells, width: 1, withNorm: true)
      case (1, false): Sums(cells, width: 1, withNorm: false)
      case (_, true): Sums(cells, width: 3, withNorm: true)
      case (_, false): Sums(cells, width: 3, withNorm: false)
      }
    let used = Int(sums.visited.wrappedSum())
    count += cells.count / width
    visited += used
    squares += sums.squares.sum()
    stepSizes += width == 1 ? Double(used) : sums.stepSizes.sum()
  }

  /// Four running sums each, so that additions need not wait for one another.
  private struct Sums {
    var visited = SIMD4<UInt32>.zero
    var squares = SIMD4<Double>.zero
    /// For a width of 3.
    var stepSizes = SIMD4<Double>.zero

    @inline(__always)
    init(_ cells: Span<Float>, width: Int, withNorm: Bool) {
      let count = cells.count / width
      for four in 0..<count / 4 {
        let first = four * 4 * width
        add(
          Self.four(cells, first, width), errors: width == 3 ? Self.four(cells, first + 1, width) : .zero,
          absolute: width == 3 ? Self.four(cells, first + 2, width) : .zero, width: width, withNorm: withNorm)
      }
      // The rest one by one, as the first of four of which the others are zero.
      for cell in count / 4 * 4..<count {
        let first = cell * width
        add(
          SIMD4(cells[first], 0, 0, 0), errors: width == 3 ? SIMD4(cells[first + 1], 0, 0, 0) : .zero,
          absolute: width == 3 ? SIMD4(cells[first + 2], 0, 0, 0) : .zero, width: width, withNorm: withNorm)
      }
    }

    @inline(__always)
    private static func four(_ cells: Span<Float>, _ first: Int, _ width: Int) -> SIMD4<Float> {
      SIMD4(cells[first], cells[first + width], cells[first + 2 * width], cells[first + 3 * width])
    }

    @inline(__always)
    private mutating func add(
      _ weights: SIMD4<Float>, errors: SIMD4<Float>, absolute: SIMD4<Float>, width: Int, withNorm: Bool
    ) {
      if withNorm {
        let wide = SIMD4<Double>(weights)
        squares += wide * wide
      }
      let mask = width == 1 ? weights .!= 0 : absolute .> 0
      visited = visited.replacing(with: visited &+ 1, where: mask)
      if width == 3 {
        let sizes = errors.replacing(with: -errors, where: errors .< 0) / absolute
        stepSizes += SIMD4<Double>(SIMD4<Float>.zero.replacing(with: sizes, where: mask))
      }
    }
  }
}

extension WeightStorage {
  /// Looks at some of the cells, such as those of one pattern. For moments when no worker runs.
  public func diagnostics(_ range: Range<Int>) -> TableDiagnostics {
    var diagnostics = TableDiagnostics()
    let width = Cell.stride / 4
    withWords { diagnostics.add($0.extracting(range.lowerBound * width..<range.upperBound * width), width: width) }
    return diagnostics
  }
}
