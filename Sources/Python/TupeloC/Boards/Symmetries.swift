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
    let (form, images) = (CanonicalForm(shape), shape.symmetries.count)
    let symmetric = try unsafe Memory.array(symmetric, images * boards.count, "symmetric")
    let symmetricOverflow = try unsafe Memory.optional(symmetricOverflow, "symmetric_overflow")
    if unsafe symmetricOverflow == nil, boards.hasOverflow { throw Fault.noOverflow("symmetric_overflow") }
    for index in 0..<boards.count {
      let board = boards[index]
      let bits = form.images(of: board.bits)
      for image in 0..<images { unsafe symmetric[index * images + image] = bits[image] }
      guard let symmetricOverflow = unsafe symmetricOverflow else { continue }
      if board.overflow == 0 {
        unsafe (symmetricOverflow + index * images).update(repeating: 0, count: images)
        continue
      }
      let overflow = form.images(of: OverflowNibbles.spread(board.overflow))
      for image in 0..<images {
        unsafe symmetricOverflow[index * images + image] = OverflowNibbles.gather(overflow[image])
      }
    }
  }
}
