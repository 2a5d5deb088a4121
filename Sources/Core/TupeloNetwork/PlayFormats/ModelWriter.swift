#if !hasFeature(Embedded)
internal import Safetensors
package import TupeloTables

/// Writes a play-only model, made of tables of weights, in any `PlayFormat`.
package struct ModelWriter {
  /// The model's specification in one line.
  let text: String
  private let parts: [Part]
  /// The storage of each table, by its number in the file.
  private let tables: [(table: NetworkTable, part: Part, index: Int)]

  /// Tables whose weights are in one storage.
  package struct Part {
    let weights: WeightStorage<PlainCell>
    let map: TableMap

    package init(weights: WeightStorage<PlainCell>, map: TableMap) { (self.weights, self.map) = (weights, map) }
  }

  /// - Parameter parts: ordered by the numbers of their tables, the first of which is 0
  package init(text: String, parts: [Part]) {
    (self.text, self.parts) = (text, parts)
    tables = parts.flatMap { part in part.map.tables.enumerated().map { ($1, part, $0) } }
  }

  package func write(to path: String, format: PlayFormat, metadata: [String: String]) throws {
    var all = metadata.merging(ModelFile.metadata(for: text)) { $1 }
    if format != .f32 {
      all[ModelFile.Key.format] = String(ModelFile.formatVersion)
      all[ModelFile.Key.encoding] = format.encoding
    }
    switch format {
    case .f32:
      let tensors = parts.flatMap { WeightStorage<PlainCell>.tensors(of: $0.map) }
      try SafetensorsWriter.write(to: path, metadata: all, tensors: tensors) { tensor, sink in
        for part in parts where try part.weights.write(tensor, of: part.map, to: &sink) { return }
      }
    case .f16: try saveHalf(to: path, metadata: &all)
    case .compact(let step, let drop): try saveCompact(to: path, step: step, drop: drop, metadata: &all)
    }
  }

  private func saveHalf(to path: String, metadata: inout [String: String]) throws {
    var largest: Float = 0
    for number in tables.indices {
      try forEachChunk(of: number, path: path) { values in largest = values.reduce(largest) { max($0, abs($1)) } }
    }
    var scale: Float = 1
    while largest / scale > .largestHalf { scale *= 2 }
    metadata[ModelFile.Key.scale] = scale < 0x1p31 ? "\(Int(scale))" : "\(scale)"
    let tensors = StoredWeights.tensors(tables.map(\.table), type: .f16)
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors) { tensor, sink in
      guard let number = tensors.firstIndex(of: tensor) else { return }
      try forEachChunk(of: number, path: path) { values in
        let halves = values.map { ($0 / scale).halfBits }
        try sink.write(halves.span)
      }
    }
  }

  private func saveCompact(to path: String, step: Float, drop: Float, metadata: inout [String: String]) throws {
    let compact = try compactContents(step: step, drop: drop, path: path)
    metadata[ModelFile.Key.step] = "\(step)"
    metadata[ModelFile.Key.drop] = "\(drop)"
    metadata[ModelFile.Key.kept] = compact.kept.map(String.init).joined(separator: " ")
    metadata[ModelFile.Key.checksums] = compact.checksums.joined(separator: " ")
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: Array(compact.tensors.keys)) { tensor, sink in
      let bytes = compact.tensors[tensor] ?? []
      try sink.write(bytes.span)
    }
  }

  /// The tables in compact form.
  struct CompactContents {
    var tensors: [TensorDescription: [UInt8]] = [:]
    /// The number of kept weights and the checksum of each table.
    var kept: [Int] = []
    var checksums: [String] = []

    /// The bytes of all tensors: the file without its header.
    var byteCount: Int { tensors.values.reduce(0) { $0 + $1.count } }
  }

  func compactContents(step: Float, drop: Float = 0, path: String) throws -> CompactContents {
    guard step > 0, step.isFinite, drop >= 0, drop.isFinite else {
      throw CompactModelError.badStep(path: path, step: step, drop: drop)
    }
    var contents = CompactContents()
    for (number, size) in tables.map(\.table.size).enumerated() {
      var table = CompactTable(weightCount: size)
      try forEachChunk(of: number, path: path) { values in
        try table.append(values, step: step, drop: drop, path: path)
      }
      contents.kept.append(table.keptCount)
      contents.checksums.append(table.checksum)
      for (part, bytes) in try table.compressed(path: path) {
        contents.tensors[CompactTable.tensor(part, number: number, byteCount: bytes.count)] = bytes
      }
    }
    return contents
  }

  /// Calls `body` with a table's weights chunk by chunk, in the order of files. Each chunk is checked first: all its
  /// weights are finite.
  private func forEachChunk(of number: Int, path: String, _ body: ([Float]) throws -> Void) throws {
    let (table, part, index) = tables[number]
    let (position, count, weights) = (part.map.storageMap(index), table.size, part.weights)
    var values = [Float](repeating: 0, count: min(1 << 16, count))
    for start in stride(from: 0, to: count, by: values.count) {
      position.gather(from: start, into: &values) { weights.weight(at: $0) }
      if let offset = values.firstIndex(where: { !$0.isFinite }) {
        throw ModelFileError.notFinite(path: path, name: "weights.\(number)", index: start + offset)
      }
      try body(values)
    }
  }
}
#endif
