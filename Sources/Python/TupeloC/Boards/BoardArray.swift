internal import TupeloEngine

/// Boards in the caller's memory, of one shape, that are only read.
///
/// Soundness of the unsafe memory: the pointers were checked, and lead to `count` values as the header asks for.
@safe
struct BoardArray {
  let count: Int
  let shape: BoardShape
  private let bits: UnsafePointer<UInt64>
  private let overflow: UnsafePointer<UInt32>?

  /// Checks the pointers and every board. The result is `nil` if there are no boards.
  ///
  /// - Throws: `Fault` that names the board.
  init?(
    _ bits: UnsafePointer<UInt64>?, _ overflow: UnsafePointer<UInt32>?, count: Int64, shape: BoardShape, _ name: String
  ) throws(Fault) {
    self.count = try Memory.count(count)
    self.shape = shape
    if self.count == 0 { return nil }
    unsafe self.bits = try Memory.array(bits, self.count, name)
    unsafe self.overflow = try Memory.optional(overflow, "overflow")
    let nibbles = shape.nibbles
    for index in 0..<self.count where !self[index].isSound(within: nibbles) {
      throw .invalid("\(name)[\(index)] is not a board: \(self[index].flaw(within: shape))")
    }
  }

  subscript(index: Int) -> Board {
    @inline(__always) get { unsafe Board(bits: bits[index], overflow: overflow?[index] ?? 0) }
  }

  /// Whether a tile is larger than 32768.
  var hasOverflow: Bool {
    let isThere = unsafe overflow != nil
    return isThere && (0..<count).contains { self[$0].overflow != 0 }
  }
}

extension Fault {
  /// The error for a result with tiles above 32768 when the caller gave no memory for them.
  static func noOverflow(_ name: String) -> Fault {
    .invalid("\(name) is NULL, and a tile is larger than 32768: give memory for it")
  }
}
