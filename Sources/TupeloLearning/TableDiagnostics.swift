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
    var sums = Sums()
    let fours = cells.count / width / 4
    switch (width, withNorm) {
    case (1, true): for four in 0..<fours { sums.add(cells, at: four * 4, width: 1, withNorm: true) }
    case (1, false): for four in 0..<fours { sums.add(cells, at: four * 4, width: 1, withNorm: false) }
    case (_, true): for four in 0..<fours { sums.add(cells, at: four * 12, width: 3, withNorm: true) }
    case (_, false): for four in 0..<fours { sums.add(cells, at: four * 12, width: 3, withNorm: false) }
    }
    for cell in fours * 4..<cells.count / width { sums.add(cells, cell: cell, width: width, withNorm: withNorm) }
    count += cells.count / width
    visited += Int(sums.visited.wrappedSum())
    squares += sums.squares.sum()
    stepSizes += sums.stepSizes.sum()
  }

  /// Four running sums each, so that additions need not wait for one another.
  private struct Sums {
    var visited = SIMD4<UInt32>.zero
    var squares = SIMD4<Double>.zero
    var stepSizes = SIMD4<Double>.zero

    /// Four cells from `first`.
    @inline(__always)
    mutating func add(_ cells: Span<Float>, at first: Int, width: Int, withNorm: Bool) {
      func four(_ plane: Int) -> SIMD4<Float> {
        let first = first + plane
        return SIMD4(cells[first], cells[first + width], cells[first + 2 * width], cells[first + 3 * width])
      }
      let weights = four(0)
      if withNorm {
        let wide = SIMD4<Double>(weights)
        squares += wide * wide
      }
      if width == 1 {
        add(visited: weights .!= 0, stepSizes: .one)
      } else {
        let (errors, absolute) = (four(1), four(2))
        add(visited: absolute .> 0, stepSizes: errors.replacing(with: -errors, where: errors .< 0) / absolute)
      }
    }

    /// One cell, as the first of four of which the others are zero.
    mutating func add(_ cells: Span<Float>, cell: Int, width: Int, withNorm: Bool) {
      let weight = Double(cells[cell * width])
      if withNorm { squares[0] += weight * weight }
      let stepSize = width == 1 ? 1 : abs(cells[cell * width + 1]) / cells[cell * width + 2]
      let isVisited = width == 1 ? weight != 0 : cells[cell * width + 2] > 0
      add(visited: SIMDMask([isVisited, false, false, false]), stepSizes: SIMD4(repeating: stepSize))
    }

    @inline(__always)
    private mutating func add(visited mask: SIMDMask<SIMD4<Int32>>, stepSizes sizes: SIMD4<Float>) {
      visited = visited.replacing(with: visited &+ 1, where: mask)
      stepSizes += SIMD4<Double>(SIMD4<Float>.zero.replacing(with: sizes, where: mask))
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
