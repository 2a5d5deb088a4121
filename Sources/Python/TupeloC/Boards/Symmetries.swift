// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloEngine

@c @implementation
public func tupelo_symmetries(
  _ rows: Int32, _ columns: Int32, _ count: Int64, _ boards: UnsafePointer<UInt64>?, _ overflow: UnsafePointer<UInt32>?,
  _ symmetric: UnsafeMutablePointer<UInt64>?, _ symmetricOverflow: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  status {
    let shape = try BoardShape(rows: rows, columns: columns)
    guard let boards = try unsafe BoardArray(boards, overflow, count: count, shape: shape, "boards") else { return }
    let images = Images(shape)
    let symmetric = try unsafe Memory.array(symmetric, images.count * boards.count, "symmetric")
    let symmetricOverflow = try unsafe Memory.optional(symmetricOverflow, "symmetric_overflow")
    if unsafe symmetricOverflow == nil, boards.hasOverflow { throw Fault.noOverflow("symmetric_overflow") }
    for index in 0..<boards.count {
      let board = boards[index]
      let first = index * images.count
      unsafe images.write(board.bits, to: symmetric + first)
      guard let symmetricOverflow = unsafe symmetricOverflow else { continue }
      unsafe (symmetricOverflow + first).update(repeating: 0, count: images.count)
      if board.overflow == 0 { continue }
      for (place, symmetry) in shape.symmetries.enumerated() {
        unsafe symmetricOverflow[first + place] = board.applying(symmetry, in: shape).overflow
      }
    }
  }
}

/// The rotations and reflections of the nibbles of a board, in the order of `BoardShape.symmetries`.
///
/// A flip turns the 4x4 grid, which moves the board to the far side of the grid. A shift moves the board back.
private struct Images {
  let count: Int
  private let columnShift: UInt64
  private let rowShift: UInt64

  init(_ shape: BoardShape) {
    count = shape.isSquare ? 8 : 4
    columnShift = UInt64(4 * (4 - shape.columns))
    rowShift = UInt64(16 * (4 - shape.rows))
  }

  /// Soundness of the unsafe memory: `images` has `count` values.
  @inline(__always) @unsafe
  func write(_ bits: UInt64, to images: UnsafeMutablePointer<UInt64>) {
    unsafe writeFlips(bits, to: images)
    if count == 8 { unsafe writeFlips(Board(bits: bits).transposed.bits, to: images + 4) }
  }

  @inline(__always) @unsafe
  private func writeFlips(_ bits: UInt64, to images: UnsafeMutablePointer<UInt64>) {
    let mirrored = mirrored(bits)
    unsafe images[0] = bits
    unsafe images[1] = mirrored
    unsafe images[2] = upsideDown(bits)
    unsafe images[3] = upsideDown(mirrored)
  }

  /// The columns in reverse order.
  @inline(__always)
  private func mirrored(_ bits: UInt64) -> UInt64 {
    let nibbles = (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4 | bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f
    return swappedBytes(nibbles) >> columnShift
  }

  /// The rows in reverse order.
  @inline(__always)
  private func upsideDown(_ bits: UInt64) -> UInt64 { swappedBytes(bits.byteSwapped) >> rowShift }

  /// The two bytes of each row exchanged.
  @inline(__always)
  private func swappedBytes(_ bits: UInt64) -> UInt64 {
    (bits & 0x00ff_00ff_00ff_00ff) << 8 | bits >> 8 & 0x00ff_00ff_00ff_00ff
  }
}
