public import TupeloEngine

/// Random positions for tests, from a seed.
public struct RandomPositions {
  private var random: RandomStream
  public let shape: BoardShape

  public init(seed: UInt64, shape: BoardShape = .standard) {
    random = RandomStream(seed: seed)
    self.shape = shape
  }

  /// Exponents row by row, each 0...`largest`, about a third of the cells empty.
  public mutating func matrix(largest: Int = 15) -> [[Int]] {
    (0..<shape.rows).map { _ in
      (0..<shape.columns).map { _ in random.next(below: 3) == 0 ? 0 : random.next(below: largest + 1) }
    }
  }

  public mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(random.next() >> 11) * 0x1p-53
  }

  public mutating func number(below bound: Int) -> Int { random.next(below: bound) }
}

extension Afterstate {
  /// Makes an afterstate from a matrix of exponents.
  public init(matrix: [[Int]], shape: BoardShape = .standard) throws {
    let board = try Board(exponents: matrix.flatMap { $0 }, shape: shape)
    self.init(bits: board.bits, overflow: board.overflow)
  }
}
