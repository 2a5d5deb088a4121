internal import Safetensors

/// The tensors of a compact table in a file.
extension CompactTable {
  static func tensor(_ part: String, number: Int, byteCount: Int) -> TensorDescription {
    TensorDescription(name: name(part, number: number), type: .u8, shape: [byteCount])
  }

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

  /// Reads a table and checks it against the metadata.
  ///
  /// Memory: an eighth of a byte per weight and one to four bytes per kept weight. The size of the map follows from the
  /// network, and the sizes of the planes follow from the map. A stream of another size is refused before it takes more
  /// memory.
  init(number: Int, weightCount: Int, kept: Int, checksum: String, in file: SafetensorsFile) throws {
    var parts = CompactParts(number: number, weightCount: weightCount, kept: kept, checksum: checksum)
    let streams = try reading { () throws(ModelReadingError) in
      try Self.streams(of: number, weightCount: weightCount, kept: kept, in: file.header)
    }
    for stream in streams { try parts.append(Self.bytes(of: stream, in: file), path: file.path) }
    self = try parts.table(path: file.path)
  }

  /// Unpacks a stream.
  static func bytes(of stream: PackedStream, in file: SafetensorsFile) throws -> [UInt8] {
    do {
      return try file.withBytes(of: stream.name) { bytes in try Zlib.decompressed(bytes, count: stream.count) }
    } catch let error as ZlibError {
      throw CompactModelError.damagedStream(path: file.path, name: stream.name, reason: error.reason)
    }
  }
}
