/// Maps a position to the least of all symmetric positions. The result is equal for every member of a symmetry class,
/// so it identifies the class.
///
/// For positions without tiles beyond 32768 it agrees with `TileGrid.canonical(in:)` and takes a few dozen
/// instructions.
public struct CanonicalForm: Sendable {
  @usableFromInline let isSquare: Bool
  @usableFromInline let columnShift: UInt64
  @usableFromInline let rowShift: UInt64

  public init(_ shape: BoardShape) {
    isSquare = shape.isSquare
    columnShift = UInt64(4 * (4 - shape.columns))
    rowShift = UInt64(16 * (4 - shape.rows))
  }

  /// The least position of the class, as `Board.bits`.
  @inlinable @inline(__always)
  public func callAsFunction(_ position: UInt64) -> UInt64 {
    let least = leastOfFlips(position)
    return isSquare ? min(least, leastOfFlips(position.nibblesTransposed)) : least
  }

  /// All symmetric positions in the order of `BoardShape.symmetries`. Only the first four belong to a rectangle.
  @inlinable @inline(__always)
  package func images(of position: UInt64) -> SIMD8<UInt64> {
    let (plain, transposed) = (flips(position), flips(position.nibblesTransposed))
    return SIMD8(
      plain.0, plain.1, plain.2, plain.3, transposed.0, transposed.1, transposed.2, transposed.3)
  }

  @inlinable @inline(__always)
  func leastOfFlips(_ position: UInt64) -> UInt64 {
    let flips = flips(position)
    return min(min(flips.0, flips.3), min(flips.2, flips.1))
  }

  /// The position itself, mirrored, upside down, and both. The 4x4 grid is flipped, which moves the shape to the far
  /// side; then it is shifted back to the corner.
  @inlinable @inline(__always)
  func flips(_ position: UInt64) -> (UInt64, UInt64, UInt64, UInt64) {
    let mirrored = (position.rowsReversed.byteSwapped.nibblesSwapped) &>> columnShift
    let upsideDown = position.rowsReversed &>> rowShift
    let turned = position.byteSwapped.nibblesSwapped &>> (columnShift &+ rowShift)
    return (position, mirrored, upsideDown, turned)
  }
}

extension UInt64 {
  /// The number with neighbouring nibbles exchanged.
  @inlinable @inline(__always)
  var nibblesSwapped: UInt64 {
    (self & 0x0f0f_0f0f_0f0f_0f0f) &<< 4 | self &>> 4 & 0x0f0f_0f0f_0f0f_0f0f
  }

  /// The number with its four rows of 16 bits in reverse order.
  @inlinable @inline(__always)
  var rowsReversed: UInt64 {
    let pairs = (self & 0x0000_ffff_0000_ffff) &<< 16 | self &>> 16 & 0x0000_ffff_0000_ffff
    return pairs &<< 32 | pairs &>> 32
  }
}
