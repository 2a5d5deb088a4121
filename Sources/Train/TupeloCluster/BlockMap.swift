/// A bit for each block of a table.
struct BlockMap: Sendable {
  let words: [UInt64]

  init(words: [UInt64]) { self.words = words }

  init(of blocks: some Sequence<Int>, count: Int) {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for block in blocks { words[block >> 6] |= 1 << UInt64(block & 63) }
    self.words = words
  }

  @inline(__always)
  func contains(_ block: Int) -> Bool { words[block >> 6] >> UInt64(block & 63) & 1 == 1 }
}

extension [BlockMap] {
  /// The number of the only map that has a block; `nil` if several maps have it.
  func onlyMap(with block: Int) -> Int? {
    var only: Int?
    for (number, map) in enumerated() where map.contains(block) {
      guard only == nil else { return nil }
      only = number
    }
    return only
  }
}
