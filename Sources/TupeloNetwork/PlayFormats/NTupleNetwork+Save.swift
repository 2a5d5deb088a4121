internal import Safetensors
internal import TupeloTables

extension NTupleNetwork {
  /// Writes a play-only model: weights and metadata, no training state. The file appears whole or not at all.
  ///
  /// Memory: a buffer; for `compact` also the compressed tables, and one table's map and bytes.
  ///
  /// - Parameter metadata: more to write into the file; the model's own keys win.
  /// - Throws: `SystemError` when it cannot be written; `CompactModelError` for a step that is too fine.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    var all = metadata.merging(ModelFile.metadata(for: specification)) { $1 }
    if format != .f32 {
      all[ModelFile.Key.format] = String(ModelFile.formatVersion)
      all[ModelFile.Key.encoding] = format.encoding
    }
    switch format {
    case .f32:
      try SafetensorsWriter.write(
        to: path, metadata: all, tensors: WeightStorage<PlainCell>.tensors(of: specification) + stateTensors
      ) { tensor, sink in
        if try writeStates(tensor, to: &sink) { return }
        _ = try weights.write(tensor, indexer: indexer, to: &sink)
      }
    case .f16: try saveHalf(to: path, metadata: &all)
    case .compact(let step, let drop): try saveCompact(to: path, step: step, drop: drop, metadata: &all)
    }
  }

  private var stateTensors: [TensorDescription] { states.map { [$0.tensor] } ?? [] }

  /// - Returns: whether the tensor was that of the states.
  private func writeStates(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    guard let states, tensor == states.tensor else { return false }
    try states.write(to: &sink)
    return true
  }

  private func saveHalf(to path: String, metadata: inout [String: String]) throws {
    var largest: Float = 0
    for number in specification.tables.indices {
      try forEachChunk(of: number, path: path) { values in largest = values.reduce(largest) { max($0, abs($1)) } }
    }
    var scale: Float = 1
    while largest / scale > .largestHalf { scale *= 2 }
    metadata[ModelFile.Key.scale] = scale < 0x1p31 ? "\(Int(scale))" : "\(scale)"
    let tensors = StoredWeights.tensors(of: specification, type: .f16)
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors + stateTensors) { tensor, sink in
      if try writeStates(tensor, to: &sink) { return }
      guard let number = tensors.firstIndex(of: tensor) else { return }
      try forEachChunk(of: number, path: path) { values in
        let halves = values.map { ($0 / scale).halfBits }
        try sink.write(halves.span)
      }
    }
  }

  private func saveCompact(to path: String, step: Float, drop: Float, metadata: inout [String: String]) throws {
    guard step > 0, step.isFinite, drop >= 0, drop.isFinite else {
      throw CompactModelError.badStep(path: path, step: step, drop: drop)
    }
    var contents: [TensorDescription: [UInt8]] = [:]
    var kept: [String] = []
    var checksums: [String] = []
    for (number, size) in specification.tables.map(\.size).enumerated() {
      var table = CompactTable(weightCount: size)
      try forEachChunk(of: number, path: path) { values in
        try table.append(values, step: step, drop: drop, path: path)
      }
      kept.append(String(table.keptCount))
      checksums.append(table.checksum)
      for (part, bytes) in try table.compressed(path: path) {
        contents[CompactTable.tensor(part, number: number, byteCount: bytes.count)] = bytes
      }
    }
    metadata[ModelFile.Key.step] = "\(step)"
    metadata[ModelFile.Key.drop] = "\(drop)"
    metadata[ModelFile.Key.kept] = kept.joined(separator: " ")
    metadata[ModelFile.Key.checksums] = checksums.joined(separator: " ")
    let tensors = Array(contents.keys) + stateTensors
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors) { tensor, sink in
      if try writeStates(tensor, to: &sink) { return }
      let bytes = contents[tensor] ?? []
      try sink.write(bytes.span)
    }
  }

  /// Calls `body` with the weights of a table piece by piece, in the order of files, once they are known to be finite.
  private func forEachChunk(of number: Int, path: String, _ body: ([Float]) throws -> Void) throws {
    let position = indexer.storageMap(table: number)
    let count = specification.tables[number].size
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
