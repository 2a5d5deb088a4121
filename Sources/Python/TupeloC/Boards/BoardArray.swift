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
  private let nibbles: UInt64

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
    nibbles = shape.nibbles
    for index in 0..<self.count {
      let board = given(index)
      guard board.isSound(within: nibbles) else {
        throw .invalid("\(name)[\(index)] is not a board: \(board.flaw(within: shape))")
      }
    }
  }

  /// A board, read once and checked again: it is empty if another thread has spoiled it since the first check.
  subscript(index: Int) -> Board {
    @inline(__always) get {
      let board = given(index)
      return board.isSound(within: nibbles) ? board : .empty
    }
  }

  @inline(__always)
  private func given(_ index: Int) -> Board { unsafe Board(bits: bits[index], overflow: overflow?[index] ?? 0) }

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
