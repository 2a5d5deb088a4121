internal import Safetensors
internal import TupeloBase
package import TupeloTables

/// Writes a play-only model, made of tables of weights, in any `PlayFormat`.
package struct ModelWriter {
  /// The model's specification in one line.
  let text: String
  private let usualStep: Float
  private let parts: [Part]
  /// The storage of each table, by its number in the file.
  private let tables: [(table: NetworkTable, part: Part, index: Int)]

  /// Tables whose weights are in one storage.
  package struct Part {
    let weights: WeightStorage<PlainCell>
    let map: TableMap

    package init(weights: WeightStorage<PlainCell>, map: TableMap) { (self.weights, self.map) = (weights, map) }
  }

  /// - Parameters:
  ///   - text: the model's specification in one line
  ///   - usualStep: the step of a compact file that costs a trained model of this kind no strength
  ///   - parts: ordered by the numbers of their tables, the first of which is 0
  package init(text: String, usualStep: Float, parts: [Part]) {
    (self.text, self.usualStep, self.parts) = (text, usualStep, parts)
    tables = parts.flatMap { part in part.map.tables.enumerated().map { ($1, part, $0) } }
  }

  package func write(to path: String, format: PlayFormat, metadata: [String: String]) throws {
    try write(format, metadata: metadata, path: path) { metadata, tensors, contents in
      try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors, contents: contents)
    }
  }

  /// The bytes of the file that `write` would make, in memory.
  package func bytes(format: PlayFormat, metadata: [String: String]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try write(format, metadata: metadata, path: Self.name) { metadata, tensors, contents in
      bytes = try SafetensorsWriter.bytes(name: Self.name, metadata: metadata, tensors: tensors, contents: contents)
    }
    return bytes
  }

  /// The name of bytes in memory in errors.
  private static var name: String { "the model" }

  /// Writes metadata and tensors to a file or to memory.
  private typealias Output = (
    [String: String], [TensorDescription], (TensorDescription, inout TensorSink) throws -> Void
  ) throws -> Void

  private func write(_ format: PlayFormat, metadata: [String: String], path: String, to output: Output) throws {
    var all = self.metadata(for: format, with: metadata)
    switch format {
    case .f32:
      let tensors = parts.flatMap { WeightStorage<PlainCell>.tensors(of: $0.map) }
      try output(all, tensors) { tensor, sink in
        for part in parts where try part.weights.write(tensor, of: part.map, to: &sink) { return }
      }
    case .f16: try writeHalf(path: path, metadata: &all, to: output)
    case .compact(let step, let drop):
      try writeCompact(path: path, step: step ?? compactStep(path: path), drop: drop, metadata: all, to: output)
    }
  }

  /// The step of a compact file for which none is given: the usual one, or less if weights are small, so that the
  /// largest weight is at least 1024 steps.
  func compactStep(path: String) throws -> Float {
    let most = try largestWeight(path: path) / 1024
    guard most > .leastNormalMagnitude, most < usualStep else { return usualStep }
    return Float(sign: .plus, exponent: most.exponent, significand: 1)
  }

  private func largestWeight(path: String) throws -> Float {
    var largest: Float = 0
    for number in tables.indices {
      try forEachChunk(of: number, path: path) { values in largest = values.reduce(largest) { max($0, abs($1)) } }
    }
    return largest
  }

  private func writeHalf(path: String, metadata: inout [String: String], to output: Output) throws {
    let largest = try largestWeight(path: path)
    var scale: Float = 1
    while largest / scale > .largestHalf { scale *= 2 }
    guard largest == 0 || (largest / scale).halfBits != 0 else {
      throw CompactModelError.nothingLeft(path: path, largest: largest, below: 0x1p-25)
    }
    metadata[ModelFile.Key.scale] = scale < 0x1p31 ? "\(Int(scale))" : "\(scale)"
    let tensors = StoredWeights.tensors(tables.map(\.table), type: .f16)
    let numbers = Dictionary(uniqueKeysWithValues: zip(tensors, tensors.indices))
    try output(metadata, tensors) { tensor, sink in
      guard let number = numbers[tensor] else { return }
      try forEachChunk(of: number, path: path) { values in
        let halves = values.map { ($0 / scale).halfBits }
        try sink.write(halves.span)
      }
    }
  }

  private func writeCompact(
    path: String, step: Float, drop: Float, metadata: [String: String], to output: Output
  ) throws {
    let compact = try compactContents(step: step, drop: drop, path: path)
    if compact.kept.allSatisfy({ $0 == 0 }) {
      let largest = try largestWeight(path: path)
      guard largest == 0 else {
        throw CompactModelError.nothingLeft(path: path, largest: largest, below: max(drop, step / 2))
      }
    }
    try output(compact.metadata(step: step, drop: drop, with: metadata), Array(compact.tensors.keys)) { tensor, sink in
      let bytes = compact.tensors[tensor] ?? []
      try sink.write(bytes.span)
    }
  }

  /// The size in bytes of the compact file that `write` makes.
  func compactSize(step: Float, metadata: [String: String], path: String) throws -> Int {
    let format = PlayFormat.compact(step: step)
    let compact = try compactContents(step: step, path: path)
    return try SafetensorsWriter.byteCount(
      metadata: compact.metadata(step: step, drop: 0, with: self.metadata(for: format, with: metadata)),
      tensors: Array(compact.tensors.keys), path: path)
  }

  /// The metadata of every file of a format.
  private func metadata(for format: PlayFormat, with others: [String: String]) -> [String: String] {
    var all = others.merging(ModelFile.metadata(for: text)) { $1 }
    if format != .f32 {
      all[ModelFile.Key.format] = String(ModelFile.formatVersion)
      all[ModelFile.Key.encoding] = format.encoding
    }
    return all
  }

  /// The tables in compact form.
  struct CompactContents {
    var tensors: [TensorDescription: [UInt8]] = [:]
    /// The number of kept weights and the checksum of each table.
    var kept: [Int] = []
    var checksums: [String] = []

    /// The metadata of the file.
    func metadata(step: Float, drop: Float, with others: [String: String]) -> [String: String] {
      var all = others
      all[ModelFile.Key.step] = "\(step)"
      all[ModelFile.Key.drop] = "\(drop)"
      all[ModelFile.Key.kept] = kept.map(String.init).joined(separator: " ")
      all[ModelFile.Key.checksums] = checksums.joined(separator: " ")
      return all
    }
  }

  private func compactContents(step: Float, drop: Float = 0, path: String) throws -> CompactContents {
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
  /// weights can be read again.
  private func forEachChunk(of number: Int, path: String, _ body: ([Float]) throws -> Void) throws {
    let (table, part, index) = tables[number]
    let (position, count, weights) = (part.map.storageMap(index), table.size, part.weights)
    var values = [Float](repeating: 0, count: min(1 << 16, count))
    for start in stride(from: 0, to: count, by: values.count) {
      try Interruption.check()
      position.gather(from: start, into: &values) { weights.weight(at: $0) }
      try ModelFile.check(weights: values.span, from: start, name: "weights.\(number)", path: path)
      try body(values)
    }
  }
}
