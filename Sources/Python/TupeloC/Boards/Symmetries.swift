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
    let symmetries = shape.symmetries
    let symmetric = try unsafe Memory.array(symmetric, symmetries.count * boards.count, "symmetric")
    let symmetricOverflow = try unsafe Memory.optional(symmetricOverflow, "symmetric_overflow")
    if unsafe symmetricOverflow == nil, boards.hasOverflow { throw Fault.noOverflow("symmetric_overflow") }
    for index in 0..<boards.count {
      for (place, symmetry) in symmetries.enumerated() {
        let turned = boards[index].applying(symmetry, in: shape)
        unsafe symmetric[index * symmetries.count + place] = turned.bits
        if let symmetricOverflow = unsafe symmetricOverflow {
          unsafe symmetricOverflow[index * symmetries.count + place] = turned.overflow
        }
      }
    }
  }
}
