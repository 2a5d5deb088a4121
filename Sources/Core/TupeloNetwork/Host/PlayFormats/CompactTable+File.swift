internal import Safetensors

/// The tensors of a compact table in a file.
extension CompactTable {
  static func tensor(_ part: String, number: Int, byteCount: Int) -> TensorDescription {
    TensorDescription(name: name(part, number: number), type: .u8, shape: [byteCount])
  }

  static func name(_ part: String, number: Int) -> String { "compact.\(part).\(number)" }

  static let mapName = "map"
  static func planeName(_ plane: Int) -> String { "byte\(plane)" }

  /// The compressed bytes of the tensors, by part. The lowest bytes are noise, so they are coded only by frequency.
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
    let map = try Self.bytes(Self.mapName, number: number, count: weightCount / 8, in: file)
    try Self.check(map: map, kept: kept, number: number, path: file.path)
    let planes = try Self.planes(of: number, in: file).map { part in
      try Self.bytes(part, number: number, count: kept, in: file)
    }
    try self.init(
      weightCount: weightCount, map: map, planes: planes, checksum: checksum, number: number, path: file.path)
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
}
