/// Looks up the values of one layer's positions by code. It is a hash table with open addressing, at most half full.
struct SolvedValues: Sendable {
  /// The codes of the slots; 0 marks an empty slot, because no position has that code.
  private var codes: [UInt32]
  private var values: [Double]
  private let shift: UInt32
  private let mask: Int

  static let empty = SolvedValues([], [])

  /// A table of distinct codes and their values.
  init(_ codes: [UInt32], _ values: [Double]) {
    let bits = max(Int.bitWidth - (codes.count * 2).leadingZeroBitCount, 4)
    self.codes = Array(repeating: 0, count: 1 << bits)
    self.values = Array(repeating: 0, count: 1 << bits)
    shift = UInt32(32 - bits)
    mask = 1 << bits - 1
    for index in codes.indices {
      var slot = firstSlot(of: codes[index])
      while self.codes[slot] != 0 { slot = (slot &+ 1) & mask }
      self.codes[slot] = codes[index]
      self.values[slot] = values[index]
    }
  }

  /// The first slot to look at, by Fibonacci hashing: the upper bits of a product.
  @inline(__always)
  private func firstSlot(of code: UInt32) -> Int {
    Int(truncatingIfNeeded: (code &* 0x9e37_79b1) &>> shift)
  }

  /// The value of a code.
  ///
  /// - Precondition: the table has the code.
  @inline(__always)
  func value(of code: UInt32) -> Double {
    var slot = firstSlot(of: code)
    while codes[slot] != code {
      precondition(codes[slot] != 0, "a position that was not enumerated")
      slot = (slot &+ 1) & mask
    }
    return values[slot]
  }
}
