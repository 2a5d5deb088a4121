package import Safetensors
package import TupeloTables

/// Writing and reading a whole storage in the order of files.
///
/// - Precondition of all that read or write weights: no worker shares the storage.
extension WeightStorage {
  /// The tensors of a storage: one per plane and table, their names beginning with `prefix`.
  package static func tensors(of specification: NetworkSpecification, prefix: String = "") -> [TensorDescription] {
    Cell.planes.flatMap { plane in
      specification.tables.enumerated().map { number, table in
        tensor(plane: prefix + plane, number: number, table: table)
      }
    }
  }

  private static func tensor(plane: String, number: Int, table: NetworkTable) -> TensorDescription {
    TensorDescription(name: "\(plane).\(number)", type: .f32, shape: table.axes)
  }

  /// How many numbers are in flight between storage and file.
  private static var chunk: Int { 1 << 16 }

  /// Writes the tensor if it is one of `tensors(of:)`.
  ///
  /// - Returns: whether it was.
  package func write(
    _ tensor: TensorDescription, indexer: TupleIndexer, prefix: String = "", to sink: inout TensorSink
  ) throws -> Bool {
    for (plane, name) in Cell.planes.enumerated() {
      for (number, table) in indexer.specification.tables.enumerated()
      where tensor.name == "\(prefix)\(name).\(number)" {
        let position = indexer.storageMap(table: number)
        var values = [Float](repeating: 0, count: min(Self.chunk, table.size))
        for start in stride(from: 0, to: table.size, by: values.count) {
          gather(plane, by: position, from: start, into: &values)
          try sink.write(values.span)
        }
        return true
      }
    }
    return false
  }

  /// Fills all planes from a file.
  ///
  /// - Parameter onlyWeights: leave the other planes as they are.
  /// - Throws: `ModelFileError` when a tensor is missing, of another shape or not finite; `SafetensorsError`.
  package func read(
    from file: SafetensorsFile, indexer: TupleIndexer, prefix: String = "", onlyWeights: Bool = false
  ) throws {
    for (plane, name) in Cell.planes.enumerated() where plane == 0 || !onlyWeights {
      for (number, table) in indexer.specification.tables.enumerated() {
        let expected = Self.tensor(plane: prefix + name, number: number, table: table)
        guard let found = file.tensor(named: expected.name) else {
          throw ModelFileError.missingTensor(path: file.path, name: expected.name)
        }
        guard found.shape == expected.shape, found.type == expected.type else {
          throw ModelFileError.wrongShape(
            path: file.path, name: found.name, found: found.shape, expected: expected.shape)
        }
        try read(plane, of: expected, count: table.size, from: file, to: indexer.storageMap(table: number))
      }
    }
  }

  /// Fills the tables of those patterns that another network has too, and the weights of states where both have as many slots for them,
  /// and leaves the others as they are: a trained network widened. Which states they are is for `StateIndex` to read. Where that network
  /// has other stages, all stages get its first one. Of a file with averaged weights, those are taken; planes that it does not have stay
  /// as they are.
  ///
  /// - Throws: `ModelFileError`, also when not one pattern is the same; `SafetensorsError`.
  package func read(initial file: SafetensorsFile, indexer: TupleIndexer) throws {
    let (own, other) = (indexer.specification, try ModelFile.specification(in: file))
    guard own.shape == other.shape, own.sharesSymmetries == other.sharesSymmetries,
      !Set(own.patterns).isDisjoint(with: other.patterns)
    else { throw ModelFileError.nothingInCommon(path: file.path, network: other.canonicalText) }
    var stored = try StoredWeights(file)
    for (plane, name) in Cell.planes.enumerated() {
      for (number, table) in own.tables.enumerated() {
        guard let source = Self.source(of: table, number: number, in: other, for: own) else { continue }
        if plane == 0 {
          try read(table: source, of: &stored, count: table.size, to: indexer.storageMap(table: number))
          continue
        }
        let tensor = Self.tensor(plane: name, number: source, table: table)
        guard let found = file.tensor(named: tensor.name) else { continue }
        guard found.shape == tensor.shape, found.type == tensor.type else {
          throw ModelFileError.wrongShape(path: file.path, name: found.name, found: found.shape, expected: tensor.shape)
        }
        try read(plane, of: tensor, count: table.size, from: file, to: indexer.storageMap(table: number))
      }
    }
  }

  /// Which of another network's tables a table begins as.
  private static func source(
    of table: NetworkTable, number: Int, in other: NetworkSpecification, for own: NetworkSpecification
  ) -> Int? {
    guard let first = other.tables.firstIndex(of: table) else { return nil }
    guard case .pattern = table, own.stages == other.stages else { return first }
    return number / own.patterns.count * other.patterns.count + first
  }

  /// Fills the weights of a table from a file of any format.
  private func read(
    table number: Int, of stored: inout StoredWeights, count: Int, to position: StorageMap
  ) throws {
    var values = [Float](repeating: 0, count: min(Self.chunk, count))
    for start in stride(from: 0, to: count, by: values.count) {
      let range = start..<start + values.count
      var span = values.mutableSpan
      try stored.copy(table: number, range: range, into: &span)
      scatter(values.span, plane: 0, by: position, from: start)
    }
  }

  private func read(
    _ plane: Int, of tensor: TensorDescription, count: Int, from file: SafetensorsFile,
    to position: StorageMap
  ) throws {
    var values = [Float](repeating: 0, count: min(Self.chunk, count))
    for start in stride(from: 0, to: count, by: values.count) {
      let range = start..<start + values.count
      var span = values.mutableSpan
      try file.copy(tensor.name, range: range, into: &span)
      if let offset = values.firstIndex(where: { !$0.isFinite }) {
        throw ModelFileError.notFinite(path: file.path, name: tensor.name, index: start + offset)
      }
      scatter(values.span, plane: plane, by: position, from: start)
    }
  }

  private func gather(_ plane: Int, by position: StorageMap, from start: Int, into values: inout [Float]) {
    exclusively { storage in
      if plane == 0 {
        storage.withWeights { position.gather($0, width: 1, word: 0, from: start, into: &values) }
      } else {
        storage.withSums { position.gather($0, width: Cell.sumCount, word: plane - 1, from: start, into: &values) }
      }
    }
  }

  private func scatter(_ values: Span<Float>, plane: Int, by position: StorageMap, from start: Int) {
    exclusively { storage in
      if plane == 0 {
        storage.withMutableWeights { position.scatter(values, width: 1, word: 0, from: start, into: &$0) }
      } else {
        storage.withMutableSums {
          position.scatter(values, width: Cell.sumCount, word: plane - 1, from: start, into: &$0)
        }
      }
    }
  }
}
