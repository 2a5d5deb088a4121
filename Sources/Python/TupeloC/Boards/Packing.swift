// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloEngine

@c @implementation
public func tupelo_pack(
  _ rows: Int32, _ columns: Int32, _ count: Int64, _ exponents: UnsafePointer<UInt8>?,
  _ boards: UnsafeMutablePointer<UInt64>?, _ overflow: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  status {
    let shape = try BoardShape(rows: rows, columns: columns)
    let count = try Memory.count(count)
    if count == 0 { return }
    let size = shape.cellCount
    let exponents = try unsafe Memory.array(exponents, count * size, "exponents")
    let boards = try unsafe Memory.array(boards, count, "boards")
    let overflow = try unsafe Memory.optional(overflow, "overflow")
    var largest: UInt8 = 0
    for place in 0..<count * size { largest = unsafe max(largest, exponents[place]) }
    if largest > Board.maximumExponent {
      for place in 0..<count * size where unsafe exponents[place] > Board.maximumExponent {
        throw Fault.invalid("exponents[\(place)] is \(unsafe exponents[place]): give 0 to \(Board.maximumExponent)")
      }
    }
    if largest > 15, unsafe overflow == nil { throw Fault.noOverflow("overflow") }
    for index in 0..<count {
      // Another thread may have written a larger number since it was checked.
      let board = unsafe TileExponents(exponents + index * size, shape).board
      unsafe boards[index] = board.bits
      if let overflow = unsafe overflow { unsafe overflow[index] = board.overflow }
    }
  }
}

@c @implementation
public func tupelo_unpack(
  _ rows: Int32, _ columns: Int32, _ count: Int64, _ boards: UnsafePointer<UInt64>?, _ overflow: UnsafePointer<UInt32>?,
  _ exponents: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  status {
    let shape = try BoardShape(rows: rows, columns: columns)
    guard let boards = try unsafe BoardArray(boards, overflow, count: count, shape: shape, "boards") else { return }
    let exponents = try unsafe Memory.array(exponents, shape.cellCount * boards.count, "exponents")
    for index in 0..<boards.count {
      unsafe TileExponents(boards[index]).write(to: exponents + index * shape.cellCount, shape)
    }
  }
}
