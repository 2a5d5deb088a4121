internal import TupeloEngine

extension TileGrid {
  /// Whether the bits are a position on a board of the shape: no tile is outside of the shape, and only cells with 15
  /// have overflow, up to 131072.
  @inline(__always)
  func isSound(within nibbles: UInt64) -> Bool {
    bits & ~nibbles == 0 && (overflow == 0 || hasSoundOverflow)
  }

  @inline(never)
  private var hasSoundOverflow: Bool {
    (0..<16).allSatisfy { cell in
      let above = overflow >> UInt32(cell * 2) & 3
      return above == 0 || above < 3 && bits >> UInt64(cell * 4) & 0xf == 0xf
    }
  }

  /// The reason why the bits are not a position, in words.
  func flaw(within shape: BoardShape) -> String {
    bits & ~shape.nibbles == 0
      ? "its overflow is for a tile that is not 15, or above 2" : "it has tiles outside of \(shape)"
  }
}

extension BoardShape {
  /// A 1 in every bit of the cells of the shape.
  @inline(__always)
  var nibbles: UInt64 { cellMask &* 0xf }

  /// The shape that a caller names.
  init(rows: Int32, columns: Int32) throws(Fault) {
    do {
      try self.init(rows: Int(rows), columns: Int(columns))
    } catch {
      throw .invalid("\(error)")
    }
  }
}

extension RandomStream {
  /// The stream with the four words in the caller's memory; `nil` for four zeros, which are not a stream.
  ///
  /// Soundness of the unsafe memory: the caller has checked the pointer. The words are loaded once, so that no other
  /// thread changes them between the test and the use. `unsafeBitCast` compares the sizes.
  @inline(__always) @unsafe
  init?(words: UnsafePointer<UInt64>) {
    let loaded = unsafe UnsafeRawPointer(words).loadUnaligned(as: SIMD4<UInt64>.self)
    guard loaded != .zero else { return nil }
    self = unsafe unsafeBitCast(loaded, to: RandomStream.self)
  }

  /// Writes the four words to the caller's memory.
  @inline(__always) @unsafe
  func write(to words: UnsafeMutablePointer<UInt64>) {
    unsafe UnsafeMutableRawPointer(words).storeBytes(of: self, as: RandomStream.self)
  }
}
