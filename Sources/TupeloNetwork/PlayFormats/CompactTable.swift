internal import Safetensors

/// One table in compact form: which of its weights are kept, and each kept weight as a whole number of steps.
///
/// `map` has a bit per weight in the order of files, the lowest bit of a byte first. The numbers follow in the same
/// order. They are zigzag coded (0, -1, 1, -2, ... as 0, 1, 2, 3, ...) and stored in byte planes: the lowest bytes
/// together, then the next. There are as many planes as the largest number needs. The map and each plane are a zlib
/// stream in a U8 tensor of their own: `compact.map.0`, `compact.byte0.0`, `compact.byte1.0`, ...
///
/// Neighbours in the table and previous numbers do not help to predict a weight. The order of the weights hardly
/// changes the size.
struct CompactTable {
  let weightCount: Int
  private(set) var map: [UInt8] = []
  private(set) var planes: [[UInt8]] = [[]]

  init(weightCount: Int) {
    self.weightCount = weightCount
    map.reserveCapacity((weightCount + 7) / 8)
  }

  var keptCount: Int { planes[0].count }

  /// CRC-32 of the map and all planes.
  var checksum: String {
    let digits = String(Zlib.checksum([map] + planes), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  static func tensor(_ part: String, number: Int, byteCount: Int) -> TensorDescription {
    TensorDescription(name: name(part, number: number), type: .u8, shape: [byteCount])
  }

  static func name(_ part: String, number: Int) -> String { "compact.\(part).\(number)" }

  static let mapName = "map"
  static func planeName(_ plane: Int) -> String { "byte\(plane)" }

  /// Numbers of at most this many steps fit four bytes. So the finest step is the largest weight divided by this.
  static let largestQuotient: Float = 0x1p30

  /// Appends the next weights.
  ///
  /// - Precondition: their count is a multiple of eight.
  mutating func append(
    _ values: [Float], step: Float, drop: Float, path: String
  ) throws(CompactModelError) {
    for start in stride(from: 0, to: values.count, by: 8) {
      var bits: UInt8 = 0
      for offset in 0..<8 {
        let value = values[start + offset]
        guard abs(value) >= drop, value != 0 else { continue }
        let quotient = (value / step).rounded()
        guard abs(quotient) <= Self.largestQuotient else {
          throw .stepTooFine(path: path, step: step, weight: value)
        }
        guard quotient != 0 else { continue }
        bits |= 1 << UInt8(offset)
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

  /// The compressed bytes of the tensors, by part. The lowest bytes are noise, so they are coded by frequency alone.
  func compressed(path: String) throws(CompactModelError) -> [(part: String, bytes: [UInt8])] {
    do {
      var parts = [(Self.mapName, try Zlib.compressed(map, .repetitions))]
      for (number, plane) in planes.enumerated() {
        parts.append((Self.planeName(number), try Zlib.compressed(plane, number == 0 ? .frequencies : .repetitions)))
      }
      return parts
    } catch {
      throw .cannotCompress(path: path, reason: error.reason)
    }
  }
}

extension CompactTable {
  /// Reads a table and checks it against the metadata.
  ///
  /// Memory: an eighth of a byte per weight and one to four bytes per kept weight. The size of the map follows from the
  /// network, and the sizes of the planes follow from the map. A stream of another size is refused before it takes more
  /// memory.
  init(number: Int, weightCount: Int, kept: Int, checksum: String, in file: SafetensorsFile) throws {
    self.init(weightCount: weightCount)
    map = try Self.bytes(Self.mapName, number: number, count: weightCount / 8, in: file)
    let count = map.reduce(0) { $0 + $1.nonzeroBitCount }
    guard count == kept else {
      throw CompactModelError.wrongCount(path: file.path, table: number, found: count, expected: kept)
    }
    planes = try Self.planes(of: number, in: file).map { part in
      try Self.bytes(part, number: number, count: kept, in: file)
    }
    guard self.checksum == checksum else {
      throw CompactModelError.badChecksum(path: file.path, table: number, found: self.checksum, expected: checksum)
    }
  }

  /// The names of a table's planes; at least one.
  static func planes(of number: Int, in file: SafetensorsFile) -> [String] {
    let present = (0..<4).prefix { file.tensor(named: name(planeName($0), number: number)) != nil }.count
    return (0..<max(present, 1)).map { planeName($0) }
  }

  /// Checks, without unpacking it, that a tensor is there and can hold `count` bytes.
  static func check(_ part: String, number: Int, count: Int, in file: SafetensorsFile) throws {
    let name = name(part, number: number)
    guard let tensor = file.tensor(named: name) else {
      throw ModelFileError.missingTensor(path: file.path, name: name)
    }
    guard tensor.type == .u8, tensor.shape.count == 1 else {
      throw CompactModelError.notAStream(path: file.path, name: name)
    }
    guard count / Zlib.largestRatio <= tensor.byteCount else {
      throw CompactModelError.damagedStream(
        path: file.path, name: name, reason: "\(tensor.byteCount) bytes cannot be \(count) compressed")
    }
  }

  private static func bytes(_ part: String, number: Int, count: Int, in file: SafetensorsFile) throws -> [UInt8] {
    try check(part, number: number, count: count, in: file)
    let name = name(part, number: number)
    do {
      return try file.withBytes(of: name) { bytes in try Zlib.decompressed(bytes, count: count) }
    } catch let error as ZlibError {
      throw CompactModelError.damagedStream(path: file.path, name: name, reason: error.reason)
    }
  }

  /// Writes the weights from `start` on into `values`.
  ///
  /// - Parameters:
  ///   - start: a multiple of eight; so is the number of values.
  ///   - rank: the number of kept weights before `start`; afterwards, before the end of `values`.
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

  /// The number of kept weights before an index that is a multiple of eight.
  func rank(of index: Int) -> Int {
    map[..<(index >> 3)].reduce(0) { $0 + $1.nonzeroBitCount }
  }
}
