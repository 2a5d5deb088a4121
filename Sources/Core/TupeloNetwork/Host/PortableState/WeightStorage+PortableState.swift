package import Safetensors
internal import TupeloBase
package import TupeloTables

extension WeightStorage {
  /// Fills all planes from a portable state.
  ///
  /// - Throws: `PortableStateError`, `ModelFileError`, `CompactModelError`; `SafetensorsError`.
  /// - Precondition: no worker shares the storage.
  package func read(portable file: SafetensorsFile, as map: TableMap) throws {
    let version = file.metadata[PortableState.key] ?? ""
    guard version == PortableState.version else { throw PortableStateError.newer(path: file.path, version: version) }
    let encoding = try TupeloNetwork.reading { () throws(ModelReadingError) in
      try WeightEncoding(file.header, tables: map.tables)
    }
    guard case .compact(let step, let kept, let checksums) = encoding else {
      throw PortableStateError.damaged(path: file.path, name: "weights.0")
    }
    let rests = try self.rests(in: file, tables: map.tables.count)
    for (number, table) in map.tables.enumerated() {
      try read(
        PortableTable(
          number: number, size: table.size, kept: kept[number], checksum: checksums[number], step: step,
          rest: rests[number], hasSums: Cell.sumCount > 0, in: file),
        name: "weights.\(number)", path: file.path, to: map.storageMap(number))
    }
  }

  private func rests(in file: SafetensorsFile, tables: Int) throws -> [PortableState.Rest] {
    guard let tensor = file.tensor(named: PortableState.restName), tensor.type == .f32, tensor.shape == [tables, 3]
    else { throw PortableStateError.damaged(path: file.path, name: PortableState.restName) }
    let numbers = try file.array(of: PortableState.restName, as: Float.self)
    return try (0..<tables).map { number in
      let rest = PortableState.Rest(
        weight: numbers[3 * number], error: numbers[3 * number + 1], absolute: numbers[3 * number + 2])
      guard rest.isSound else { throw PortableStateError.damaged(path: file.path, name: PortableState.restName) }
      return rest
    }
  }

  private func read(_ table: PortableTable, name: String, path: String, to position: StorageMap) throws {
    var table = table
    for start in stride(from: 0, to: table.size, by: 1 << 16) {
      let planes = table.next(min(1 << 16, table.size - start))
      for (plane, values) in planes.prefix(Cell.planes.count).enumerated() {
        if plane == 0 { try ModelFile.check(weights: values.span, from: start, name: name, path: path) }
        scatter(values.span, plane: plane, by: position, from: start)
      }
    }
  }
}

/// One table of a portable state, which is read from front to back.
private struct PortableTable {
  let size: Int
  private let weights: CompactTable
  private let step: Float
  private let rest: PortableState.Rest
  /// The codes of the sums of the kept weights; `nil` where the rule keeps no sums.
  private let codes: (absolute: [UInt8], error: [UInt8])?
  /// The number of weights, and the number of kept weights, that have been read.
  private var (place, rank) = (0, 0)

  init(
    number: Int, size: Int, kept: Int, checksum: String, step: Float, rest: PortableState.Rest, hasSums: Bool,
    in file: SafetensorsFile
  ) throws {
    (self.size, self.step, self.rest) = (size, step, rest)
    // The map has whole bytes.
    weights = try CompactTable(
      number: number, weightCount: (size + 7) / 8 * 8, kept: kept, checksum: checksum, in: file)
    func sums(_ part: String) throws -> [UInt8] {
      let stream = try TupeloNetwork.reading { () throws(ModelReadingError) in
        try CompactTable.stream(part, number: number, count: kept, in: file.header)
      }
      return try CompactTable.bytes(of: stream, in: file)
    }
    codes = hasSums ? (try sums(PortableState.absoluteName), try sums(PortableState.errorName)) : nil
  }

  /// The numbers of the next weights by plane: the weights, E and A.
  mutating func next(_ count: Int) -> [[Float]] {
    let start = rank
    var values = [Float](repeating: 0, count: (count + 7) / 8 * 8)
    var span = values.mutableSpan
    weights.copy(from: place, rank: &rank, step: step, into: &span)
    values.removeLast(values.count - count)
    var error = [Float](repeating: rest.error, count: count)
    var absolute = [Float](repeating: rest.absolute, count: count)
    var next = start
    for offset in 0..<count {
      guard weights.keeps(place + offset) else {
        values[offset] = rest.weight
        continue
      }
      if let codes {
        absolute[offset] = SumCodes.absolute(codes.absolute[next])
        error[offset] = SumCodes.error(codes.error[next], of: absolute[offset])
      }
      next += 1
    }
    place += count
    return [values, error, absolute]
  }
}
