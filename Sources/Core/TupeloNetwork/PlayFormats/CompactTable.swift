/// One table in compact form: which of its weights are kept, and each kept weight as a whole number of steps.
///
/// `map` has a bit per weight in the order of files, the lowest bit of a byte first. The numbers follow in the same
/// order. They are zigzag coded (0, -1, 1, -2, ... as 0, 1, 2, 3, ...) and stored in byte planes: the lowest bytes
/// together, then the next. There are as many planes as the largest number needs. The map and each plane are zlib
/// streams in separate U8 tensors: `compact.map.0`, `compact.byte0.0`, `compact.byte1.0`, ...
///
/// Neighbours in the table and previous numbers do not help to predict a weight. The order of the weights hardly
/// changes the size.
struct CompactTable {
  let weightCount: Int
  private(set) var map: [UInt8]
  private(set) var planes: [[UInt8]]

  init(weightCount: Int) {
    (self.weightCount, map, planes) = (weightCount, [], [[]])
    map.reserveCapacity((weightCount + 7) / 8)
  }

  var keptCount: Int { planes[0].count }

  /// CRC-32 of the map and all planes.
  var checksum: String {
    let digits = String(Zlib.checksum([map] + planes), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Numbers of at most this many steps fit four bytes. So the finest step is the largest weight divided by this.
  static let largestQuotient: Float = 0x1p30

  /// Appends the next weights that are at least `drop` and not nearer to 0 than to a multiple of the step.
  ///
  /// - Precondition: their count is a multiple of eight.
  mutating func append(
    _ values: [Float], step: Float, drop: Float, path: String
  ) throws(CompactModelError) {
    try append(values, step: step, path: path) { abs(values[$0]) >= drop && $1 != 0 }
  }

  /// Appends the next weights that `keeps` names by their offset and their number of steps.
  ///
  /// - Precondition: their count is a multiple of eight, but for the last weights of the table.
  mutating func append(
    _ values: [Float], step: Float, path: String, keeps: (_ offset: Int, _ quotient: Float) -> Bool
  ) throws(CompactModelError) {
    for start in stride(from: 0, to: values.count, by: 8) {
      var bits: UInt8 = 0
      for offset in start..<min(start + 8, values.count) {
        var quotient = (values[offset] / step).rounded()
        // The largest weights are rounded toward zero if rounding gives more than a file may have.
        if abs(quotient * step) > ModelFile.largestWeight {
          quotient = quotient > 0 ? min(quotient - 1, quotient.nextDown) : max(quotient + 1, quotient.nextUp)
        }
        guard keeps(offset, quotient) else { continue }
        guard abs(quotient) <= Self.largestQuotient else {
          throw .stepTooFine(path: path, step: step, weight: values[offset])
        }
        bits |= 1 << UInt8(offset - start)
        append(Int32(quotient))
      }
      map.append(bits)
    }
  }

  private mutating func append(_ quotient: Int32) {
    var rest = UInt32(bitPattern: quotient << 1 ^ quotient >> 31)
    for plane in planes.indices {
      planes[plane].append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    while rest > 0 {
      planes.append(Array(repeating: 0, count: keptCount - 1) + [UInt8(truncatingIfNeeded: rest)])
      rest >>= 8
    }
  }
}

/// The unpacked streams of a table: the map, and then the planes.
struct CompactParts {
  let number: Int
  let weightCount: Int
  /// The number of kept weights, and the checksum, in the metadata.
  let kept: Int
  let checksum: String
  private var map: [UInt8]?
  private var planes: [[UInt8]] = []

  init(number: Int, weightCount: Int, kept: Int, checksum: String) {
    (self.number, self.weightCount, self.kept, self.checksum) = (number, weightCount, kept, checksum)
  }

  /// The number of streams that are there.
  var count: Int { (map == nil ? 0 : 1) + planes.count }

  /// Adds the next stream. The map is checked before the planes take memory.
  mutating func append(_ bytes: [UInt8], path: String) throws(CompactModelError) {
    guard map == nil else { return planes.append(bytes) }
    let count = bytes.reduce(0) { $0 + $1.nonzeroBitCount }
    guard count == kept else { throw .wrongCount(path: path, table: number, found: count, expected: kept) }
    map = bytes
  }

  /// The table, whose streams are all there.
  ///
  /// - Throws: `CompactModelError.badChecksum`.
  func table(path: String) throws(CompactModelError) -> CompactTable {
    let table = CompactTable(weightCount: weightCount, map: map ?? [], planes: planes)
    guard table.checksum == checksum else {
      throw .badChecksum(path: path, table: number, found: table.checksum, expected: checksum)
    }
    return table
  }
}

/// Reads weights.
extension CompactTable {
  /// A table of unpacked streams.
  fileprivate init(weightCount: Int, map: [UInt8], planes: [[UInt8]]) {
    (self.weightCount, self.map, self.planes) = (weightCount, map, planes)
  }

  /// Writes the weights from `start` on into `values`.
  ///
  /// - Parameters:
  ///   - start: a multiple of eight; so is the number of values.
  ///   - rank: the number of kept weights before `start`; after the call, the number before the end of `values`.
  func copy(from start: Int, rank: inout Int, step: Float, into values: inout MutableSpan<Float>) {
    for offset in stride(from: 0, to: values.count, by: 8) {
      let bits = map[(start + offset) >> 3]
      for bit in 0..<8 {
        guard bits >> UInt8(bit) & 1 == 1 else {
          values[offset + bit] = 0
          continue
        }
        var code: UInt32 = 0
        for plane in planes.indices.reversed() { code = code << 8 | UInt32(planes[plane][rank]) }
        let quotient = Int32(bitPattern: code >> 1 ^ (0 &- (code & 1)))
        values[offset + bit] = Float(quotient) * step
        rank += 1
      }
    }
  }

  /// Whether a weight is kept.
  func keeps(_ index: Int) -> Bool { map[index >> 3] >> UInt8(index & 7) & 1 == 1 }

  /// The number of kept weights before an index that is a multiple of eight.
  func rank(of index: Int) -> Int {
    map[..<(index >> 3)].reduce(0) { $0 + $1.nonzeroBitCount }
  }
}
