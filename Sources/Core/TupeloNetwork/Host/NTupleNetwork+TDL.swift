internal import TupeloBase
internal import TupeloEngine
internal import TupeloTables

extension NTupleNetwork {
  /// Loads the weights of a TDL2048+ weight file (`.w`). Its coherence sums are left out.
  ///
  /// Memory: four bytes per weight. The file is mapped and read once.
  ///
  /// - Parameters:
  ///   - path: the path of the weight file
  ///   - sharesSymmetries: whether each table is used on all symmetric boards. The file does not contain this fact.
  ///     With `nil`, it follows from the named layout with these patterns, such as 17x4, whose tables are separate.
  ///     Other patterns are shared, as by default in TDL2048+.
  /// - Throws: `TDLWeightFileError`, `SystemError` when the file cannot be opened, `WeightStorageError`.
  public convenience init(tdlWeightFile path: String, sharesSymmetries: Bool? = nil) throws {
    let mapped = try MappedFile(path: path)
    let file = try mapped.withBytes(0..<mapped.byteCount) { bytes throws(TDLWeightFileError) in
      try TDLWeightFile(bytes, path: path)
    }
    let specification: NetworkSpecification
    do {
      let patterns = file.tables.map(\.pattern)
      specification = try NetworkSpecification(
        patterns: patterns, sharesSymmetries: sharesSymmetries ?? NamedLayout.sharesSymmetries(of: patterns))
    } catch {
      throw TDLWeightFileError.badNetwork(path: path, reason: "\(error)")
    }
    try self.init(specification)
    mapped.adviseSequential()
    try mapped.withBytes(0..<mapped.byteCount) { bytes in
      for (number, table) in file.tables.enumerated() {
        try read(table, number: number, of: file, in: bytes, path: path)
      }
    }
  }

  private func read(
    _ table: TDLWeightFile.Table, number: Int, of file: TDLWeightFile, in bytes: RawSpan, path: String
  ) throws(TDLWeightFileError) {
    let position = indexer.storageMap(table: number)
    let share = specification.shareOfTDL(table.pattern)
    var values = [Float](repeating: 0, count: min(1 << 16, table.pattern.tableSize))
    for start in stride(from: 0, to: table.pattern.tableSize, by: values.count) {
      let range = start..<start + values.count
      var span = values.mutableSpan
      file.copy(range, of: table, from: bytes, into: &span)
      for offset in values.indices {
        guard abs(values[offset]) <= ModelFile.largestWeight else {
          throw .notFinite(path: path, name: table.pattern.text, index: start + offset)
        }
        weights[position(start + offset)] = PlainCell(weight: values[offset] * share)
      }
    }
  }

  /// Writes a TDL2048+ weight file, in single precision and without coherence sums. The file appears whole or not at
  /// all.
  ///
  /// TDL2048+ takes the network from the names of the tables and shares them over the symmetric boards. For a network
  /// that does not share tables, name it on the command line of TDL2048+: `-n 0123:0123 4567:4567`.
  ///
  /// - Throws: `TDLWeightFileError` for another board or a pattern that occurs twice, `SystemError` when the file
  ///   cannot be written.
  public func saveTDLWeightFile(to path: String) throws {
    guard specification.shape == .standard else {
      throw TDLWeightFileError.otherShape(path: path, shape: specification.shape)
    }
    guard specification.stages.count == 1 else {
      throw TDLWeightFileError.severalStages(path: path, count: specification.stages.count)
    }
    for (number, pattern) in specification.patterns.enumerated()
    where specification.patterns[..<number].contains(pattern) {
      throw TDLWeightFileError.repeatedTable(path: path, name: pattern.text)
    }
    let file = try ReplacementFile(path: path, calls: .system)
    do {
      let header = TDLWeightFile.header(tableCount: specification.patterns.count)
      try file.append(unsafe header.span.bytes)
      for (number, pattern) in specification.patterns.enumerated() { try write(pattern, number: number, to: file) }
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }

  private func write(_ pattern: TuplePattern, number: Int, to file: ReplacementFile) throws {
    let header = TDLWeightFile.header(of: pattern)
    try file.append(unsafe header.span.bytes)
    let position = indexer.storageMap(table: number)
    let share = specification.shareOfTDL(pattern)
    var values = [Float](repeating: 0, count: min(1 << 16, pattern.tableSize))
    for start in stride(from: 0, to: pattern.tableSize, by: values.count) {
      for offset in values.indices {
        values[offset] = weights[position(start + offset)].weight / share
        guard abs(values[offset]) <= ModelFile.largestWeight else {
          throw TDLWeightFileError.notFinite(path: file.path, name: pattern.text, index: start + offset)
        }
      }
      try file.append(unsafe values.span.bytes)
    }
    // In a debug build, the compiler reports that a span of the global itself escapes. So it is copied first.
    let end = TDLWeightFile.tableEnd
    try file.append(unsafe end.span.bytes)
  }
}

extension NetworkSpecification {
  /// The factor from a weight of TDL2048+ to a weight of this package: a half for a pattern on a diagonal, otherwise 1.
  ///
  /// Such a pattern is equal on two symmetric boards. TDL2048+ looks it up once, and networks of this package look it
  /// up twice.
  fileprivate func shareOfTDL(_ pattern: TuplePattern) -> Float {
    guard sharesSymmetries else { return 1 }
    let images = Set(shape.symmetries.map { symmetry in pattern.cells.map { shape.cell($0, under: symmetry) } })
    return Float(images.count) / Float(boardsPerPattern)
  }
}
