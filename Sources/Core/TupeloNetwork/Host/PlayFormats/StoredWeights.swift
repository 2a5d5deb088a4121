package import Safetensors
internal import TupeloBase
internal import TupeloTables

/// Reads the weights of a model file in any format, as single-precision numbers in the order of files.
///
/// If a checkpoint has averaged weights, the averaged weights are read. Memory: none for `f32` and `f16`; for `compact`
/// one table at a time or all tables, see `CompactTable`. Reading a table from front to back is linear.
package struct StoredWeights {
  package let tables: [NetworkTable]
  private let file: SafetensorsFile
  private let encoding: Encoding
  /// The tables that are unpacked, by number, and the position reached in each: the table that was read last, or with
  /// `keepsTables` all that were read.
  private var unpacked: [Int: (table: CompactTable, next: Int, rank: Int)] = [:]
  private let keepsTables: Bool

  private enum Encoding {
    /// Single precision; the tensors' names begin with `prefix`.
    case single(prefix: String)
    case half(scale: Float)
    case compact(step: Float, kept: [Int], checksums: [String])
  }

  /// Checks that all tensors are there and have the right size.
  ///
  /// - Parameter keepsTables: whether tables stay unpacked, for a caller that reads parts of several tables in turn
  /// - Throws: `ModelFileError`, `CompactModelError`; `WeightStorageError` for a compact file that does not fit into
  ///   memory.
  package init(_ file: SafetensorsFile, tables: [NetworkTable], keepsTables: Bool = false) throws {
    (self.file, self.tables, self.keepsTables) = (file, tables, keepsTables)
    encoding = try Self.encoding(of: file, tables: tables.count)
    switch encoding {
    case .single(let prefix): for tensor in Self.tensors(tables, type: .f32, prefix: prefix) { try file.check(tensor) }
    case .half: for tensor in Self.tensors(tables, type: .f16) { try file.check(tensor) }
    case .compact(_, let kept, _):
      for (number, table) in tables.enumerated() {
        guard (0...table.size).contains(kept[number]) else {
          throw CompactModelError.badMetadata(path: file.path, key: ModelFile.Key.kept)
        }
        try CompactTable.check(CompactTable.mapName, number: number, count: table.size / 8, in: file)
        for plane in CompactTable.planes(of: number, in: file) {
          try CompactTable.check(plane, number: number, count: kept[number], in: file)
        }
      }
      try checkMemory(kept: kept)
    }
  }

  /// Refuses a compact file, before anything is unpacked, if its weights and the tables in compact form that stay
  /// unpacked do not fit into memory together.
  private func checkMemory(kept: [Int]) throws {
    let sizes = tables.indices.map { tables[$0].size / 8 + CompactTable.planes(of: $0, in: file).count * kept[$0] }
    let bytes = 4 * kept.reduce(0, +) + (keepsTables ? sizes.reduce(0, +) : sizes.max() ?? 0)
    guard bytes <= MemoryLimit.bytes else {
      throw WeightStorageError.outOfMemory(bytes: bytes, available: MemoryLimit.bytes)
    }
  }

  /// The weight tensors of a model, one per table.
  static func tensors(_ tables: [NetworkTable], type: TensorType, prefix: String = "") -> [TensorDescription] {
    tables.enumerated().map { TensorDescription(name: "\(prefix)weights.\($0)", type: type, shape: $1.axes) }
  }

  private static func encoding(of file: SafetensorsFile, tables: Int) throws -> Encoding {
    switch file.metadata[ModelFile.Key.encoding] ?? PlayFormat.f32.encoding {
    case "f32":
      let isAveraged = file.tensor(named: ModelFile.averagePrefix + "weights.0") != nil
      return .single(prefix: isAveraged ? ModelFile.averagePrefix : "")
    case "f16": return .half(scale: try positive(ModelFile.Key.scale, in: file))
    case "compact":
      let kept = (file.metadata[ModelFile.Key.kept] ?? "").split(separator: " ").compactMap { Int($0) }
      let sums = (file.metadata[ModelFile.Key.checksums] ?? "").split(separator: " ").map { String($0) }
      guard kept.count == tables else {
        throw CompactModelError.badMetadata(path: file.path, key: ModelFile.Key.kept)
      }
      guard sums.count == tables else {
        throw CompactModelError.badMetadata(path: file.path, key: ModelFile.Key.checksums)
      }
      return .compact(step: try positive(ModelFile.Key.step, in: file), kept: kept, checksums: sums)
    case let other: throw ModelFileError.unknownEncoding(path: file.path, found: other)
    }
  }

  private static func positive(_ key: String, in file: SafetensorsFile) throws(CompactModelError) -> Float {
    guard let value = file.metadata[key].flatMap({ Float($0) }), value > 0, value.isFinite else {
      throw .badMetadata(path: file.path, key: key)
    }
    return value
  }

  /// Reads all tables in pieces, each with the standard index of its first weight and the map of its table.
  mutating func forEachStretch(
    by indexer: TupleIndexer, _ body: (_ values: Span<Float>, _ start: Int, _ map: StorageMap) throws -> Void
  ) throws {
    for (number, table) in tables.enumerated() {
      var values = [Float](repeating: 0, count: min(1 << 16, table.size))
      let map = indexer.storageMap(table: number)
      let count = values.count
      for start in stride(from: 0, to: table.size, by: count) {
        var span = values.mutableSpan
        try copy(table: number, range: start..<start + count, into: &span)
        try body(values.span, start, map)
      }
    }
  }

  /// Copies a range of a table's weights, all of them finite.
  ///
  /// - Parameters:
  ///   - number: the number of the table.
  ///   - range: the weights, in the order of files; bounds are multiples of eight.
  ///   - values: receives as many weights. They are finite, and not larger than `ModelFile.largestWeight`.
  /// - Throws: `ModelFileError`, `CompactModelError`, `SafetensorsError`.
  package mutating func copy(table number: Int, range: Range<Int>, into values: inout MutableSpan<Float>) throws {
    switch encoding {
    case .single(let prefix): try file.copy("\(prefix)weights.\(number)", range: range, into: &values)
    case .half(let scale):
      var halves = [UInt16](repeating: 0, count: range.count)
      var span = halves.mutableSpan
      try file.copy("weights.\(number)", range: range, into: &span)
      for index in values.indices { values[index] = Float(halfBits: halves[index]) * scale }
    case .compact(let step, let kept, let checksums):
      // This is done before the next table is unpacked, so there are never two at a time.
      if unpacked[number] == nil, !keepsTables { unpacked = [:] }
      let (table, next, known) =
        try unpacked[number]
        ?? (
          CompactTable(
            number: number, weightCount: tables[number].size, kept: kept[number], checksum: checksums[number],
            in: file),
          0, 0
        )
      var rank = next == range.lowerBound ? known : table.rank(of: range.lowerBound)
      table.copy(from: range.lowerBound, rank: &rank, step: step, into: &values)
      unpacked[number] = (table, range.upperBound, rank)
    }
    try ModelFile.check(weights: values.span, from: range.lowerBound, name: "weights.\(number)", path: file.path)
  }
}
