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
  private let encoding: WeightEncoding
  /// The tables that are unpacked, by number, and the position reached in each: the table that was read last, or with
  /// `keepsTables` all that were read.
  private var unpacked: [Int: (table: CompactTable, next: Int, rank: Int)] = [:]
  private let keepsTables: Bool

  /// Checks that all tensors are there and have the right size.
  ///
  /// - Parameter keepsTables: whether tables stay unpacked, for a caller that reads parts of several tables in turn
  /// - Throws: `ModelFileError`, `CompactModelError`; `WeightStorageError` for a compact file that does not fit into
  ///   memory.
  package init(_ file: SafetensorsFile, tables: [NetworkTable], keepsTables: Bool = false) throws {
    (self.file, self.tables, self.keepsTables) = (file, tables, keepsTables)
    encoding = try reading { () throws(ModelReadingError) in try WeightEncoding(file.header, tables: tables) }
    if case .compact(_, let kept, _) = encoding { try checkMemory(kept: kept) }
  }

  /// Refuses a compact file, before anything is unpacked, if its weights and the tables in compact form that stay
  /// unpacked do not fit into memory together.
  private func checkMemory(kept: [Int]) throws {
    let sizes = try tables.indices.map { number in
      let size = tables[number].size
      let streams = try reading { () throws(ModelReadingError) in
        try CompactTable.streams(of: number, weightCount: size, kept: kept[number], in: file.header)
      }
      return streams.reduce(0) { $0 + $1.count }
    }
    let bytes = 4 * kept.reduce(0, +) + (keepsTables ? sizes.reduce(0, +) : sizes.max() ?? 0)
    guard bytes <= MemoryLimit.bytes else {
      throw WeightStorageError.outOfMemory(bytes: bytes, available: MemoryLimit.bytes)
    }
  }

  /// The weight tensors of a model, one per table.
  static func tensors(_ tables: [NetworkTable], type: TensorType) -> [TensorDescription] {
    tables.enumerated().map { WeightEncoding.tensor(of: $0, $1, type: type) }
  }

  /// Reads all tables in pieces, each with the number of its table and the place of its first weight there.
  mutating func forEachStretch(_ body: (_ values: Span<Float>, _ table: Int, _ start: Int) throws -> Void) throws {
    for (number, table) in tables.enumerated() {
      var values = [Float](repeating: 0, count: min(1 << 16, table.size))
      let count = values.count
      for start in stride(from: 0, to: table.size, by: count) {
        var span = values.mutableSpan
        try copy(table: number, range: start..<start + count, into: &span)
        try body(values.span, number, start)
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
