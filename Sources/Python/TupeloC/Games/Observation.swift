internal import TupeloEngine

/// The form in which a board is shown to a learner.
struct Observation: Sendable {
  enum Form: Int32, CaseIterable { case none, exponents, oneHot, planes }

  let form: Form
  let shape: BoardShape

  /// The number of exponents, 0 to 17.
  static let depth = TileExponents.count

  /// The bytes of one board.
  var byteCount: Int {
    switch form {
    case .none: 0
    case .exponents: shape.cellCount
    case .oneHot, .planes: shape.cellCount * Self.depth
    }
  }

  /// Writes the observation of a board.
  ///
  /// Soundness of the unsafe memory: `bytes` has `byteCount` bytes. Exponents are below `depth` for every board, sound
  /// or not: `TileExponents` cuts them.
  @inline(__always) @unsafe
  func write(_ board: Board, to bytes: UnsafeMutablePointer<UInt8>) {
    switch form {
    case .none: return
    case .exponents: unsafe TileExponents(board).write(to: bytes, shape)
    case .oneHot:
      unsafe bytes.update(repeating: 0, count: shape.cellCount * Self.depth)
      let tiles = TileExponents(board)
      var place = 0
      for row in 0..<shape.rows {
        for column in 0..<shape.columns {
          unsafe bytes[place + tiles[row * 4 + column]] = 1
          place += Self.depth
        }
      }
    case .planes:
      unsafe bytes.update(repeating: 0, count: shape.cellCount * Self.depth)
      let tiles = TileExponents(board)
      let plane = shape.cellCount
      var place = 0
      for row in 0..<shape.rows {
        for column in 0..<shape.columns {
          unsafe bytes[place + tiles[row * 4 + column] * plane] = 1
          place += 1
        }
      }
    }
  }
}

/// The exponents of sixteen cells, a byte for each, cell 0 lowest.
struct TileExponents {
  static let count = 18

  private var low: UInt64
  private var high: UInt64

  @inline(__always)
  init(_ board: some TileGrid) {
    low = Self.spread(board.bits & 0xffff_ffff)
    high = Self.spread(board.bits >> 32)
    if board.overflow != 0 { add(board.overflow) }
  }

  /// Reads a byte for each cell of the shape, row by row.
  ///
  /// Soundness of the unsafe memory: `bytes` has `shape.cellCount` bytes.
  @inline(__always) @unsafe
  init(_ bytes: UnsafePointer<UInt8>, _ shape: BoardShape) {
    if shape.cellCount == 16 {
      let raw = unsafe UnsafeRawPointer(bytes)
      low = UInt64(littleEndian: unsafe raw.loadUnaligned(as: UInt64.self))
      high = UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      return
    }
    (low, high) = (0, 0)
    var place = 0
    for row in 0..<shape.rows {
      for column in 0..<shape.columns {
        let exponent = UInt64(unsafe bytes[place]) << UInt64(row % 2 * 32 + column * 8)
        if row < 2 { low |= exponent } else { high |= exponent }
        place += 1
      }
    }
  }

  /// The board. A byte that is not an exponent becomes some exponent up to 17.
  @inline(__always)
  var board: Board {
    guard (low | high) & 0xf0f0_f0f0_f0f0_f0f0 == 0 else { return boardWithOverflow }
    return Board(bits: Self.gather(low) | Self.gather(high) << 32)
  }

  @inline(never)
  private var boardWithOverflow: Board {
    (0..<16).reduce(.empty) { $0.replacing(cell: $1, with: min(self[$1], Board.maximumExponent)) }
  }

  /// Adds the overflow of each cell, up to 2: a larger overflow would not be a tile.
  private mutating func add(_ overflow: UInt32) {
    let nibbles = OverflowNibbles.spread(overflow)
    let above = nibbles & ~(nibbles >> 1 & 0x1111_1111_1111_1111)
    low &+= Self.spread(above & 0xffff_ffff)
    high &+= Self.spread(above >> 32)
  }

  /// Eight nibbles as eight bytes.
  @inline(__always)
  fileprivate static func spread(_ nibbles: UInt64) -> UInt64 {
    let pairs = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff
    let bytes = (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff
    return (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f
  }

  /// Eight bytes below 16 as eight nibbles.
  @inline(__always)
  fileprivate static func gather(_ bytes: UInt64) -> UInt64 {
    let pairs = (bytes | bytes >> 4) & 0x00ff_00ff_00ff_00ff
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff
    return (fours | fours >> 16) & 0xffff_ffff
  }

  @inline(__always)
  subscript(cell: Int) -> Int {
    Int((cell < 8 ? low >> UInt64(cell * 8) : high >> UInt64(cell * 8 - 64)) & 0x1f)
  }

  /// The exponent of the largest tile.
  var largest: Int { (0..<16).reduce(0) { max($0, self[$1]) } }

  /// Writes a byte for each cell of the shape, row by row.
  ///
  /// Soundness of the unsafe memory: `bytes` has `shape.cellCount` bytes.
  @inline(__always) @unsafe
  func write(to bytes: UnsafeMutablePointer<UInt8>, _ shape: BoardShape) {
    if shape.cellCount == 16 {
      let raw = UnsafeMutableRawPointer(bytes)
      unsafe raw.storeBytes(of: low.littleEndian, as: UInt64.self)
      unsafe raw.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
      return
    }
    var place = 0
    for row in 0..<shape.rows {
      for column in 0..<shape.columns {
        unsafe bytes[place] = UInt8(truncatingIfNeeded: self[row * 4 + column])
        place += 1
      }
    }
  }
}

/// The overflow of sixteen cells with four bits for each cell, as in `Board.bits`.
enum OverflowNibbles {
  @inline(__always)
  static func spread(_ overflow: UInt32) -> UInt64 {
    let pairs = TileExponents.spread(UInt64(overflow))
    return (pairs | pairs << 2) & 0x3333_3333_3333_3333
  }

  @inline(__always)
  static func gather(_ nibbles: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: TileExponents.gather((nibbles | nibbles >> 2) & 0x0f0f_0f0f_0f0f_0f0f))
  }
}
