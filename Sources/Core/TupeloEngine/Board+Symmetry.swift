/// The symmetries of a board: rotations and reflections of a grid of tiles.
///
/// A square has all eight symmetries, and a rectangle has the first four.
public enum Symmetry: Int, CaseIterable, Sendable {
  case identity
  case flippedHorizontally
  case flippedVertically
  case rotatedHalf
  case transposed
  case rotatedClockwise
  case rotatedCounterclockwise
  case antitransposed

  @usableFromInline var transposes: Bool { rawValue & 4 != 0 }
  @usableFromInline var flipsColumns: Bool { rawValue & 1 != 0 }
  @usableFromInline var flipsRows: Bool { rawValue & 2 != 0 }
}

extension BoardShape {
  /// The symmetry group of the shape, identity first: eight elements on a square, four on a rectangle.
  public var symmetries: [Symmetry] {
    isSquare ? Symmetry.allCases : Array(Symmetry.allCases.prefix(4))
  }

  /// The cell to which `symmetry` maps a cell of this shape.
  ///
  /// - Precondition: the symmetry belongs to the shape's group.
  public func cell(_ cell: Int, under symmetry: Symmetry) -> Int {
    precondition(isSquare || !symmetry.transposes, "a rectangle has no symmetry that exchanges rows and columns")
    var row = cell >> 2
    var column = cell & 3
    if symmetry.transposes { (row, column) = (column, row) }
    if symmetry.flipsColumns { column = columns - 1 - column }
    if symmetry.flipsRows { row = rows - 1 - row }
    return row * 4 + column
  }

  /// The move to which `symmetry` maps a move. Applying `move` and then `symmetry` gives the same board as applying
  /// `symmetry` and then the result.
  public func move(_ move: Move, under symmetry: Symmetry) -> Move {
    var result = move
    if symmetry.transposes {
      switch move {
      case .up: result = .left
      case .left: result = .up
      case .right: result = .down
      case .down: result = .right
      }
    }
    if result.isHorizontal ? symmetry.flipsColumns : symmetry.flipsRows {
      result = Move.allCases[(result.rawValue + 2) & 3]
    }
    return result
  }
}

extension TileGrid {
  /// The grid after a rotation or reflection.
  public func applying(_ symmetry: Symmetry, in shape: BoardShape = .standard) -> Self {
    shape.cells.reduce(Self(bits: 0, overflow: 0)) {
      $0.replacing(cell: shape.cell($1, under: symmetry), with: exponent(at: $1))
    }
  }

  /// The least of all symmetric grids. It is equal for every member of a symmetry class, so it identifies the class.
  public func canonical(in shape: BoardShape = .standard) -> Self {
    shape.symmetries.map { applying($0, in: shape) }
      .min { ($0.overflow, $0.bits) < ($1.overflow, $1.bits) } ?? self
  }
}
