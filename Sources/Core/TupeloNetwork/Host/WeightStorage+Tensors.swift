package import Safetensors
internal import TupeloBase
package import TupeloTables

/// Writes and reads a whole storage in the order of files.
///
/// - Precondition of all methods that read or write weights: no worker shares the storage.
extension WeightStorage {
  /// The tensors of a storage: one per plane and table, with names that begin with `prefix`.
  package static func tensors(of map: TableMap, prefix: String = "") -> [TensorDescription] {
    Cell.planes.flatMap { plane in map.tables.indices.map { map.tensor(prefix + plane, $0) } }
  }

  /// Numbers per read or write between storage and file.
  private static var chunk: Int { 1 << 16 }

  /// Writes a tensor if it is one of `tensors(of:)`.
  ///
  /// - Returns: whether it is such a tensor.
  /// - Throws: `ModelFileError` for numbers that `read` refuses; the errors of the sink.
  package func write(
    _ tensor: TensorDescription, of map: TableMap, prefix: String = "", to sink: inout TensorSink
  ) throws -> Bool {
    for (plane, name) in Cell.planes.enumerated() {
      guard let number = map.table(of: tensor, plane: prefix + name) else { continue }
      let (position, size) = (map.storageMap(number), map.tables[number].size)
      var values = [Float](repeating: 0, count: min(Self.chunk, size))
      for start in stride(from: 0, to: size, by: values.count) {
        gather(plane, by: position, from: start, into: &values)
        try check(values, plane, by: position, from: start, name: tensor.name, path: sink.path)
        try sink.write(values.span)
      }
      return true
    }
    return false
  }

  /// Fills all planes from a file.
  ///
  /// - Throws: `ModelFileError` when a tensor is missing, of another shape or not finite; `SafetensorsError`.
  package func read(from file: SafetensorsFile, as map: TableMap, prefix: String = "") throws {
    for (plane, name) in Cell.planes.enumerated() {
      for (number, table) in map.tables.enumerated() {
        let tensor = map.tensor(prefix + name, number)
        try file.header.checked(tensor)
        try read(plane, of: tensor, count: table.size, from: file, to: map.storageMap(number))
      }
    }
  }

  /// Copies tables from another network's file, to widen a trained network. Tables of patterns that both networks have
  /// are filled. Other tables do not change.
  ///
  /// If the other network has different stages, all stages get its first stage. If the file has averaged weights, the
  /// averaged weights are used. Planes that the file does not have do not change.
  ///
  /// - Parameters:
  ///   - file: the other network's file
  ///   - stored: the weights in that file
  /// - Throws: `ModelFileError`, also if the networks have no pattern in common; `SafetensorsError`.
  package func read(
    initial file: SafetensorsFile, _ stored: inout StoredWeights, of other: NetworkSpecification, indexer: TupleIndexer
  ) throws {
    let (own, map) = (indexer.specification, indexer.tableMap)
    guard own.shape == other.shape, own.sharesSymmetries == other.sharesSymmetries,
      !Set(own.patterns).isDisjoint(with: other.patterns)
    else { throw ModelFileError.nothingInCommon(path: file.path, network: other.canonicalText) }
    try read(initial: file, &stored, as: map) { number in
      guard let first = other.patterns.firstIndex(of: own.patterns[number % own.patterns.count]) else { return nil }
      return own.stages == other.stages ? number / own.patterns.count * other.patterns.count + first : first
    }
  }

  /// Fills tables from tables of another model. Planes that the file does not have do not change.
  ///
  /// - Parameter source: gives the number, in the file, of the table to copy from; `nil` to leave a table unchanged
  package func read(
    initial file: SafetensorsFile, _ stored: inout StoredWeights, as map: TableMap, from source: (Int) -> Int?
  ) throws {
    for (plane, name) in Cell.planes.enumerated() {
      for (number, table) in map.tables.enumerated() {
        guard let source = source(number) else { continue }
        if plane == 0 {
          try read(table: source, of: &stored, count: table.size, to: map.storageMap(number))
          continue
        }
        let tensor = TensorDescription(name: "\(name).\(source)", type: .f32, shape: table.axes)
        guard file.tensor(named: tensor.name) != nil else { continue }
        try file.header.checked(tensor)
        try read(plane, of: tensor, count: table.size, from: file, to: map.storageMap(number), freesZeros: true)
      }
    }
  }

  /// Fills the weights of tables from a file of any format. The storage must be new: all its weights are 0.
  package func fill(_ stored: inout StoredWeights, as map: TableMap) throws {
    for (number, table) in map.tables.enumerated() {
      try read(
        table: map.firstNumber + number, of: &stored, count: table.size, to: map.storageMap(number), leavesZeros: true)
    }
  }

  /// Fills the weights of a table from a file of any format.
  ///
  /// - Parameter leavesZeros: whether the weights are 0 already, so that runs of zeros need not be written. Weights
  ///   that are not written take no memory: a few kilobytes of a compact file may stand for gigabytes of zeros.
  private func read(
    table number: Int, of stored: inout StoredWeights, count: Int, to position: StorageMap, leavesZeros: Bool = false
  ) throws {
    var values = [Float](repeating: 0, count: min(Self.chunk, count))
    for start in stride(from: 0, to: count, by: values.count) {
      let range = start..<start + values.count
      var span = values.mutableSpan
      try stored.copy(table: number, range: range, into: &span)
      if leavesZeros, values.allSatisfy({ $0 == 0 && $0.sign == .plus }) { continue }
      scatter(values.span, plane: 0, by: position, from: start)
    }
  }

  /// Fills a plane of a table from a file.
  ///
  /// - Parameter freesZeros: whether weights that the file fixes at zero, by an infinite A, learn from now on
  private func read(
    _ plane: Int, of tensor: TensorDescription, count: Int, from file: SafetensorsFile,
    to position: StorageMap, freesZeros: Bool = false
  ) throws {
    var values = [Float](repeating: 0, count: min(Self.chunk, count))
    for start in stride(from: 0, to: count, by: values.count) {
      let range = start..<start + values.count
      var span = values.mutableSpan
      try file.copy(tensor.name, range: range, into: &span)
      try check(values, plane, by: position, from: start, name: tensor.name, path: file.path)
      if plane == 2, freesZeros, values.contains(.infinity) { free(&values, by: position, from: start) }
      scatter(values.span, plane: plane, by: position, from: start)
    }
  }

  /// Checks numbers of a plane that are read from a file or written to it. The weights of the table are in storage
  /// already: a weight with an infinite A must be zero.
  private func check(
    _ values: [Float], _ plane: Int, by position: StorageMap, from start: Int, name: String, path: String
  ) throws(ModelFileError) {
    guard plane > 0 else { return try ModelFile.check(weights: values.span, from: start, name: name, path: path) }
    var weights: [Float] = []
    for offset in values.indices where !values[offset].isFinite {
      if weights.isEmpty {
        weights = values
        gather(0, by: position, from: start, into: &weights)
      }
      guard plane == 2, values[offset] == .infinity, weights[offset] == 0 else {
        throw .notFinite(path: path, name: name, index: start + offset)
      }
    }
  }

  /// Lets weights with an infinite A learn from now on: both of their sums become 0, because E has counted all their
  /// errors.
  private func free(_ absolute: inout [Float], by position: StorageMap, from start: Int) {
    var errors = absolute
    gather(1, by: position, from: start, into: &errors)
    for index in absolute.indices where absolute[index] == .infinity { (absolute[index], errors[index]) = (0, 0) }
    scatter(errors.span, plane: 1, by: position, from: start)
  }

  private func gather(_ plane: Int, by position: StorageMap, from start: Int, into values: inout [Float]) {
    reading { storage in
      if plane == 0 {
        storage.withWeights { position.gather($0, width: 1, word: 0, from: start, into: &values) }
      } else {
        storage.withSums { position.gather($0, width: Cell.sumCount, word: plane - 1, from: start, into: &values) }
      }
    }
  }

  func scatter(_ values: Span<Float>, plane: Int, by position: StorageMap, from start: Int) {
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
