/// Checks of the pointers and numbers that come from C, before they are used.
///
/// The amount of memory behind a pointer cannot be checked. The header says how much memory each function needs.
enum Memory {
  /// The most games or boards of a call: sizes in bytes stay far below 2^63.
  static let largestCount = 1 << 32

  @inline(__always)
  static func count(_ count: Int64, _ name: String = "count", least: Int64 = 0) throws(Fault) -> Int {
    guard (least...Int64(largestCount)).contains(count) else {
      throw .invalid("\(name) is \(count): give \(least) to \(largestCount)")
    }
    return Int(count)
  }

  /// Memory for `count` values, to read.
  @inline(__always)
  static func array<T>(_ pointer: UnsafePointer<T>?, _ count: Int, _ name: String) throws(Fault) -> UnsafePointer<T> {
    guard let array = try unsafe optional(pointer, name) else {
      throw .invalid("\(name) is NULL: give memory for \(count) values")
    }
    return unsafe array
  }

  /// Memory for `count` values, to write.
  @inline(__always)
  static func array<T>(
    _ pointer: UnsafeMutablePointer<T>?, _ count: Int, _ name: String
  ) throws(Fault) -> UnsafeMutablePointer<T> {
    guard let array = try unsafe optional(pointer, name) else {
      throw .invalid("\(name) is NULL: give memory for \(count) values")
    }
    return unsafe array
  }

  /// Memory that may be left out, to read; `nil` for NULL.
  @inline(__always)
  static func optional<T>(_ pointer: UnsafePointer<T>?, _ name: String) throws(Fault) -> UnsafePointer<T>? {
    try check(UInt(bitPattern: pointer), MemoryLayout<T>.alignment, name)
    return unsafe pointer
  }

  /// Memory that may be left out, to write; `nil` for NULL.
  @inline(__always)
  static func optional<T>(
    _ pointer: UnsafeMutablePointer<T>?, _ name: String
  ) throws(Fault) -> UnsafeMutablePointer<T>? {
    try check(UInt(bitPattern: pointer), MemoryLayout<T>.alignment, name)
    return unsafe pointer
  }

  @inline(__always)
  private static func check(_ address: UInt, _ alignment: Int, _ name: String) throws(Fault) {
    guard address & UInt(alignment - 1) == 0 else {
      throw .invalid("\(name) is not aligned: its address must be a multiple of \(alignment)")
    }
  }

  /// A copy of bytes of the caller.
  static func bytes(_ pointer: UnsafePointer<UInt8>?, _ length: UInt64, _ name: String) throws(Fault) -> [UInt8] {
    guard length <= 1 << 40 else { throw .invalid("length is \(length): give at most \(UInt64(1) << 40)") }
    if length == 0 { return [] }
    let array = try unsafe array(pointer, Int(length), name)
    return unsafe [UInt8](UnsafeBufferPointer(start: array, count: Int(length)))
  }

  /// Makes sure that the caller's struct is the struct of this library.
  static func check(size: UInt64, _ own: Int, _ name: String) throws(Fault) {
    guard size == UInt64(own) else {
      throw .invalid("\(name).size is \(size) and this library has \(own): use the tupelo.h of this version")
    }
  }

  /// A number in a range.
  static func number<N: BinaryInteger>(_ number: N, in range: ClosedRange<N>, _ name: String) throws(Fault) -> Int {
    guard range.contains(number) else {
      throw .invalid("\(name) is \(number): give \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }
}
